// Ends a game: what it came to, what it cost and why, the proof of a cheat, and what can be done next.

import { html, useRef } from "../vendor/ui.js";
import { post } from "../api.js";
import { again, alike, isOver, isWon, linked, rowsOf, stepsUsed } from "../games.js";
import { Marks } from "../parts/marks.js";
import { Code } from "../parts/pegs.js";
import { Refusal } from "../parts/field.js";
import { useAsk } from "../parts/ask.js";
import { Table } from "../parts/charts.js";
import { ShareBox } from "../parts/sharebox.js";
import { shareText } from "../sharing.js";
import { number, t, tn } from "../texts.js";
import { unbroken } from "../parts/told.js";
import { addressOfLink } from "./newgame.js";
import { useWhen } from "../parts/when.js";

const REVIEW_SECONDS = 8;

/**
 * Asks in the background for what an ended game still lacks: the revealed code of a cheat, and the account of a review.
 */
export function useEnd(session) {
  const { game, rules, send, sealed } = session;
  const [proof, askProof] = useAsk();
  const [review, askReview] = useAsk();
  const over = Boolean(game && isOver(game));
  const isProofDue = over && game.proof === null && (game.codemaker !== "honest" || game.secret === null);
  useWhen(() => {
    if (!isProofDue) return;
    askProof(async (options) => post("games/end",
      { rules: game.rules, turns: game.turns, token: await sealed(options.signal), give_up: true }, options))
        .then((end) => {
      if (end) send({ type: "revealed", end });
    });
  }, [isProofDue]);
  const isReviewDue = over && rules !== null && rules.can?.review !== false && game.account === null
    && game.turns.length > 0;
  useWhen(() => {
    if (!isReviewDue) return;
    const asked = { rules: game.rules, turns: game.turns, codemaker: game.codemaker, seconds: REVIEW_SECONDS,
      level: false, others: false, ...(game.secret !== null && { secret: game.secret }) };
    askReview((options) => post("reviews", asked, options)).then((told) => {
      if (told) send({ type: "reviewed", account: [told.games[0].says.account] });
    });
  }, [isReviewDue]);
  return { proof, review };
}

/** The card of an ended game. */
export function Ending({ session, end, isFresh, onStart, onOther, reviewTo }) {
  const { game, rules } = session;
  const head = useRef(null);
  useWhen(() => {
    // Whoever has just made the last guess finds the focus here; a game that is looked at again leaves it where it is.
    if (isFresh) head.current?.focus();
  }, []);
  const used = stepsUsed(game);
  const counts = game.told.map(({ left }) => left?.count).filter(Number.isInteger)
    .slice(0, isWon(game) ? -1 : undefined);
  const from = rules?.secret_count ?? null;
  const narrowed = counts.filter((count, at) => count !== (at === 0 ? from : counts[at - 1]));
  return html`<section class=${`card ending${isWon(game) ? " won" : ""}${isFresh ? " fresh-end" : ""}`}
    aria-labelledby="end-head">
    <h2 id="end-head" ref=${head} tabindex="-1">${titleOf(game)}</h2>
    ${game.secret !== null
      && html`<p class="told-secret">
        <span>${isWon(game) ? t("This was the code:") : game.isUnsettled ? t("A code that fits every answer:")
          : t("The secret was")}</span> <${Code} text=${game.secret} rules=${rules} /></p>`}
    ${from && narrowed.length > 0
      && html`<p class="narrowed">
        <span class="muted small">${t("Codes left")}</span>${" "}
        ${[from, ...narrowed].map((count) => html`<span key=${count}>${number(count)}</span>`)}
            ${isWon(game) && html`<span class="good">${t("found")}</span>`}</p>`}
    ${game.account ? game.account.map((line) => html`<p key=${line}>${unbroken(line)}</p>`)
    : end.review.busy ? html`<p class="busy">${t("The review is being worked out")}</p>` : ""}
    ${end.review.error
      && html`<p class="muted small">${t("No review: {reason}", { reason: end.review.error.message })}</p>`}
    <p class="muted small">${used > 0 ? tn("{n} step of help was used.", "{n} steps of help were used.", used)
      : t("No help was used.")}${game.strict ? ` ${t("Strict play.")}` : ""}</p>
    <div class="shares"><button type="button" class="main" onClick=${() => onStart(alike(game))}>
      ${t("New game")}</button>
      <${ShareBox} label=${t("Result as text")} copyLabel=${t("Copy the result")} text=${shareText(game, rules)}
        isOpen=${false} />
      <a class="button" href=${reviewTo}>${t("Review this game")}</a>
      <button type="button" onClick=${() => onStart(again(game))}>${t("Same secret again")}</button>
      <button type="button" onClick=${onOther}>${t("Other rules")}</button>
      <${ShareBox} label=${t("Link to the game")} copyLabel=${t("Copy the link")} text=${addressOfLink(linked(game))}
        instead=${shareText(game, rules)} isOpen=${false} /></div>
    <${Refusal} error=${end.proof.error} />
    ${game.proof?.length > 0 && game.isUnsettled && html`<${Proof} game=${game} rules=${rules} />`}
  </section>`;
}

function titleOf(game) {
  if (isWon(game)) return tn("Found in {n} guess", "Found in {n} guesses", game.turns.length);
  return game.state === "given up" ? tn("Given up after {n} guess", "Given up after {n} guesses", game.turns.length)
    : tn("Not found in {n} guess", "Not found in {n} guesses", game.turns.length);
}

/** Every answer of the cheat against the code that it revealed. */
function Proof({ game, rules }) {
  const rows = rowsOf(game, rules);
  const heads = [[t("Guess"), "num"], t("Code"), t("Answer given"), t("Against the revealed code")];
  return html`<details class="proof" open><summary>${t("Proof: every answer was legal")}</summary>
    <${Table} label=${t("Each guess against the revealed code {code}", { code: game.secret ?? "" })} heads=${heads}>
    ${game.proof.map((row, index) => html`<tr key=${index}><th scope="row" class="num">${index + 1}</th>
      <td><${Code} text=${rows[index].guess} rules=${rules} /></td>
        <td><${Marks} feedback=${rows[index].feedback} /></td>
      <td>${row.holds ? t("the same") : t("not the same")}${row.says && html`<span class="unseen">: ${row.says}</span>`}
        </td></tr>`)}
    </${Table}></details>`;
}
