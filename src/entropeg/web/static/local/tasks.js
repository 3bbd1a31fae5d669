// What is asked of the engine, plain data in and out: these run in a worker, and in tests under Node.

import { Board } from "./engine.js";
import { explained } from "./slips.js";

const boards = new Map();

/** The board of a specification, made once; one that nobody asked for lately is forgotten. */
function boardOf(kernels, spec) {
  const key = JSON.stringify([spec.name, spec.pegs, spec.colors, spec.feedback, spec.repeats, spec.guessRepeats,
    spec.blanks, spec.hard, spec.size, spec.isWhole === false && Array.from(spec.others)]);
  const known = boards.get(key) ?? new Board(kernels, spec);
  boards.delete(key);
  boards.set(key, known);
  if (boards.size > 2) boards.delete(boards.keys().next().value);
  return known;
}

const shown = (board, places) => places.map((at) => Array.from(board.secrets[at]));
const keyOf = (code) => Array.from(code).join();

/** Chances of each color at each peg, and how often it occurs: numbers of codes. */
function counted(board, codes) {
  const pegs = Array.from({ length: board.pegs }, () => Array(board.inSecrets).fill(0));
  const presence = Array(board.inSecrets).fill(0);
  for (const at of codes) {
    const code = board.secrets[at];
    code.forEach((color, peg) => { pegs[peg][color] += 1; });
    for (const color of new Set(code)) presence[color] += 1;
  }
  return { pegs, presence };
}

/** A guess with its parts, [label, size] each, the largest first, and its exact total or null. */
function rated(board, codes, place, total) {
  let parts = [];
  board.each([place], codes, (_, sizes) => { parts = [...sizes.entries()].filter(([, size]) => size > 0); });
  return { guess: Array.from(board.guesses[place]), total, parts: parts.sort((one, other) => other[1] - one[1]),
    win: board.win };
}

/**
 * The best guesses, rated; others that were asked about beside them. A last guess asks nothing: it is one of the codes
 * left.
 */
function advised(board, turns, codes, number, also, isLast) {
  const isOpened = also.length === 0 && number <= (board.opened(turns)?.length ?? 0);
  const isExact = (isOpened || board.isExact(turns, codes.length)) && !isLast;
  if (isLast) {
    const some = codes.slice(0, number).map((at) => board.placeOf.get(keyOf(board.secrets[at])));
    const asked = also.map((code) => board.placeOf.get(keyOf(code)));
    return { isExact, guesses: some.map((at) => rated(board, codes, at, null)),
      also: asked.map((at) => rated(board, codes, at, null)) };
  }
  const places = isExact ? board.ranking(turns, codes, number) : board.telling(turns, codes, number)
    .map((at) => [null, at]);
  const asked = also.map((code) => board.placeOf.get(keyOf(code)))
    .map((at) => [isExact ? board.totalOf(turns, codes, board.guesses[at]) : null, at]);
  return { isExact, guesses: places.map(([total, at]) => rated(board, codes, at, total)),
    also: asked.map(([total, at]) => rated(board, codes, at, total)) };
}

/** What answers leave, as numbers of codes, the most first. */
const bySize = (answers) => answers.map(({ rest, ...answer }) => ({ ...answer, size: rest.length }))
  .sort((one, other) => other.size - one.size);

/** Turns of a game whose exact values nobody works out here: by what guesses leave. Means in place of totals. */
function estimatedTurns(board, turns) {
  const told = [];
  let codes = board.left([]);
  let best = board.estimated([], codes, 12);
  turns.forEach((turn, row) => {
    const place = board.placeOf.get(keyOf(turn.guess));
    const isOne = new Set(codes.map((at) => keyOf(board.secrets[at])));
    const parts = board.answers(turns.slice(0, row), codes, turn.guess, false);
    const { rest } = parts.find(({ label }) => label === turn.label);
    const isWon = turn.label === board.win;
    // Of one or two codes a guess that is none of them takes one more than the rest does.
    const [[mean]] = codes.length <= 2 ? [[isOne.has(keyOf(turn.guess)) ? best[0][0] : parts.length === codes.length ? 2
      : 2.5]]
      : board.estimated([], codes, 1, [place]);
    const next = isWon ? [] : board.estimated(turns.slice(0, row + 1), rest, 12);
    const possible = best.find(([, at]) => isOne.has(keyOf(board.guesses[at])));
    const good = parts.filter((part) => part.label === board.win || part.rest.length <= (isWon ? 0 : rest.length))
      .reduce((sum, part) => sum + part.rest.length, 0);
    // The guess itself is the best where others leave more.
    const value = Math.min(best[0][0], mean);
    told.push({
      before: codes.length, after: rest.length, total: mean * codes.length, value: value * codes.length,
        left: isWon ? 0 : next[0][0] * rest.length, good,
      best: Array.from(value < best[0][0] ? turn.guess : board.guesses[best[0][1]]), possible: possible
      ? [Array.from(board.guesses[possible[1]]), possible[0] * codes.length] : null,
      isPossible: isOne.has(keyOf(turn.guess)),
    });
    [codes, best] = [rest, next];
  });
  return told;
}

const TASKS = {
  /** What advice takes is made ready, which lasts as long as a person thinks about a row. */
  ready(board) { board.ready(); },
  left(board, { turns, number = 10 }) {
    const codes = board.left(turns);
    return { count: codes.length, codes: shown(board, codes.slice(0, number)), ...counted(board, codes) };
  },
  advice(board, { turns, limit, also = [], codes: number, isLast = false }) {
    const codes = board.left(turns);
    if (codes.length === 0) return { count: 0 };
    return { count: codes.length, codes: shown(board, codes.slice(0, number)), ...counted(board, codes),
      stored: board.stored(turns, codes), ...advised(board, turns, codes, limit, also, isLast && codes.length > 1) };
  },
  explore(board, { turns, guess, limit, codes: number }) {
    const codes = board.left(turns);
    if (codes.length === 0) return { count: 0 };
    const sizes = new Map(board.classes(turns, codes));
    const found = advised(board, turns, codes, limit, guess ? [guess] : [], false);
    const { isExact } = found;
    const alikeOf = ({ guess: code }) => sizes.get(board.placeOf.get(keyOf(code))) ?? null;
    const isKnown = board.isWorstKnown(turns, codes.length);
    const worst = isKnown ? board.fewest(turns, codes) : null;
    const valued = (each) => ({ ...each, alike: alikeOf(each) ?? 1, worst: isKnown
      ? board.fewestAfter(turns, codes, Uint8Array.from(each.guess), worst) : null });
    const chosen = valued(found.also[0] ?? found.guesses[0]);
    const asked = Uint8Array.from(chosen.guess);
    const answers = board.answers(turns, codes, asked, isExact).map((answer) => ({ ...answer, worst: !isKnown ? null
      : answer.label === board.win ? 0 : board.fewest([...turns, { guess: asked, label: answer.label }],
        answer.rest) }));
    return { count: codes.length, codes: shown(board, codes.slice(0, number)), isExact, worst, chosen,
      stored: board.stored(turns, codes), all: board.guesses.length, moves: found.guesses.map(valued),
      answers: bySize(answers) };
  },
  answers(board, { turns, guess }) {
    const codes = board.left(turns);
    return { count: codes.length, answers: bySize(board.answers(turns, codes, guess, false))
      .map(({ label, size }) => [label, size]) };
  },
  review(board, { turns }) {
    if (!board.isReviewed(turns)) return { isExact: false, turns: estimatedTurns(board, turns) };
    const told = [];
    let codes = board.left([]);
    turns.forEach((turn, row) => {
      const before = turns.slice(0, row);
      const best = board.ranking(before, codes, 12);
      const possible = best.find(([, at]) =>
        codes.some((code) => keyOf(board.secrets[code]) === keyOf(board.guesses[at])));
      const parts = board.answers(before, codes, turn.guess);
      const total = parts.reduce((sum, part) => sum + part.total, codes.length);
      const mine = parts.find(({ label }) => label === turn.label);
      // An answer that leaves as few further guesses or fewer is as good.
      const good = parts.filter((part) => part.total * mine.rest.length <= mine.total * part.rest.length)
        .reduce((sum, part) => sum + part.rest.length, 0);
      told.push({
        before: codes.length, after: mine.rest.length, total, value: best[0][0], left: mine.total, good,
          best: Array.from(board.guesses[best[0][1]]),
        possible: possible ? [Array.from(board.guesses[possible[1]]), possible[0]] : null,
        isPossible: codes.some((at) => keyOf(board.secrets[at]) === keyOf(turn.guess)),
      });
      codes = mine.rest;
    });
    return { isExact: true, turns: told };
  },
  /**
   * The label that leaves most codes, among equal ones that which `pick` (a whole number) says; the win only where
   * nothing else is left.
   */
  cheat(board, { turns, guess, pick }) {
    const parts = board.answers(turns, board.left(turns), guess, false).map(({ label, rest }) => [label, rest.length]);
    const open = parts.length > 1 ? parts.filter(([label]) => label !== board.win) : parts;
    const most = Math.max(...parts.map(([, size]) => size));
    const best = open.filter(([, size]) => size === most).map(([label]) => label).sort((one, other) => one - other);
    // A win that alone leaves most leaves one code, as all others do.
    const found = best.length > 0 ? best : open.map(([label]) => label);
    return found[pick % found.length];
  },
  /**
   * What a one-step player guesses: `entropy`, `minimax`, `parts` or `expected-size`; what `cost` of sizes is least,
   * then a code left, then the first.
   */
  choose(board, { turns, player }) {
    const codes = board.left(turns);
    if (player === "entropy" || codes.length <= 2) return Array.from(board.guesses[board.telling(turns, codes, 1)[0]]);
    const cost = { minimax: (sizes) => Math.max(...sizes), parts: (sizes) => -sizes.filter(Boolean).length,
      "expected-size": (sizes) => sizes.reduce((sum, size) => sum + size * size, 0) }[player];
    /** @type {any} */
    let found = null;
    board.each(board.classes(turns, codes).map(([at]) => at), codes, (at, sizes) => {
      const now = [cost(sizes), sizes[board.win] > 0 ? 0 : 1, at];
      if (found === null || now[0] < found[0]
        || (now[0] === found[0] && (now[1] < found[1] || (now[1] === found[1] && at < found[2])))) found = now;
    });
    return Array.from(board.guesses[found[2]]);
  },
  /** Rows that cannot all be true, and what may be mistaken in which: see slips.js. */
  mends: (board, { turns, sure, isAfterwards }) => explained(board, turns, { sure, isAfterwards }),
};

/** Does a task: its name, a specification of a board, and what is given, which may have the board's table. */
export function done(kernels, name, spec, { table = null, ...given }) {
  const read = (turn) => (turn.ranges ? turn : { ...turn, guess: Uint8Array.from(turn.guess) });
  const turns = (given.turns ?? []).map(read);
  const board = boardOf(kernels, spec);
  if (table) board.take(table);
  return TASKS[name](board, { ...given, turns, ...(given.guess && { guess: Uint8Array.from(given.guess) }) });
}
