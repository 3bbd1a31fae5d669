// Opens games that come from elsewhere: links, with a wall before what they give away, the puzzle of a day, given
// rules.

import { html, useState } from "../vendor/ui.js";
import { get, rulesOf } from "../api.js";
import { allGames, currentId, dateOf, isOver, keep, kept, newGame, ofDate, setCurrent, tidy } from "../games.js";
import { LinkError, fromLink } from "../link.js";
import { useAsk } from "../parts/ask.js";
import { feedbackOf } from "../parts/marks.js";
import { boardInWords, dayInWords, linkInWords, nameOf } from "../sharing.js";
import { t, tn } from "../texts.js";
import { useAtOnce } from "../parts/when.js";

/** Milliseconds after which a game that is over makes room for a new one. */
const STALE = 30 * 60 * 1000;

/** Keeps a game as the one that is played, and opens it. */
export function open(game, { replace = false } = {}) {
  tidy(game.id);
  if (kept(game.id) === null) keep(game, 0);
  setCurrent(game.id);
  const hash = `#/play/game/${game.id}`;
  if (replace) location.replace(hash);
  else location.hash = hash;
}

/** The game that is played now, or a new one of the usual rules. */
export function openCurrent(settings, options) {
  const last = kept(currentId() ?? "")?.game;
  const isStale = last && isOver(last) && Date.now() - last.ended > STALE;
  const daily = ofDate(allGames(), dateOf());
  // The front of the page is the puzzle of the day, until it is over.
  if ((!last || isStale) && !(daily && isOver(daily))) location.replace(`#/play/daily/${dateOf()}`);
  else open(last && !isStale ? last : newGame({ rules: settings.rules, strict: settings.strict }), options);
}

/** The game of a link as it stands there, its answers read again; `rules` are the facts of its rules. */
function taken(given, rules, settings) {
  const told = given.turns.map(() => ({ left: null, clues: [] }));
  const isWon = given.turns.length > 0 && feedbackOf(given.turns.at(-1)[1], rules).black === rules.pegs;
  const isLost = !isWon && rules.limit !== null && given.turns.length >= rules.limit;
  return newGame({
    rules: rules.text, codemaker: given.codemaker, kind: given.number === null ? "own" : "numbered",
      number: given.number, secrets: given.secrets, from: given.token,
    turns: given.turns, told, strict: given.turns.length === 0 && settings.strict, isAgain: given.turns.length > 0,
    state: isWon ? "won" : isLost ? "lost" : "open", secret: isWon ? given.turns.at(-1)[0] : null,
    ended: isWon || isLost ? Date.now() : null,
  });
}

/** Opens the game that is found in place of its address; returns why there is none, or null. */
function useOpened(found, reasons) {
  const [state, ask] = useAsk();
  useAtOnce(() => { ask(found).then((game) => { if (game) open(game, { replace: true }); }); }, reasons);
  return state.error;
}

/** A link: opened at once, unless it shows what one may not want to see. */
export function FromLink({ text, isAsked, settings, notFound }) {
  const [{ given, rules }, show] = useState({ given: null, rules: null });
  const error = useOpened(async () => {
    const read = fromLink(text);
    const facts = await rulesOf(read.rules);
    isPlayable(read, facts);
    if (read.turns.length === 0 || !isAsked) return taken(read, facts, settings);
    return show({ given: read, rules: facts });
  }, [text]);
  if (error) return notFound(reasonOf(error), error.isOffline);
  if (!given) return html`<p class="busy">${t("Opening the game")}</p>`;
  const game = newGame(given);
  return html`<div class="card wall"><h2>${t("A game of someone else: {game}", { game: nameOf(game) })}</h2>
    <p>${tn("The link shows {n} guess and its answer.", "The link shows {n} guesses and their answers.",
      given.turns.length)} ${t("Look at it, or find the same secret yourself first?")}</p>
    <div class="row">
      <button type="button" class="main" onClick=${() => open(taken({ ...given, turns: [] }, rules, settings),
        { replace: true })}>${t("Play the same secret yourself")}</button>
      <button type="button" onClick=${() => open(taken(given, rules, settings), { replace: true })}>
        ${t("Show the game")}</button></div></div>`;
}

function isPlayable({ turns, number, token }, rules) {
  if (turns.some(([, marks]) => feedbackOf(marks, rules) === null)) throw new LinkError("damaged");
  if (turns.length > 0 && number === null && token === null) throw new LinkError("none");
}

function reasonOf(error) {
  if (error instanceof LinkError) return linkInWords(error);
  return error.isOffline ? error.message : t("The link holds a game that is not played here: {reason}",
    { reason: error.message });
}

/** The puzzle of a day: the game that was begun, or a new one. */
export function FromDate({ date, settings, notFound }) {
  const error = useOpened(async (options) => ofDate(allGames(), date)
    ?? newGame({ ...await get("daily", { date }, options), kind: "daily", strict: settings.strict }), [date]);
  if (error) return notFound(error.message, error.isOffline);
  return html`<p class="busy">${t("Opening the puzzle")}</p>`;
}

/** A game of rules that an address names. */
export function FromRules({ query, settings, notFound }) {
  const error = useOpened(async () => {
    const rules = await rulesOf(query.get("rules") ?? settings.rules);
    const number = Number(query.get("number"));
    return newGame({
      rules: rules.text, codemaker: query.get("codemaker") ?? "honest", strict: settings.strict,
      number: Number.isSafeInteger(number) && number > 0 ? number : null,
    });
  }, [query.toString()]);
  if (error) return notFound(error.message, error.isOffline);
  return html`<p class="busy">${t("Opening the game")}</p>`;
}

/** What a game is called above its board, and what is said beside that. */
export const titleOf = ({ kind, date, rules }) => (kind === "daily" && date ? t("Puzzle of the day") : kind === "own"
  ? t("A secret that a person set") : boardInWords(rules));
export const underTitle = ({ kind, date, number, rules }) => [kind === "daily" && date && dayInWords(date, "long"),
  kind !== "numbered" && boardInWords(rules), kind === "numbered" && number
  && t("no. {number}", { number: String(number) })];
