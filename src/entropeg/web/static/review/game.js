// Reviews one game: the account, the board with its marks, turn by turn, two curves, mistakes to find, and what others
// would do.

import { html, useMemo, useRef, useState } from "../vendor/ui.js";
import { rulesOf } from "../api.js";
import { say } from "../announce.js";
import { readCode } from "../codes.js";
import { language, t, tn } from "../texts.js";
import { Account } from "../parts/account.js";
import { useAsk } from "../parts/ask.js";
import { turnInWords } from "../parts/board.js";
import { Busy } from "../parts/busy.js";
import { Curve } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";
import { turnOf } from "../parts/marks.js";
import { useMedia } from "../parts/media.js";
import { fixed, sentence } from "../parts/told.js";
import { useShell } from "../shell.js";
import { Again } from "./again.js";
import { codesLeft, ReviewBoard, turnSentence } from "./board.js";
import { Level } from "./level.js";
import { NextMistake, mistakesOf } from "./mistake.js";
import { BestTable, Others } from "./others.js";
import { keepPlace, placeNow } from "./place.js";
import { PrintedNotes, Sharing, Worksheet, linkOf } from "./sheet.js";
import { SECONDS, reviewOf } from "./sources.js";
import { TurnCard, useArrows } from "./turn.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

/** The review of a game: {rules, found, busy, error, isStopped, start, stop, ...}, begun at once. */
function useReview(game) {
  const { about } = useShell();
  const [rules, askRules] = useAsk();
  const [state, ask, cancel] = useAsk();
  const [isStopped, setStopped] = useState(false);
  const seconds = Math.min(SECONDS, about?.limits?.exact_seconds ?? Infinity);
  const start = () => {
    setStopped(false);
    ask((options) => reviewOf(game, { ...options, seconds })).then((found) => { if (found)
      say(`${sentence(found.says.account)} ${sentence(found.says.adjusted)}`); });
  };
  useWhen(() => { askRules(() => rulesOf(game.rules)); start(); }, [game, language()]);
  const stop = () => {
    cancel();
    setStopped(true);
    say(t("The review was stopped."));
  };
  return { rules, found: state.data, busy: state.busy, error: state.error, seconds, isStopped, start, stop };
}

/** The turn that is looked at, and whether the game is looked at or something is tried in it; both outlive a reload. */
function usePlace(game, path) {
  const [place] = useState(placeNow);
  const [at, setAt] = useState(Math.min(game.turns.length, place.turn) - 1);
  const isPlace = place.mode.name !== "look" && place.mode.index < game.turns.length;
  const [{ mode, rows, isTold }, setWhere] = useState(isPlace ? place : { mode: { name: "look" } });
  const look = (index) => {
    setAt(index);
    keepPlace(path, { turn: index + 1, mode });
  };
  const go = (next) => {
    setWhere({ mode: next });
    keepPlace(path, { turn: at + 1, mode: next });
  };
  // What was played before a reload is told to the part once: `rows` stay those of the beginning.
  const keepRows = (now, isShown = false) => keepPlace(path, { turn: at + 1, mode, rows: now, isTold: isShown });
  return { at, mode, rows, isTold, look, go, keepRows };
}

/** `game` is as the laboratory read it; `path` the address of its review. */
export function GameReview({ game, path }) {
  const review = useReview(game);
  const { rules, found } = review;
  const { at, mode, rows, isTold, keepRows, ...place } = usePlace(game, path);
  const [best, setBest] = useState(() => new Set());
  const turnHead = useRef(null);
  const isBroad = useMedia("(min-width: 1001px), print");
  const look = (index) => {
    const next = Math.max(0, Math.min(game.turns.length - 1, index));
    if (next === at && index !== at) return say(index < 0 ? t("This is the first turn.") : t("This is the last turn."));
    place.look(next);
    return say(spokenTurn(game, found, next, rules.data));
  };
  const isLooking = mode.name === "look";
  useArrows(isLooking && rules.data !== null, (by) => look(at + by));
  if (rules.error) return html`<${Refusal} error=${rules.error} />`;
  if (rules.data === null) return html`<${Busy} says=${t("Reading the game …")} />`;
  const enter = (name, index) => place.go({ name, index });
  const leave = () => {
    place.go({ name: "look" });
    setTimeout(() => turnHead.current?.focus(), 0);
  };
  const mistakes = found ? mistakesOf(found.review) : [];
  const next = nextOf(mistakes, mode.index);
  const shared = { rules: rules.data, game: { ...game, rows: game.turns.map((turn) => turnOf(turn, rules.data)) } };
  const showBest = () => {
    setBest(new Set([...best, at]));
    say(t("The best guess is {code}.", { code: found.review.turns[at].best }));
  };
  const account = html`<${AccountCard} game=${game} review=${review} />`;
  const turnCard = isLooking
    && html`<${TurnCard} ...${shared} turn=${found?.review.turns[at] ?? null} notes=${found?.says.turns[at] ?? []}
      at=${at} onStep=${(by) => look(at + by)}
    headRef=${turnHead} isBest=${best.has(at)} onBest=${showBest} onAgain=${() => enter("again", at)} />`;
  const curves = isLooking && found && html`<${Curves} found=${found} />`;
  const toFind = isLooking
    && html`<${ToFind} found=${found} mistakes=${mistakes} onMistake=${(index) => enter("mistake", index)} />`;
  const learn = isLooking && found && html`<${Learn} ...${shared} found=${found} />`;
  return html`<div class="review-grid">
    <div class="stage">
      ${!isBroad && toFind}
      ${isLooking && html`<${ReviewBoard} ...${shared} turns=${found?.review.turns ?? null} at=${at} onTurn=${look}
        secret=${game.won || game.secret === null ? null : readCode(game.secret, rules.data)} />`}
      ${isBroad && [curves, learn]}
      ${mode.name === "mistake" && found && html`<${NextMistake} key=${mode.index} ...${shared} review=${found.review}
        index=${mode.index} first=${rows} isShown=${isTold} onRows=${keepRows} onClose=${leave}
        onNext=${next === null ? null : () => enter("mistake", next)} />`}
      ${mode.name === "again" && html`<${Again} key=${mode.index} ...${shared} from=${mode.index} first=${rows}
        onRows=${keepRows} onClose=${leave} />`}</div>
    <div class="panel">
      ${isBroad ? [toFind, account, turnCard] : [turnCard, account, curves, learn]}
      ${isLooking && found && html`<${PrintedNotes} notes=${found.says.turns} />
        <${Worksheet} ...${shared} review=${found.review} />`}
      ${isLooking && !review.busy && html`<${Sharing} game=${game} />`}</div></div>`;
}

/** What the game came to, once that is worked out. */
function AccountCard({ game, review }) {
  const { about } = useShell();
  const { rules, found, busy, error, seconds, isStopped, start, stop } = review;
  const reviews = useMemo(() => (found ? [found.review] : []), [found]);
  return html`<section class=${`card account-card${busy ? " waiting" : ""}`} aria-labelledby="account-head">
    <h2 id="account-head">${t("The account")}</h2>
    ${busy && html`<${Busy} says=${t("Reviewing …")} seconds=${seconds} onCancel=${stop} />`}
    ${isStopped
      && html`<p>${t("The review was stopped.")} <button type="button" onClick=${start}>${t("Review")}</button></p>`}
    ${error && html`<${Refusal} error=${error} />${error.status === 422
    ? html`<p><a href=${`#/assist/g/${linkOf(game)}`}>${t("Look for the wrong row in Assist")}</a></p>`
    : html`<button type="button" onClick=${start}>${t("Try again")}</button>`}`}
    ${found && html`<${Account} review=${found.review} says=${found.says} /><${Remarks} game=${game} found=${found} />
      ${!about?.lacks?.includes("level") && html`<${Level} rules=${rules.data} reviews=${reviews} />`}`}</section>`;
}

/** What the review leads to: the mistakes, to be found before they are told. */
/** @param {{found: Api["GameReviewed"], mistakes: number[], onMistake: (index: number) => void}} props */
function ToFind({ found, mistakes, onMistake }) {
  if (!found) return html`<p class="to-find no-print"></p>`;
  const none = found.review.exact ? t("There is no mistake to find in this game.")
    : t("Mistakes can be judged only where losses are exact.");
  return html`<p class="to-find no-print">${mistakes.length > 0
    ? html`<button type="button" class="main" onClick=${() => onMistake(mistakes[0])}>
      ${tn("Find the mistake", "Find the {n} mistakes", mistakes.length)}</button>`
        : html`<span class="muted">${none}</span>`}</p>`;
}

/** What there is to learn from a game: the best guesses, and what others would have played. */
/** @param {{rules: Api["RulesShown"], found: Api["GameReviewed"]}} props */
function Learn({ rules, found }) {
  return html`<section class="card no-print" aria-labelledby="learn-head"><h2 id="learn-head">${t("Learn from it")}</h2>
    <${BestTable} rules=${rules} review=${found.review} />
      <${Others} rules=${rules} others=${found.others} /></section>`;
}

const nextOf = (mistakes, index) => mistakes.find((one) => one > index) ?? null;

function spokenTurn(game, found, index, rules) {
  const reviewed = found?.review.turns[index];
  const said = [turnInWords(turnOf(game.turns[index], rules), index, rules), reviewed && turnSentence(reviewed),
    ...(found?.says.turns[index] ?? [])];
  return said.filter(Boolean).map(sentence).join(" ");
}

/** @param {{game: Api["GivenGame"], found: Api["GameReviewed"]}} props */
function Remarks({ game, found }) {
  return html`${game.assumed
    && html`<p class="small muted">
      ${t("Nobody said the rules: {rules} follow from the guesses.", { rules: game.rules })}</p>`}
    ${!game.won
      && html`<p class="small muted">
        ${t("The game was not won: what the best play would still take counts as well.")}</p>`}
    ${found.says.answers && html`<p class="small">${sentence(found.says.answers)}</p>`}`;
}

/** @param {{found: Api["GameReviewed"]}} props */
function Curves({ found }) {
  const { turns, remaining } = found.review;
  const codes = [turns[0].before, ...turns.map(({ after }) => after)];
  const par = [...turns.map(({ value }) => value), remaining];
  const labels = codes.map((_, index) => String(index));
  return html`<div class="curves">
    <${Curve} title=${t("Codes left")} axis=${t("by turn, on a logarithmic scale")} labels=${labels} isLog=${true}
      series=${[{ name: t("codes left"), values: codes, shown: codes.map((count) => codesLeft(count)) }]} />
    <${Curve} title=${t("Par to go")} axis=${t("guesses of the best play, by turn")} labels=${labels}
      series=${[{ name: t("par to go"), values: par.map((one) => one.value),
        shown: par.map((one) => (one.value === null ? "?"
          : `${one.sign === "=" ? "" : `${one.sign} `}${fixed(one.value)}`)) }]} /></div>`;
}
