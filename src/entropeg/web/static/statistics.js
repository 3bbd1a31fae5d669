// Counts games: how many were won, in how many guesses, and for how many days in a row the daily puzzle was.

import { dateOf, isOnTime, isOver, isWon, stepsUsed } from "./games.js";
import { shortRules } from "./sharing.js";

/** Games that count: over, and not played for a second time. */
export const counted = (games) => games.filter((game) => isOver(game) && !game.isAgain);

/** The boards of the games that count, the most played first, as [[board, games]]. */
export function boards(games) {
  const count = new Map();
  for (const game of counted(games)) count.set(shortRules(game.rules), (count.get(shortRules(game.rules)) ?? 0) + 1);
  return [...count].sort(([, one], [, other]) => other - one);
}

/**
 * Numbers of the games on a board (null: all): {games, won, mean, helped, strict, bars}; `mean` is that of the guesses
 * of won games (null without any), `bars` are [[guesses, games]] from 1 to the most, lost games under null at the end.
 */
export function numbers(games, board = null) {
  const of = counted(games).filter((game) => board === null || shortRules(game.rules) === board);
  const won = of.filter(isWon);
  const count = new Map();
  for (const game of won) count.set(game.turns.length, (count.get(game.turns.length) ?? 0) + 1);
  const most = Math.max(0, ...count.keys());
  const bars = Array.from({ length: most }, (_, index) => [index + 1, count.get(index + 1) ?? 0]);
  if (won.length < of.length) bars.push([null, of.length - won.length]);
  return {
    games: of.length, won: won.length, mean: won.length > 0 ? won.reduce((total, game) => total + game.turns.length,
      0) / won.length : null,
    helped: of.filter((game) => stepsUsed(game) > 0).length, strict: of.filter((game) => game.strict).length, bars,
  };
}

/**
 * Days in a row on which the puzzle of the day was solved: {now, most}; today may still be open. Puzzles of past days
 * do not count.
 */
export function streaks(games, today = dateOf()) {
  const days = [...new Set(counted(games).filter((game) => game.kind === "daily" && isWon(game) && isOnTime(game))
    .map((game) => game.date))].sort();
  let most = 0;
  let run = 0;
  let before = null;
  for (const day of days) {
    run = before !== null && after(before) === day ? run + 1 : 1;
    most = Math.max(most, run);
    before = day;
  }
  const isAlive = before !== null && (before === today || after(before) === today);
  return { now: isAlive ? run : 0, most };
}

function after(day) {
  const [year, month, date] = day.split("-").map(Number);
  return dateOf(0, new Date(year, month - 1, date + 1, 12));
}
