// Keeps a player's rating: what each puzzle counts, the history, and how often puzzles were solved in a row; values
// only.

import { UNRATED, rated } from "../glicko.js";

const MOST_HISTORY = 500;
const MOST_SEEN = 2000;
const DAY = 86_400_000;
/** Days without a puzzle after which a rating is as unsure as it can be; each is a rating period without games. */
const MOST_DAYS = 400;

/** A player who has solved nothing yet. */
export const newRecord = () => ({ player: UNRATED, history: [], seen: [], streak: 0, longest: 0, puzzles: 0, solved: 0,
  last: null });

/** Puzzles before which a rating says nothing: after one it is anything within five hundred. */
export const RATED = 10;

const isRated = (one) => Number.isFinite(one?.rating) && Number.isFinite(one.deviation) && one.deviation > 0;
const COUNTS = ["streak", "longest", "puzzles", "solved"];

/** A record as it was kept, or a new one where it is none. What is damaged beside the rating itself begins anew. */
export function recordOf(data) {
  const fresh = newRecord();
  if (!isRated(data?.player) || !(data.player.volatility > 0)) return fresh;
  return {
    ...fresh, player: data.player,
    history: Array.isArray(data.history) ? data.history.filter(isRated) : [],
    seen: Array.isArray(data.seen) ? data.seen.filter((name) => typeof name === "string") : [],
    last: Number.isFinite(data.last) ? data.last : null,
    ...Object.fromEntries(COUNTS.map((name) => [name, Number.isInteger(data[name]) && data[name] >= 0
      ? data[name] : 0])),
  };
}

/** The codebreakers that a puzzle's difficulty is measured by: the laboratory asks seven. */
const ASKED = 7;

/**
 * A puzzle as an opponent. Its difficulty d is the share of the laboratory's codebreakers that fail it; whoever is
 * rated 1500 is taken to fail as often as they do, so that the rating is 1500 + 400 log10(d / (1 - d)), with half a
 * codebreaker added to either side, since of seven none or all may fail. Where none was asked nobody knows: 1500, and
 * less is made of it. Outside of this file tests ask for it alone.
 */
export function opponentOf({ difficulty }) {
  if (difficulty === null || difficulty === undefined) return { rating: 1500, deviation: 200 };
  const failed = ASKED * difficulty + 0.5;
  return { rating: 1500 + 400 * Math.log10(failed / (ASKED + 1 - failed)), deviation: 100 };
}

/** The difficulty at which somebody of a rating is taken to solve one puzzle in two. */
export const difficultyFor = (rating) => 1 / (1 + 10 ** ((1500 - rating) / 400));

/** The most points that a puzzle is worth, as the laboratory counts them. */
export const POINTS = 3;

/** What tells a puzzle from all others. */
export const nameOf = (puzzle) => JSON.stringify(puzzle.puzzle);

/**
 * The record after a puzzle: {record, change}. `points` are those that the laboratory gave (0 to 3, hints and wrong
 * attempts taken off), `isFirst` whether the first attempt solved it. A puzzle counts once: `change` is null where it
 * has counted before. Each puzzle is a rating period of its own, and so is each day without any.
 */
export function counted(record, puzzle, { points, isFirst, at }) {
  const name = nameOf(puzzle);
  if (record.seen.includes(name)) return { record, change: null };
  let player = record.player;
  const days = record.last === null ? 0 : Math.min(MOST_DAYS, Math.floor((at - record.last) / DAY));
  for (let day = 0; day < days; day += 1) player = rated(player, []);
  player = rated(player, [{ ...opponentOf(puzzle), score: points / POINTS }]);
  const streak = isFirst ? record.streak + 1 : 0;
  const change = player.rating - record.player.rating;
  return {
    change,
    record: {
      player, streak, last: at,
      longest: Math.max(record.longest, streak),
      puzzles: record.puzzles + 1,
      solved: record.solved + (points > 0 ? 1 : 0),
      history: [...record.history, { at, rating: player.rating, deviation: player.deviation, theme: puzzle.theme,
        points }].slice(-MOST_HISTORY),
      seen: [...record.seen, name].slice(-MOST_SEEN),
    },
  };
}
