// Keeps games in this browser: what a game is, how it changes, and which ones there are.

import { turnOf } from "./parts/marks.js";
import { change, dataOf, entries, forget, isMoment, newId, read, write } from "./store.js";

/** @import { Api } from "./api.js" */

const FOLDER = "game/";
const CURRENT = "play/current";
const DAY = 24 * 60 * 60 * 1000;

/**
 * A game that has not begun. `kind` is "numbered", "daily" (with `date`) or "own" (a secret that a person set); `token`
 * comes from the laboratory, and ends with the game; `from` is that of a link, whose secret this game has; `secrets`
 * says how that of a number is drawn (null: as it is now); `state` is "open", "won", "lost" or "given up". Turns are
 * pairs of texts, `told` what the laboratory said of each: {left, clues}. `isUnsettled` says, once it is over, whether
 * nobody had settled on a secret (null: not asked). `notes` are marks by hand, `hinted` the steps of help that were
 * opened, by the number of guesses before.
 */
export const newGame = (given = {}) => ({
  id: newId(), rules: "4x6/limit=10", codemaker: "honest", kind: "numbered", number: null, date: null,
    token: null, from: null,
  secrets: null, strict: false, isAgain: false, turns: [], told: [], draft: null, notes: {}, hinted: {}, state: "open",
  secret: null, isUnsettled: null, proof: null, account: null, started: Date.now(), ended: null, ...given,
});

export const isOver = (game) => game.state !== "open";
export const isWon = (game) => game.state === "won";

/** How many steps of help were opened in a game. */
export const stepsUsed = (game) => Object.values(game.hinted).reduce((total, kinds) => total + kinds.length, 0);

/** The rows of a board: {pegs, feedback, left, clues}. */
export const rowsOf = (game, rules) =>
  game.turns.map((turn, index) => ({ ...turnOf(turn, rules), ...game.told[index] }));

/** A game after a guess that the laboratory answered. @param {any} game @param {Api["Answered"]} answer */
export function answered(game, answer) {
  const over = answer.state !== "open";
  return {
    ...game, turns: [...game.turns, answer.turn], told: [...game.told, { left: answer.left, clues: answer.clues }],
    state: answer.state, secret: answer.secret, ended: over ? Date.now() : null,
  };
}

/**
 * A game with what the laboratory reveals at its end; where it had settled on no secret, with a code that fits all
 * answers.
 * @param {any} game @param {Api["GameEnded"]} end
 */
export const revealed = (game, end) => ({ ...game, secret: end.revealed, isUnsettled: end.secret === null,
  proof: end.proof });

/** A game that was given up. */
export const givenUp = (game, end) => ({ ...revealed(game, end), state: "given up", ended: Date.now() });

/** A game with a step of help noted; the same step of the same turn counts once. */
export function hinted(game, kind) {
  const turn = String(game.turns.length);
  const kinds = game.hinted[turn] ?? [];
  return kinds.includes(kind) ? game : { ...game, hinted: { ...game.hinted, [turn]: [...kinds, kind] } };
}

/** The token that alone knows the secret of a game, null where its number says it. */
const sealedIn = (game) => (game.kind === "own" || game.number === null ? game.from ?? game.token : null);

/** The same secret from the beginning. */
export const again = (game) => newGame({
  rules: game.rules, codemaker: game.codemaker, kind: game.kind, number: game.number, date: game.date,
    from: sealedIn(game),
  secrets: game.secrets, strict: game.strict, isAgain: true,
});

/** Another game of the same kind: rules, codemaker and strictness stay. */
export const alike = (game) => newGame({ rules: game.rules, codemaker: game.codemaker, strict: game.strict });

/** A game whose secret was drawn: what seals it, its number, and how it is drawn. The first that comes counts. */
export const named = (game, made) => (game.token !== null ? game : {
  ...game, token: made.token, number: made.number ?? game.number, secrets: made.secrets, kind: made.kind,
    date: made.date ?? null,
});

const NOTES = ["", "out", "in"];

/** What the notes of a game say by hand of a color at a place: "", "out" or "in". */
export const noteOf = (game, color, place) => game.notes[`${color},${place}`] ?? "";

/**
 * A game with the next mark in a cell of its notes: possible, ruled out, certain, and round again; without a color,
 * with none.
 */
export function marked(game, color = null, place = null) {
  if (color === null) return { ...game, notes: {} };
  const cell = `${color},${place}`;
  const { [cell]: before, ...notes } = game.notes;
  const next = NOTES[(NOTES.indexOf(before ?? "") + 1) % NOTES.length];
  return { ...game, notes: next === "" ? notes : { ...notes, [cell]: next } };
}

/** What of a game goes into a link. A secret that only its token knows needs that; a number says it everywhere. */
export const linked = (game, turns = game.turns) => ({
  rules: game.rules, codemaker: game.codemaker, number: game.kind === "own" ? null : game.number,
  token: sealedIn(game), secrets: game.secrets, turns,
});

// ------------------------------------------------------------------ what is kept

/** The kept game of an id as {game, rev}, or null. */
export function kept(id) {
  const entry = read(FOLDER + id);
  const game = gameOf(entry?.data);
  return game === null ? null : { game, rev: entry.rev };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isTextOrNone = (value) => value === null || isText(value);
const isTurn = (turn) => Array.isArray(turn) && turn.length === 2 && turn.every(isText);
const isClue = (clue) => isObject(clue) && Number.isInteger(clue.row) && isText(clue.says);

/** What each field of a game is; one that is something else counts as one that is not there. */
const FIELDS = {
  codemaker: isText, kind: isText, number: (value) => value === null || Number.isSafeInteger(value), date: isTextOrNone,
    token: isTextOrNone, from: isTextOrNone, secrets: (value) => value === null || Number.isInteger(value),
  strict: (value) => typeof value === "boolean", isAgain: (value) => typeof value === "boolean",
  draft: (value) => value === null || isObject(value),
  notes: (value) => isObject(value) && Object.values(value).every(isText), hinted: (value) => isObject(value)
  && Object.values(value).every((kinds) => Array.isArray(kinds) && kinds.every(isText)),
  state: (value) => ["open", "won", "lost", "given up"].includes(value), secret: isTextOrNone,
  isUnsettled: (value) => value === null || typeof value === "boolean",
  proof: (value) => value === null || (Array.isArray(value) && value.every(isObject)),
  account: (value) => value === null || (Array.isArray(value) && value.every(isText)),
  started: isMoment, ended: (value) => value === null || isMoment(value),
};

/** A game as it was kept, or null where it is none: its turns and what was said of them have to be whole. */
function gameOf(data) {
  if (!isObject(data) || !isText(data.id) || !isText(data.rules) || !Array.isArray(data.turns)
    || !data.turns.every(isTurn)) return null;
  if (!Array.isArray(data.told) || data.told.length !== data.turns.length || !data.told.every(isObject)) return null;
  const told = data.told.map(({ left, clues }) => ({ left: isObject(left) ? left : null, clues: Array.isArray(clues)
    ? clues.filter(isClue) : [] }));
  const whole = Object.fromEntries(Object.entries(FIELDS).filter(([name, isRight]) => isRight(data[name]))
    .map(([name]) => [name, data[name]]));
  // A number that was kept before there were two ways to draw secrets means the first.
  const game = { ...newGame(), started: 0, secrets: data.number === null ? null : 1, ...whole, id: data.id,
    rules: data.rules, turns: data.turns, told };
  const proof = game.proof !== null && game.proof.length > game.turns.length ? null : game.proof;
  return { ...game, proof, ended: isOver(game) ? game.ended ?? game.started : null };
}

/** Keeps a game; see `write` for what comes back. */
export const keep = (game, rev) => write(FOLDER + game.id, game, rev);

export const keyOf = (id) => FOLDER + id;

/** Removes a game. */
export const drop = (id) => forget(FOLDER + id);

/** All games that are kept, the last played first. */
export const allGames = () => entries(FOLDER).map(([, entry]) => gameOf(entry.data)).filter((game) => game !== null);

/** Games that were begun and are not over, the last played first. */
export const unfinished = (games) => games.filter((game) => !isOver(game) && game.turns.length > 0);

/** The game of a daily puzzle that counts: the one that was begun first. */
export const ofDate = (games, date) => games.filter((game) => game.kind === "daily" && game.date === date
  && !game.isAgain)
  .reduce((first, game) => (first === null || game.started < first.started ? game : first), null);

/** Whether a daily puzzle was played on its day: begun on it, and ended within a day. */
export const isOnTime = (game) => game.date === dateOf(0, new Date(game.started)) && game.ended - game.started <= DAY;

/** Games that are over, the last ended first. */
export const finished = (games) => games.filter(isOver).sort((one, other) => other.ended - one.ended);

export const currentId = () => dataOf(CURRENT, null);

export function setCurrent(id) {
  if (currentId() !== id) change(CURRENT, null, () => id);
}

const isEmpty = (game) => game.turns.length === 0 && !isOver(game) && game.kind !== "own" && (game.draft?.pegs ?? [])
  .every((peg) => peg === null);

/** Forgets games of earlier days in which nothing was done, but for one; those of today may stand in other tabs. */
export function tidy(exceptId) {
  for (const game of allGames()) if (isEmpty(game) && game.id !== exceptId && Date.now() - game.started > DAY)
    drop(game.id);
}

/** Today, or so many days before, in this place of the world: `2026-11-23`. */
export function dateOf(daysBefore = 0, from = new Date()) {
  const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() - daysBefore, 12);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate())
    .padStart(2, "0")}`;
}
