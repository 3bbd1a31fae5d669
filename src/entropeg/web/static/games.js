// Keeps games in this browser: what a game is, how it changes, and which ones there are.

import { readCode } from "./codes.js";
import { change, dataOf, entries, forget, read, write } from "./store.js";

const FOLDER = "game/";
const CURRENT = "play/current";

const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/**
 * A game that has not begun. `kind` is "numbered", "daily" (with `date`) or "own" (a secret that a person set); `token`
 * comes from the laboratory; `state` is "open", "won", "lost" or "given up". Turns are pairs of texts, `told` what the laboratory said of each: {feedback, left, clues}.
 * `notes` are marks by hand, `hinted` the steps of help that were opened, by the number of guesses before.
 */
export const newGame = (given = {}) => ({
  id: newId(), rules: "4x6/limit=10", codemaker: "honest", kind: "numbered", number: null, date: null, token: null,
  strict: false, isAgain: false, turns: [], told: [], draft: null, notes: {}, hinted: {}, state: "open",
  secret: null, proof: null, account: null, started: Date.now(), ended: null, ...given,
});

export const isOver = (game) => game.state !== "open";
export const isWon = (game) => game.state === "won";

/** How many steps of help were opened in a game. */
export const stepsUsed = (game) => Object.values(game.hinted).reduce((total, kinds) => total + kinds.length, 0);

/** The rows of a board: {pegs, feedback, left, clues}. */
export const rowsOf = (game, rules) => game.turns.map(([guess, marks], index) => ({
  guess, marks, pegs: readCode(guess, rules) ?? Array(rules.pegs).fill(null), ...game.told[index],
}));

/** A game after a guess that the laboratory answered. */
export function answered(game, answer) {
  const over = answer.state !== "open";
  return {
    ...game, turns: [...game.turns, answer.turn], told: [...game.told, { feedback: answer.feedback, left: answer.left ?? null, clues: answer.clues ?? [] }],
    state: answer.state, secret: answer.secret ?? null, ended: over ? Date.now() : null,
  };
}

/** A game that was given up. */
export const givenUp = (game, end) => ({ ...game, state: "given up", secret: end.secret ?? end.candidates?.[0] ?? null, proof: end.proof ?? null, ended: Date.now() });

/** A game with a step of help noted; the same step of the same turn counts once. */
export function hinted(game, kind) {
  const turn = String(game.turns.length);
  const kinds = game.hinted[turn] ?? [];
  return kinds.includes(kind) ? game : { ...game, hinted: { ...game.hinted, [turn]: [...kinds, kind] } };
}

/** The same secret from the beginning. */
export const again = (game) => newGame({
  rules: game.rules, codemaker: game.codemaker, kind: game.kind, number: game.number, date: game.date, token: game.token,
  strict: game.strict, isAgain: true,
});

/** Another game of the same kind: rules, codemaker and strictness stay. */
export const alike = (game) => newGame({ rules: game.rules, codemaker: game.codemaker, strict: game.strict });

/** What of a game goes into a link. A secret that only its token knows needs that; a number says it everywhere. */
export const linked = (game, turns = game.turns) => ({
  rules: game.rules, codemaker: game.codemaker, number: game.kind === "own" ? null : game.number,
  token: game.kind === "own" || game.number === null ? game.token : null, turns,
});

// ------------------------------------------------------------------ what is kept

/** The kept game of an id as {game, rev}, or null. */
export function kept(id) {
  const entry = read(FOLDER + id);
  return entry !== null && isGame(entry.data) ? { game: { ...newGame(), ...entry.data }, rev: entry.rev } : null;
}

const isGame = (data) => data !== null && typeof data === "object" && typeof data.id === "string" && typeof data.rules === "string"
  && Array.isArray(data.turns) && Array.isArray(data.told) && data.told.length === data.turns.length;

/** Keeps a game; see `write` for what comes back. */
export const keep = (game, rev) => write(FOLDER + game.id, game, rev);

export const keyOf = (id) => FOLDER + id;

/** Removes a game. */
export const drop = (id) => forget(FOLDER + id);

/** All games that are kept, the last played first. */
export const allGames = () => entries(FOLDER).map(([, entry]) => entry.data).filter(isGame).map((game) => ({ ...newGame(), ...game }));

/** Games that were begun and are not over, the last played first. */
export const unfinished = (games) => games.filter((game) => !isOver(game) && game.turns.length > 0);

/** The game of a daily puzzle that counts: the first one. */
export const ofDate = (games, date) => games.filter((game) => game.kind === "daily" && game.date === date && !game.isAgain).at(-1) ?? null;

export const currentId = () => dataOf(CURRENT, null);

export function setCurrent(id) {
  if (currentId() !== id) change(CURRENT, null, () => id);
}

const isEmpty = (game) => game.turns.length === 0 && !isOver(game) && game.kind !== "own" && (game.draft?.pegs ?? []).every((peg) => peg === null);

const DAY = 24 * 60 * 60 * 1000;

/** Forgets games of earlier days in which nothing was done, but for one; those of today may stand in other tabs. */
export function tidy(exceptId) {
  for (const game of allGames()) if (isEmpty(game) && game.id !== exceptId && Date.now() - game.started > DAY) drop(game.id);
}

/** Today, or so many days before, in this place of the world: `2026-11-23`. */
export function dateOf(daysBefore = 0, from = new Date()) {
  const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() - daysBefore, 12);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
}
