// Reads watched games: turns with what each answer would have left, the codes left over the turns, and links to a game.

import { number, t, tn } from "../texts.js";
import { percent } from "../parts/charts.js";
import { nameOf, turnOf } from "../parts/marks.js";

/** @import { Api } from "../api.js" */

/** Bars that are drawn for one turn; the answer that came is always one of them. */
const MOST_BARS = 24;
const FIELDS = ["rules", "codebreaker", "codebreaker2", "codemaker", "seed", "secret"];

/** The choices of the form before anything is chosen. */
export const CHOICES = { rules: "4x6/limit=10", codebreaker: "entropy", codebreaker2: "", codemaker: "honest", seed: "",
  secret: "" };

/** Choices from the query of a link, and whether it asks for a game. */
export function fromQuery(query, otherwise) {
  const choices = { ...otherwise };
  for (const field of FIELDS) if (query.has(field)) choices[field] = query.get(field).slice(0, 4000);
  return { choices, isAsked: query.has("codebreaker") && query.has("seed"),
    turn: Math.max(0, Number.parseInt(query.get("turn") ?? "0", 10) || 0) };
}

/** The fragment that opens a game again, at a turn. */
export function toFragment(choices, turn = 0) {
  const query = new URLSearchParams();
  for (const field of FIELDS) if (choices[field] !== "") query.set(field, choices[field]);
  if (turn > 0) query.set("turn", String(turn));
  return `#/watch?${query}`;
}

/** A seed that nobody chose. */
export const drawnSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0] >>> 1);

/** What to ask the laboratory for: a request for each codebreaker. */
export function requests({ rules, codebreaker, codebreaker2, codemaker, seed, secret }) {
  const shared = { rules, codemaker, seed: Number(seed),
    ...(secret.trim() && codemaker === "honest" ? { secret: secret.trim() } : {}) };
  return [codebreaker, codebreaker2].filter((name) => name !== "").map((name) => ({ ...shared, codebreaker: name }));
}

/** The turns of an answer as boards draw them. */
/** @param {Api["WatchedGame"]} game */
export const turnsOf = (game, rules) =>
  game.turns.map((turn) => ({ ...turn, ...turnOf([turn.guess, turn.feedback], rules) }));

const isHit = (turn) => (answer) => answer.feedback === turn.marks;

/** Codes left after each turn, the number before the first one in front; null where nobody can list them. */
/** @param {Api["WatchedTurn"][]} turns */
export const codesOver = (turns) => (turns.length === 0 ? [] : [turns[0].before, ...turns.map(({ after }) => after)]);

const isCounted = (turn) => turn.after !== null;

/** The column beside the marks: codes left after each turn; where nobody can count them, how likely the answer was. */
export function columnOf(turns, found) {
  const areCounted = turns.some(isCounted);
  const told = (turn) => (isCounted(turn) ? number(turn.after) : areCounted || turn.chance === null ? "?"
    : percent(turn.chance));
  return { key: "left", head: areCounted ? t("Codes left") : t("Chance"), isNumber: true,
    cell: (turn, index) => (index === found ? t("found") : told(turn)) };
}

/** How likely the answer of a turn was, in words. */
export function shareInWords(turn) {
  if (turn.answers.length === 0)
    return t("What other answers would have left was not worked out: there was no time for it, or the codes cannot be found.");
  const rank = turn.answers.findIndex(isHit(turn));
  if (rank < 0) return t("None of the codes looked at gives this answer.");
  const { chance } = turn.answers[rank];
  if (turn.answers.length === 1) return t("No other answer could come.");
  if (rank === 0)
    return t("The likeliest of {n} answers: {chance}.", { n: turn.answers.length, chance: percent(chance) });
  return t("Number {rank} of {n} answers by likelihood: {chance}.", { rank: rank + 1, n: turn.answers.length,
    chance: percent(chance) });
}

/** The bars of a turn: {items, more}. */
export function barsOf(turn, rules) {
  const shown = turn.answers.slice(0, MOST_BARS);
  const hit = turn.answers.find(isHit(turn));
  if (hit && !shown.includes(hit)) shown[shown.length - 1] = hit;
  return {
    items: shown.map((part, key) => ({
      key, name: nameOf(part.feedback, rules), value: part.chance,
        shown: `${number(part.codes)} · ${percent(part.chance)}`, kind: part === hit ? "hit" : "",
    })),
    more: turn.answers.length - shown.length,
  };
}

/** How a game ended, in words. */
/** @param {Api["WatchedGame"]} game */
export function endInWords(game) {
  const turns = game.turns.length;
  if (game.state === "won")
    return tn("{player} found it in {n} guess.", "{player} found it in {n} guesses.", turns,
      { player: game.codebreaker });
  if (game.state === "lost")
    return tn("{player} did not find it in {n} guess.", "{player} did not find it in {n} guesses.", turns,
      { player: game.codebreaker });
  return tn("{player} was stopped after {n} guess: the time was up.",
    "{player} was stopped after {n} guesses: the time was up.", turns, { player: game.codebreaker });
}
