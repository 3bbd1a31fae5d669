// Reads and writes the address of a position: the rules, guess and marks of each turn, and the guess that is looked at.

import { shortRules } from "../sharing.js";

/** The address of a position, of turns as pairs of texts, and of a guess there. */
export const explorerAt = (rules, turns,
  guess = null) => `#/explore/${[rules, ...turns.flat(), ...(guess === null ? [] : [guess])].map(encodeURIComponent)
    .join("/")}`;

/**
 * The position of an address; where that names none, the start of a game by the rules of its query, else by the usual
 * ones with as many guesses as one likes.
 */
export function positionOf({ rest: [rules, ...played], query }, usual) {
  const turns = Array.from({ length: Math.floor(played.length / 2) }, (_, at) => played.slice(2 * at, 2 * at + 2));
  const board = rules || query.get("rules") || shortRules(usual);
  return { rules: board, turns, guess: played.length % 2 ? played.at(-1) : null };
}
