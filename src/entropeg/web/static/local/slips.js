// Finds what may be mistaken in notes that no code fits, and how likely that is: the model of entropeg.advise.slips,
// weighed as entropeg.advise.mistakes does, where each step is explained.

import { conflictsOf } from "./conflicts.js";
import { feedbackAt, labelOf, scored } from "./scoring.js";

/** How often each kind of mistake is made, of all single ones. */
const SHARES = { off: 0.4, misread: 0.2, colors: 0.15, neighbors: 0.1, exchanged: 0.1, foreign: 0.05 };
/** By how much less likely notes are for each guess that contradicts the rows before it. */
const UNREASONED = 0.1;
/** A guess that may be more than this is taken to contradict nothing. */
const COMPLETED = 4096;
/** The ways to mend notes that are weighed one by one, and those that are offered for a row. */
const [LISTED, OFFERED] = [500, 3];

/*
 * A row is {guess, numbers}: colors, null where a peg is unknown, and the least and the most of each number of its
 * feedback, the most null where it is open; no numbers where nothing is told. A row of another game is null.
 */

const range = (n) => Array.from({ length: n }, (_, at) => at);
const sum = (values) => values.reduce((all, value) => all + value, 0);
const pairsOf = (list) => list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]));
const isWhole = (numbers) => numbers.every(([least, most]) => least === most);
const isKnown = (guess) => !guess.includes(null);
const keyOf = (row) => (row === null ? "" : `${row.guess.join()}:${row.numbers.map((each) => each.join("-")).join()}`);
const put = (list, at, value) => list.map((one, place) => (place === at ? value : one));

/** Whether no secret answers so: too many marks, or a last peg elsewhere beside all others in place. */
function isNone(numbers, { pegs, feedback }) {
  const least = numbers.map(([low]) => low);
  if (feedback === "positional")
    return least.filter((mark) => mark === 2).length === pegs - 1 && least.includes(1);
  return sum(least) > pegs || (feedback === "standard" && least[0] === pegs - 1 && least[1] === 1);
}

/** Numbers as far as the rules leave them open, or null where no feedback has them. */
function settled(numbers, board) {
  const { pegs, feedback } = board;
  if (numbers.some(([least]) => least < 0)) return null;
  if (isWhole(numbers)) return isNone(numbers, board) ? null : numbers;
  if (numbers.every(([least, most]) => least === 0 && most === null)) return [];
  if (feedback === "positional") return numbers;
  const marks = sum(numbers.map(([least]) => least));
  if (marks >= pegs && isNone(numbers, board)) return null;
  let found = numbers.map(([least, most]) => (most === least || marks === pegs ? [least, least] : [least, null]));
  // The last peg cannot be elsewhere.
  if (feedback !== "membership" && found.length > 1 && found[0][1] === pegs - 1 && found[1][0] === 0)
    found = [found[0], [0, 0]];
  return isWhole(found) && isNone(found, board) ? null : found;
}

/** A turn, {guess, label} or {guess, ranges}, as a row. */
function rowOf({ guess, label, ranges }, board) {
  if (ranges) return { guess: Array.from(guess), numbers: settled(ranges, board) ?? ranges };
  const { black, white, marks } = feedbackAt(label, board.pegs, board.feedback);
  const numbers = (marks ?? (board.feedback === "black" ? [black] : [black, white])).map((each) => [each, each]);
  return { guess: Array.from(guess), numbers };
}

/** A row as a turn. */
function turnOf({ guess, numbers }, board) {
  const { pegs, feedback } = board;
  if (numbers.length > 0 && isWhole(numbers) && isKnown(guess)) {
    const [black, white] = numbers.map(([each]) => each);
    return { guess, label: labelOf({ black, white, marks: numbers.map(([each]) => each) }, pegs, feedback) };
  }
  const open = range(feedback === "positional" ? pegs : feedback === "black" ? 1 : 2).map(() => [0, null]);
  return { guess, ranges: numbers.length > 0 ? numbers : open };
}

// ------------------------------------------------------------------ how one row may have been meant

/** Which numbers were noted: exactly, or from below; where marks stand singly (`X?`) all of them. */
function notedIn(numbers, { feedback }) {
  const areMarks = feedback !== "positional" && numbers.every(([, most]) => most === null);
  return numbers.map(([least, most]) => areMarks || least === most || least > 0);
}

const stepped = (numbers, steps) => numbers.map(([least, most], at) => [least + (steps[at] ?? 0),
  most === null ? null : most + (steps[at] ?? 0)]);

/** Numbers that are one off from some, as far as those were noted, in order. */
function oneOff(numbers, noted, board) {
  const places = range(numbers.length).filter((at) => noted[at]);
  const found = board.feedback === "positional"
    ? places.flatMap((at) => range(3).filter((mark) => numbers[at][0] !== mark || numbers[at][1] !== mark)
      .map((mark) => put(numbers, at, [mark, mark])))
    : places.flatMap((at) => [-1, 1].flatMap((step) => [stepped(numbers, { [at]: step }),
      ...places.filter((other) => other > at).map((other) => stepped(numbers, { [at]: step, [other]: -step }))]));
  const once = new Map(found.map((each) => [each.join(), each]));
  return [...once.values()].filter((each) => settled(each, board) !== null).sort((one, other) => {
    const at = one.findIndex(([least], place) => least !== other[place][0]);
    return at < 0 ? 0 : one[at][0] - other[at][0];
  });
}

/** Numbers with black and white exchanged: none where they are the same, or cannot be. */
function exchangedIn(numbers, board) {
  const isByPeg = board.feedback === "positional";
  if (!isByPeg && numbers.length < 2) return [];
  const changed = isByPeg ? numbers.map(([least, most]) => (least === most && least > 0 ? [3 - least, 3 - least]
    : [least, most])) : [numbers[1], numbers[0]];
  return changed.join() !== numbers.join() && settled(changed, board) !== null ? [changed] : [];
}

const isLike = (word, guess) => guess.every((color, peg) => color === null || color === word[peg]);

/** Guesses that differ from one by the exchange of two neighboring pegs, both known. */
function neighbors(guess, board) {
  const found = range(guess.length - 1).filter((peg) => guess[peg] !== guess[peg + 1] && guess[peg] !== null
    && guess[peg + 1] !== null).map((peg) => put(put(guess, peg, guess[peg + 1]), peg + 1, guess[peg]));
  return board.isWords ? found.filter((code) => board.guesses.some((word) => isLike(word, code))) : found;
}

/** Guesses that differ from one in a known peg. */
function misread(guess, board) {
  const known = new Set(guess.filter((color) => color !== null && color !== board.blank));
  return guess.flatMap((color, peg) => {
    if (color === null) return [];
    const like = put(guess, peg, null);
    const others = board.isWords
      ? [...new Set(board.guesses.filter((word) => isLike(word, like)).map((word) => word[peg]))]
        .sort((one, other) => one - other)
      : range(board.symbols).filter((other) => board.repeats || !known.has(other));
    return others.filter((other) => other !== color).map((other) => put(guess, peg, other));
  });
}

/** How many those are, mostly without listing them. */
function misreadCount(guess, board) {
  if (board.isWords) return misread(guess, board).length;
  const known = guess.filter((color) => color !== null);
  if (board.repeats) return known.length * (board.symbols - 1);
  const [colored, colors] = [known.filter((color) => color !== board.blank).length,
    board.symbols - (board.blank === null ? 0 : 1)];
  return known.length * (colors - colored) + (board.blank === null ? 0 : colored);
}

/** How one row may have been meant, {row, kind, likely} each; last as a row of another game. */
function readingsOf(rows, at, frequency, board) {
  const { guess, numbers } = rows[at];
  const [found, written] = [new Map(), keyOf(rows[at])];
  const add = (kind, row, ways) => {
    const key = keyOf(row);
    if (key === written) return;
    if (!found.has(key)) found.set(key, { row, kinds: new Map() });
    const { kinds } = found.get(key);
    kinds.set(kind, (kinds.get(kind) ?? 0) + SHARES[kind] / rows.length / ways);
  };
  const noted = notedIn(numbers, board);
  for (const other of oneOff(numbers, noted, board))
    add("off", { guess, numbers: settled(other, board) }, oneOff(other, noted, board).length);
  for (const other of exchangedIn(numbers, board)) add("colors", { guess, numbers: settled(other, board) }, 1);
  for (const code of neighbors(guess, board))
    add("neighbors", { guess: code, numbers }, neighbors(code, board).length);
  for (const code of misread(guess, board)) add("misread", { guess: code, numbers }, misreadCount(code, board));
  const told = [...found.values()].map(({ row, kinds }) => ({ row, likely: sum([...kinds.values()]),
    kind: [...kinds].reduce((most, each) => (each[1] > most[1] ? each : most))[0] }));
  return [...told, { row: null, kind: "foreign", likely: (SHARES.foreign / rows.length) * frequency }];
}

// ------------------------------------------------------------------ guesses that contradict the rows before them

/** Tells whether a guess, as the secret, contradicts a row: each is asked once. */
class Reasons {
  constructor(board) {
    this.board = board;
    this.known = new Map();
    this.completed = new Map();
  }

  #completions(guess) {
    if (isKnown(guess)) return [guess];
    const key = guess.join();
    if (!this.completed.has(key)) {
      const { isWords, symbols, guesses } = this.board;
      const unknown = guess.filter((color) => color === null).length;
      const some = !isWords && symbols ** unknown > COMPLETED ? [] : guesses.filter((code) => isLike(code, guess));
      this.completed.set(key, some.length > COMPLETED ? [] : some);
    }
    return this.completed.get(key);
  }

  contradicts(row, guess) {
    if (row === null || row.numbers.length === 0) return false;
    const key = `${keyOf(row)} ${guess.join()}`;
    if (!this.known.has(key)) this.known.set(key, this.#contradicts(row, this.#completions(guess)));
    return this.known.get(key);
  }

  #contradicts(row, codes) {
    if (codes.length === 0) return false;
    if (!isKnown(row.guess)) return !this.board.fits(row, codes).includes(1);
    const isTold = this.board.told(row.numbers);
    return codes.every((code) => isTold[scored(row.guess, code, this.board.feedback).label] === 0);
  }

  /** How many guesses of rows contradict a row before them; those of other games are passed over. */
  count(rows) {
    const some = rows.filter((row) => row !== null);
    return some.filter(({ guess }, at) => some.slice(0, at).some((row) => this.contradicts(row, guess))).length;
  }

  /** The same as rows stood when each guess was made: the feedbacks of two are exchanged when the later is noted. */
  standing(rows, exchanges) {
    return rows.filter(({ guess }, at) => rows.slice(0, at).some((row, place) => {
      const stood = exchanges.find(({ rows: [one, other] }) => one === place && at <= other);
      return this.contradicts(stood ? stood.meant[0] : row, guess);
    })).length;
  }
}

// ------------------------------------------------------------------ the search

/** One search for mistakes: the rows, and which of them each secret breaks. */
class Search {
  constructor(board, turns, isAfterwards) {
    this.board = board;
    this.rows = turns.map((turn) => rowOf(turn, board));
    this.isAfterwards = isAfterwards;
    this.reasons = new Reasons(board);
    this.broken = this.rows.map((row) => board.fits(row, board.secrets).map((fits) => 1 - fits));
    this.misses = new Uint16Array(board.secrets.length);
    for (const row of this.broken) row.forEach((isOne, at) => { this.misses[at] += isOne; });
    this.readings = new Map();
  }

  #read(row) {
    if (!this.readings.has(row)) {
      const { length } = this.board.secrets;
      const fitting = Math.max(1, length - sum([...this.broken[row]]));
      this.readings.set(row, readingsOf(this.rows, row, fitting / length, this.board));
    }
    return this.readings.get(row);
  }

  /** Places of codes that answer rows of pairs as the other says, break further rows, and fit the rest. */
  #codes(rows, pairs = []) {
    const [free, { secrets }] = [pairs.flat(), this.board];
    let found = [];
    for (let at = 0; at < this.misses.length; at += 1) {
      let rest = this.misses[at];
      for (const row of free) rest -= this.broken[row][at];
      if (rest === rows.length && rows.every((row) => this.broken[row][at] === 1)) found.push(at);
    }
    for (const meant of pairs.flatMap((pair) => this.#exchange(pair).meant)) {
      const fits = this.board.fits(meant, found.map((at) => secrets[at]));
      found = found.filter((_, at) => fits[at] === 1);
    }
    return found;
  }

  /** Which of some codes fit each reading of a row. */
  #fits(row, places) {
    const [codes, readings, { guess, numbers }] = [places.map((at) => this.board.secrets[at]), this.#read(row),
      this.rows[row]];
    const isAll = () => new Uint8Array(codes.length).fill(1);
    if (!isKnown(guess)) return readings.map((each) => (each.row ? this.board.fits(each.row, codes) : isAll()));
    const guesses = [...new Map(readings.map((each) => each.row?.guess ?? guess).map((code) => [code.join(), code]))
      .values()];
    const [labels, isTold] = [new Map(), this.board.told(numbers)];
    this.board.matrix(guesses, codes).forEach((row_, at) => labels.set(guesses[at].join(), row_));
    return readings.map((each) => {
      if (each.row === null) return isAll();
      const told = each.row.guess === guess ? this.board.told(each.row.numbers) : isTold;
      return labels.get(each.row.guess.join()).map((label) => told[label]);
    });
  }

  #exchange([one, other]) {
    const [first, second] = [this.rows[one], this.rows[other]];
    return { kind: "exchanged", rows: [one, other], meant: [{ ...first, numbers: second.numbers },
      { ...second, numbers: first.numbers }] };
  }

  mended(slips) {
    const rows = [...this.rows];
    for (const slip of slips) slip.rows.forEach((row, at) => { rows[row] = slip.meant[at]; });
    return rows;
  }

  #way(slips, weight, codes) {
    const ordered = [...slips].sort((one, other) => one.rows[0] - other.rows[0]);
    return { slips: ordered, rows: ordered.flatMap(({ rows }) => rows).sort((one, other) => one - other), weight,
      codes };
  }

  #reasoned(slips) {
    return this.isAfterwards ? UNREASONED ** this.reasons.count(this.mended(slips)) : 1;
  }

  #likelihoodOf(exchanges) {
    const pairs = (this.rows.length * (this.rows.length - 1)) / 2;
    const likely = (SHARES.exchanged / pairs) ** exchanges.length;
    if (this.isAfterwards || exchanges.length === 0) return likely;
    return likely * UNREASONED ** (this.reasons.standing(this.rows, exchanges)
      - this.reasons.standing(this.rows, []));
  }

  /** Ways in which one row was meant otherwise, beside exchanges. */
  #ofOne(row, places, exchanges = []) {
    const fits = this.#fits(row, places);
    const likely = this.#likelihoodOf(exchanges);
    return this.#read(row).flatMap((reading, at) => {
      const codes = sum(fits[at]);
      if (codes === 0) return [];
      const slips = [...exchanges, { kind: reading.kind, rows: [row], meant: [reading.row] }];
      return [this.#way(slips, reading.likely * codes * likely * this.#reasoned(slips), codes)];
    });
  }

  #ofTwo(one, other, places) {
    const [first, second] = [this.#fits(one, places), this.#fits(other, places)];
    return this.#read(one).flatMap((mine, at) => this.#read(other).flatMap((its, place) => {
      let codes = 0;
      for (let code = 0; code < places.length; code += 1) codes += first[at][code] & second[place][code];
      if (codes === 0) return [];
      const slips = [{ kind: mine.kind, rows: [one], meant: [mine.row] },
        { kind: its.kind, rows: [other], meant: [its.row] }];
      return [this.#way(slips, mine.likely * its.likely * codes * this.#reasoned(slips), codes)];
    }));
  }

  #exchanged(pairs) {
    const places = this.#codes([], pairs);
    if (places.length === 0) return [];
    const slips = pairs.map((pair) => this.#exchange(pair));
    return [this.#way(slips, places.length * this.#likelihoodOf(slips) * this.#reasoned(slips), places.length)];
  }

  #exchangeable() {
    const told = (row) => keyOf({ guess: [], numbers: this.rows[row].numbers });
    return pairsOf(range(this.rows.length)).filter(([one, other]) => told(one) !== told(other));
  }

  #singles() {
    const alone = range(this.rows.length).flatMap((row) => {
      const places = this.#codes([row]);
      return places.length > 0 ? this.#ofOne(row, places) : [];
    });
    return [...alone, ...this.#exchangeable().flatMap((pair) => this.#exchanged([pair]))];
  }

  #pairs() {
    const [all, exchangeable] = [range(this.rows.length), this.#exchangeable()];
    const two = pairsOf(all).flatMap(([one, other]) => {
      const places = this.#codes([one, other]);
      return places.length > 0 ? this.#ofTwo(one, other, places) : [];
    });
    const mixed = exchangeable.flatMap((pair) => all.filter((row) => !pair.includes(row)).flatMap((row) => {
      const places = this.#codes([row], [pair]);
      return places.length > 0 ? this.#ofOne(row, places, [this.#exchange(pair)]) : [];
    }));
    const both = pairsOf(exchangeable).filter(([one, other]) => !one.some((row) => other.includes(row)))
      .flatMap((pairs) => this.#exchanged(pairs));
    return toldOnce([...two, ...mixed, ...both]);
  }

  /** Those after which every guess uses every clue of the rows before it, where the rules are hard. */
  #played(ways) {
    if (!this.board.hard) return ways;
    return ways.filter(({ slips }) => {
      const turns = this.mended(slips).filter((row) => row !== null).map((row) => turnOf(row, this.board));
      return turns.every(({ guess }, at) => this.board.isAllowed(guess, turns.slice(0, at)));
    });
  }

  /** Single mistakes, or, where none explains the rows, pairs of them: {mistakes, ways}. */
  found() {
    const singles = this.#played(this.#singles());
    if (singles.length > 0) return { mistakes: 1, ways: singles };
    const ways = this.#played(this.#pairs());
    return { mistakes: ways.length > 0 ? 2 : 0, ways };
  }
}

/** Mended rows once that come of several pairs of slips: as the likeliest pair, with the weight of all. */
function toldOnce(ways) {
  const first = new Map();
  for (const way of ways) {
    const key = way.slips.flatMap(({ rows, meant }) => rows.map((row, at) => `${row} ${keyOf(meant[at])}`)).sort()
      .join("|");
    const before = first.get(key);
    if (before === undefined) first.set(key, way);
    else if (before.weight < way.weight) first.set(key, { ...way, weight: way.weight + before.weight });
    else before.weight += way.weight;
  }
  const kept = new Set(first.values());
  return [...kept];
}

// ------------------------------------------------------------------ what is told

const isMisread = ({ slips }, row) => slips.some(({ kind, rows }) => kind === "misread" && rows.includes(row));

/** The ways with their chances, the likeliest first, and of each row how likely and in how many ways it is wrong. */
function weighed(ways, sure) {
  const total = sum(ways.map(({ weight }) => weight));
  const mends = ways.map((way) => ({ ...way, chance: way.weight / total }))
    .sort((one, other) => other.weight - one.weight);
  const kept = mends.filter(({ rows }) => !rows.some((row) => sure.includes(row)));
  const trusted = sum(kept.map(({ chance }) => chance));
  const listed = sure.length > 0 ? kept.map((mend) => ({ ...mend, chance: mend.chance / trusted }))
    : kept.slice(0, LISTED);
  const suspects = new Map();
  for (const mend of sure.length > 0 ? listed : kept) {
    for (const row of mend.rows) {
      const { chance, ways: count } = suspects.get(row) ?? { chance: 0, ways: 0 };
      suspects.set(row, { row, chance: chance + mend.chance, ways: count + 1 });
    }
  }
  return { listed, suspects: [...suspects.values()].sort((one, other) => other.chance - one.chance
    || one.row - other.row) };
}

/** What is offered for each suspect row, and how likely all else is that changes it; no mend is offered twice. */
function offers(listed, suspects) {
  const offered = new Map();
  return suspects.map(({ row, chance, ways }) => {
    const mine = listed.filter(({ rows }) => rows.includes(row));
    const [before, own] = [mine.filter((mend) => offered.has(mend)), mine.filter((mend) => !offered.has(mend))];
    const isAlone = own.filter((mend) => isMisread(mend, row)).length === 1;
    const shown = own.filter((mend) => isAlone || !isMisread(mend, row)).slice(0, OFFERED);
    const chances = (mends) => sum(mends.map((mend) => mend.chance));
    const at = [...new Set(before.map((mend) => offered.get(mend)))].sort((one, other) => one - other);
    shown.forEach((mend) => offered.set(mend, row));
    const others = ways - before.length - shown.length;
    const left = own.filter((mend) => !offered.has(mend) && isMisread(mend, row)).length;
    return { row, chance, mends: shown, before: { ways: before.length, chance: chances(before), rows: at },
      others: { ways: others, chance: Math.max(0, chance - chances([...before, ...shown])),
        areMisread: left === others } };
  });
}

/**
 * Rows that cannot all be true, and what may be mistaken in which, of rows that no code fits: {conflicts, mistakes,
 * suspects: [{row, chance, mends: [{slips, codes, chance, turns}], before, others}]}. `sure` are rows that are right.
 */
export function explained(board, turns, { isAfterwards = false, sure = [] } = {}) {
  const search = new Search(board, turns, isAfterwards);
  const { mistakes, ways } = search.found();
  const { listed, suspects } = weighed(ways, sure);
  const asTurn = (row) => row && turnOf(row, board);
  const told = ({ slips, codes, chance, rows }) => ({
    slips: slips.map((slip) => ({ ...slip, meant: slip.meant.map(asTurn) })), codes, chance, rows,
    turns: search.mended(slips).filter((row) => row !== null).map(asTurn),
  });
  return {
    conflicts: conflictsOf(search.broken), mistakes: listed.length > 0 ? mistakes : 0,
    suspects: offers(listed, suspects).map((offer) => ({ ...offer, mends: offer.mends.map(told) })),
  };
}
