// Keeps a session of puzzles: which comes next, what became of each, and those that come again; values only.

import { POINTS } from "./record.js";

/** New puzzles of a session. */
export const LENGTH = 10;
/** A puzzle that was not solved at once comes again after so many others. */
const AGAIN_AFTER = 3;

/**
 * A session that begins. `wanted` is {rules, theme, level, seed}; `stock` the puzzles that are there already (one's own
 * mistakes), or null where each is drawn when it is wanted.
 */
export const newSession = (wanted, stock = null) => ({ wanted, stock, drawn: 0, skip: 0, entries: [], again: [] });

/** How many new puzzles the session has. */
export const lengthOf = (session) => (session.stock === null ? LENGTH : Math.min(LENGTH, session.stock.length));

/** The puzzle that is open, or null. */
export function openOf(session) {
  const last = session.entries.at(-1);
  return last?.outcome === "open" ? last : null;
}

/** What comes next: "open", "again", "stock", "draw", or null at the end. */
export function nextOf(session) {
  if (openOf(session)) return "open";
  if (session.again.some(({ after }) => after <= session.entries.length)) return "again";
  if (session.drawn < lengthOf(session)) return session.stock === null ? "draw" : "stock";
  return session.again.length > 0 ? "again" : null;
}

const entryOf = (puzzle, isAgain) => ({ puzzle, isAgain, tried: [], hints: [], outcome: "open", points: 0,
  change: null });

/** The session with its next puzzle; `drawn` is the one that was drawn, where one was wanted. */
export function begun(session, drawn = null) {
  switch (nextOf(session)) {
    case "again": {
      const due = session.again.find(({ after }) => after <= session.entries.length) ?? session.again[0];
      return { ...session, again: session.again.filter((one) => one !== due),
        entries: [...session.entries, entryOf(due.puzzle, true)] };
    }
    case "stock": return { ...session, drawn: session.drawn + 1,
      entries: [...session.entries, entryOf(session.stock[session.drawn], false)] };
    case "draw": return drawn === null ? session : {
      ...session, drawn: session.drawn + 1, skip: drawn.puzzle.number,
        entries: [...session.entries, entryOf(drawn, false)],
    };
    default: return session;
  }
}

const changed = (session, change) =>
  ({ ...session, entries: [...session.entries.slice(0, -1), { ...session.entries.at(-1), ...change }] });

/** The session with its open puzzle told in other words. */
export const retold = (session, puzzle) => (openOf(session) ? changed(session, { puzzle }) : session);

/** The open puzzle with one more attempt: {text, row, solved, says, codes, rows}. */
export const tried = (session, attempt) => changed(session, { tried: [...session.entries.at(-1).tried, attempt] });

/** The open puzzle with one more hint. */
export const hinted = (session, says) => changed(session, { hints: [...session.entries.at(-1).hints, says] });

/**
 * The session after the open puzzle has ended: `outcome` is "solved", "shown" or "skipped". One that was shown, or
 * answered wrongly, comes again.
 */
export function ended(session, outcome, { points = 0, solution = null } = {}) {
  const entry = session.entries.at(-1);
  const isAgain = !entry.isAgain && (outcome === "shown" || entry.tried.some(({ solved }) => !solved));
  return {
    ...changed(session, { outcome, points, solution }),
    again: isAgain ? [...session.again, { puzzle: entry.puzzle, after: session.entries.length + AGAIN_AFTER }]
    : session.again,
  };
}

/** The session with what its last puzzle did to the rating. */
export const withChange = (session, change) => changed(session, { change });

/** What a session adds up to: {puzzles, solved, points, most, again, change}. */
export function summaryOf(session) {
  const first = session.entries.filter(({ isAgain, outcome }) => !isAgain && outcome !== "open");
  const again = session.entries.filter(({ isAgain, outcome }) => isAgain && outcome !== "open");
  return {
    puzzles: first.length,
    solved: first.filter(({ outcome }) => outcome === "solved").length,
    points: first.reduce((sum, { points }) => sum + points, 0),
    most: POINTS * first.length,
    again: again.length,
    mended: again.filter(({ outcome }) => outcome === "solved").length,
    change: first.reduce((sum, { change }) => sum + (change ?? 0), 0),
  };
}

const OUTCOMES = ["open", "solved", "shown", "skipped"];
const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isList = (value, isOne) => Array.isArray(value) && value.every(isOne);
const isTold = (one) => isText(one?.says) && isList(one.codes, isText);
const isWanted = (wanted) => isText(wanted?.rules) && isText(wanted.theme) && isText(wanted.level);
const isPuzzle = (puzzle) => typeof puzzle?.puzzle === "object" && puzzle.puzzle !== null && isText(puzzle.rules)
  && isText(puzzle.theme)
  && isTold(puzzle.question) && isCount(puzzle.hints) && isList(puzzle.turns, (turn) => isList(turn, isText)
    && turn.length === 2);
const isSolution = (solution) => solution === undefined || solution === null || isList(solution.sentences, isTold);
const isEntry = (entry) => isPuzzle(entry?.puzzle) && OUTCOMES.includes(entry.outcome) && isList(entry.tried, isTold)
  && isList(entry.hints, isTold)
  && isSolution(entry.solution) && Number.isFinite(entry.points)
  && (entry.change === null || Number.isFinite(entry.change));

/** A session as it was kept, or null where it is none, or a damaged one. */
export function sessionOf(data) {
  const isOne = isWanted(data?.wanted) && (data.stock === null || isList(data.stock, isPuzzle)) && isCount(data.drawn)
    && isCount(data.skip)
    && isList(data.entries, isEntry) && isList(data.again, (one) => isPuzzle(one?.puzzle) && isCount(one.after));
  return isOne ? data : null;
}
