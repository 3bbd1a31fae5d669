// Reviews several games one after the other: a list that fills as it goes, with totals, stopped at any time.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isAborted, post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { language, t, tn } from "../texts.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { sentence, told } from "../parts/told.js";
import { Level, resultOf } from "./level.js";
import { reviewOf } from "./sources.js";

/** Reviews games in turn: {found, done, error, totals, isBusy}, and a function that stops it. */
function useReviews(games) {
  const [state, setState] = useState({ found: [], error: null, totals: null, isBusy: true });
  const running = useRef(null);
  const start = async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const found = [];
    setState({ found, error: null, totals: null, isBusy: true });
    try {
      for (const game of games) {
        found.push(await oneOf(game, controller.signal));
        if (running.current === controller) setState((now) => ({ ...now, found: [...found] }));
      }
    } catch (error) {
      if (!isAborted(error) && running.current === controller) setState((now) => ({ ...now, error, isBusy: false }));
      if (!isAborted(error)) return;
    }
    if (running.current !== controller) return;
    const totals = await totalsOf(games, found).catch(() => null);
    if (running.current === controller) setState((now) => ({ ...now, totals, isBusy: false }));
    say(tn("{n} game reviewed.", "{n} games reviewed.", found.length));
  };
  useEffect(() => {
    start();
    return () => { const last = running.current; running.current = null; last?.abort(); };
  }, [games, language()]);
  return [state, () => running.current?.abort(), start];
}

/** The review of a game, or {refused}: one game that nobody can review does not stop the others. */
async function oneOf(game, signal) {
  if (game.turns.length === 0) return { refused: t("no turn") };
  try {
    return await reviewOf(game, { signal, others: false });
  } catch (error) {
    if (isAborted(error) || error.isOffline || error.status !== 422) throw error;
    return { refused: error.message };
  }
}

async function totalsOf(games, found) {
  const groups = new Map();
  found.forEach(({ review }, index) => {
    if (!review) return;
    const name = games[index].codebreaker || "";
    const key = JSON.stringify([name, games[index].rules]);
    groups.set(key, [...(groups.get(key) ?? []), review]);
  });
  return Promise.all([...groups].map(async ([key, reviews]) => {
    const [name, rules] = JSON.parse(key);
    const [told, facts] = await Promise.all([post("reviews/totals", { rules, name, games: reviews.map(resultOf), level: false }), rulesOf(rules)]);
    return { key, says: told.says, facts, reviews };
  }));
}

/** `onGame(index)` opens one game. */
export function GameList({ games }) {
  const [{ found, error, totals, isBusy }, stop, start] = useReviews(games);
  return html`<div class="review-list stack">
    ${isBusy && html`<${Busy} says=${t("Reviewing game {n} of {total} …", { n: Math.min(found.length + 1, games.length), total: games.length })} done=${found.length} total=${games.length} onCancel=${stop} />`}
    ${error && html`<${Refusal} error=${error} /><button type="button" onClick=${start}>${t("Try again")}</button>`}
    ${!isBusy && found.length < games.length && !error && html`<p class="note warn">${t("Stopped after {n} of {total} games.", { n: found.length, total: games.length })} <button type="button" onClick=${start}>${t("Go on")}</button></p>`}
    ${totals?.map((one) => html`<section key=${one.key} class="card totals" aria-label=${t("Totals")}>${one.says.map((line) => html`<p key=${line}>${sentence(line.trim())}</p>`)}<${Level} rules=${one.facts} reviews=${one.reviews} /></section>`)}
    <div class="scroll" tabindex="0" role="group" aria-label=${t("The games")}><table class="data"><caption class="unseen">${t("The games")}</caption><thead><tr>
      ${[t("Game"), t("Rules")].map((head) => html`<th key=${head} scope="col">${head}</th>`)}${[t("Guesses"), t("Par"), t("Lost"), t("Luck"), t("Without luck")].map((head) => html`<th key=${head} scope="col" class="num">${head}</th>`)}</tr></thead>
      <tbody>${games.map((game, index) => html`<${GameRow} key=${index} game=${game} index=${index} one=${found[index]} />`)}</tbody></table></div></div>`;
}

function GameRow({ game, index, one }) {
  const name = [t("Game {n}", { n: index + 1 }), game.codebreaker].filter(Boolean).join(", ");
  const head = html`<th scope="row"><a href=${`#/review/t/${index + 1}`}>${name}</a></th><td class="mono">${game.rules}</td>`;
  if (one?.refused) return html`<tr>${head}<td colspan="5" class="warn">${one.refused}</td></tr>`;
  if (!one) return html`<tr>${head}<td class="num">${game.turns.length}</td><td colspan="4" class="muted">…</td></tr>`;
  const { guesses, par, loss, luck, adjusted } = one.review;
  return html`<tr>${head}<td class="num">${guesses}${game.won ? "" : "*"}</td><td class="num">${told(par)}</td><td class="num">${told(loss)}</td><td class="num">${told(luck, { isSigned: true })}</td><td class="num">${told(adjusted)}</td></tr>`;
}
