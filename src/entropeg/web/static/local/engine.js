// What the page without a server works out: codes, scores, codes left, the guess that tells most, exact values. No DOM,
// no network.

import { ExactSearch, KINDS, labelMatrix } from "./kernels.js";
import { feedbackAt } from "./scoring.js";
import { Tablebase } from "./table.js";

/** Boards of more codes than this are searched exactly once few codes are left. */
const WHOLE = 1400;
/** Boards of more codes, or of more pairs, are not searched exactly: their matrix of labels takes more than 25 MB. */
const SEARCHED = 5_100;
/** Codes that are searched exactly on boards between the two: some .3 s on a laptop. */
const FEW = 400;
/** Words whose worst case is searched among thousands of guesses: some .8 s for 60, and French 14 s for 128. */
const FEW_WORDS = 60;
/** Codes whose worst case is searched under black marks, which tell little: some seconds for 500. */
const FEW_BLACK = 250;
/**
 * By how much guesses tell more than the first one, in bits: such that means of 4x6, 5x5, 4x8 and Bulls and Cows are
 * .02 to .16 more than the least. Under black marks later guesses tell more the more colors there are: by this, means
 * of the 16 boards of three to five pegs whose optimum is known are off by .2 at most.
 */
const TELLS = 1.07;
const tellsOf = (kind, colors) => (kind === KINDS.black ? 1.3 - 0.7 / colors : TELLS);
/** Labels that are made at a time. */
const LABELS = 1 << 24;

const range = (n) => Array.from({ length: n }, (_, at) => at);
const orders = (list) => (list.length < 2 ? [list]
  : list.flatMap((one, at) => orders(list.filter((_, other) => other !== at)).map((rest) => [one, ...rest])));

/**
 * All codes of so many pegs in the laboratory's order, the first peg counting most; `blank` may stand at any number of
 * pegs.
 */
function listed(pegs, symbols, repeats, blank) {
  let found = [[]];
  for (let peg = 0; peg < pegs; peg += 1) {
    found = found.flatMap((begun) => range(symbols).filter((color) => repeats || color === blank
      || !begun.includes(color)).map((color) => [...begun, color]));
  }
  return found.map((code) => Uint8Array.from(code));
}

/** Codes and others that stand in a row, all in the laboratory's order. */
function merged(codes, others, symbols) {
  const pegs = codes[0].length;
  const rest = Array.from({ length: others.length / pegs }, (_, row) => others.slice(row * pegs, (row + 1) * pegs));
  const numberOf = (code) => code.reduce((number, color) => number * symbols + color, 0);
  return [...codes, ...rest].map((code) => [numberOf(code), code]).sort(([one], [other]) => one - other)
    .map(([, code]) => code);
}

/** Whether nothing of turns is unknown: they are those of a game, and have its symmetries. */
const areWhole = (turns) => turns.every(({ ranges }) => ranges === undefined);

const winOf = (pegs, kind) => (kind === "positional" ? 3 ** pegs - 1 : kind === "black" ? pegs : pegs * (pegs + 1));

/**
 * Logarithms that are whole numbers and add up over prime factors, as the laboratory's: sums of n log n are equal where
 * they are in truth.
 */
const logs = [0, 0];
const costs = [0, 0];
function costOf(n) {
  for (let m = logs.length; m <= n; m += 1) {
    let prime = 2;
    while (prime * prime <= m && m % prime !== 0) prime += 1;
    logs.push(m % prime === 0 && prime * prime <= m ? logs[prime] + logs[m / prime]
      : Math.round(Math.log2(m) * 2 ** 32));
    costs.push(m * logs[m]); // below 2^53 up to 100,000 codes
  }
  return costs[n];
}

/**
 * A board with its codes. `rules` as the page has them; `words` are the secrets of a list of words, as lists of colors,
 * `others` what else may be guessed, in a row.
 */
export class Board {
  constructor(kernels, { pegs, colors, feedback, repeats, guessRepeats, blanks, hard, words = null, others = null,
    opening = null }) {
    this.kernels = kernels;
    this.pegs = pegs;
    this.feedback = feedback;
    this.hard = hard;
    this.isWords = words !== null;
    this.repeats = guessRepeats;
    this.isRepeating = repeats && guessRepeats;
    /**
     * The exact searches, made when they are first asked: of games, and of any codes. @type {Map<boolean, ExactSearch>}
     */
    this.searches = new Map();
    this.labelsTold = new Map();
    this.kind = KINDS[feedback];
    this.win = winOf(pegs, feedback);
    const [inSecrets, inGuesses] = [colors + (blanks === "both" ? 1 : 0), colors + (blanks === "none" ? 0 : 1)];
    this.inSecrets = inSecrets;
    this.symbols = Math.max(inSecrets, inGuesses);
    this.blank = blanks === "none" ? null : colors;
    this.isBlankAlike = blanks === "none" || (blanks === "both" && repeats);
    this.secrets = words?.map((word) => Uint8Array.from(word)) ?? listed(pegs, inSecrets, repeats, this.blank);
    const isSame = words !== null || (inSecrets === inGuesses && repeats === guessRepeats);
    this.guesses = others?.length > 0 ? merged(this.secrets, others, this.symbols) : isSame ? this.secrets
      : listed(pegs, inGuesses, guessRepeats, this.blank);
    /** The least total from the first guess on, and guesses that attain it, where that was proven elsewhere. */
    this.opening = opening;
    this.placeOf = new Map(this.guesses.map((code, at) => [code.join(), at]));
    /** Exact values of what some guesses leave, once they were given. @type {any} */
    this.table = null;
  }

  /** Takes the bytes of the table of a board, by the text of its rules; one that is damaged is passed over. */
  take({ name, bytes }) {
    if (this.table !== null) return;
    const own = Uint8Array.from({ length: this.symbols },
      (_, color) => (color === this.blank && !this.isBlankAlike ? 1 : 0));
    const isByPeg = this.kind === KINDS.black && this.isRepeating;
    const board = { codes: this.secrets, symbols: this.symbols, own, isByPeg };
    try {
      this.table = new Tablebase(this.kernels, bytes, name, board);
    } catch {
      this.table = null;
    }
  }

  /** Labels of one guess against some codes. */
  labels(guess, codes) { return codes.length === 0 ? new Uint8Array(0) : labelMatrix(this.kernels, this.kind, [guess],
    codes, this.symbols); }

  /** Labels of guesses against codes, a row of them each. */
  matrix(guesses, codes) {
    if (codes.length === 0 || guesses.length === 0) return guesses.map(() => new Uint8Array(0));
    const labels = labelMatrix(this.kernels, this.kind, guesses, codes, this.symbols);
    return guesses.map((_, row) => labels.subarray(row * codes.length, (row + 1) * codes.length));
  }

  /** The places of the secrets that fit turns, [{guess, label}], in order. */
  left(turns) {
    let found = range(this.secrets.length);
    for (const turn of turns) {
      const codes = found.map((at) => this.secrets[at]);
      if (turn.ranges) {
        const fits = this.fits({ guess: turn.guess, numbers: turn.ranges }, codes);
        found = found.filter((_, at) => fits[at] === 1);
      } else {
        const labels = this.labels(turn.guess, codes);
        found = found.filter((_, at) => labels[at] === turn.label);
      }
    }
    return found;
  }

  /** Which labels have numbers between the least and the most (null: any) that are told: 1 or 0 by label. */
  told(numbers) {
    const key = numbers.join(" ");
    if (!this.labelsTold.has(key)) {
      this.labelsTold.set(key, Uint8Array.from({ length: 256 }, (_, label) => {
        const { black, white, marks } = feedbackAt(label, this.pegs, this.feedback);
        return (marks ?? [black, white]).every((number, at) => !numbers[at] || (number >= numbers[at][0]
          && number <= (numbers[at][1] ?? Infinity))) ? 1 : 0;
      }));
    }
    return this.labelsTold.get(key);
  }

  /**
   * Which codes fit a row of which a part may be unknown, 1 or 0: those that would answer so to some guess of the rules
   * that has the pegs that are known (others are null).
   */
  fits({ guess, numbers }, codes) {
    const [isTold, fits] = [this.told(numbers), new Uint8Array(codes.length)];
    const asked = guess.includes(null)
      ? this.guesses.filter((one) => guess.every((color, peg) => color === null || color === one[peg])) : [guess];
    const step = Math.max(1, Math.floor(LABELS / Math.max(1, codes.length)));
    for (let from = 0; from < asked.length && codes.length > 0; from += step) {
      const labels = labelMatrix(this.kernels, this.kind, asked.slice(from, from + step), codes, this.symbols);
      for (let at = 0; at < labels.length; at += 1) fits[at % codes.length] |= isTold[labels[at]];
    }
    return fits;
  }

  /** Whether a guess uses every clue of some turns: a peg in place stays, and of each color as many as were marked. */
  isAllowed(guess, turns) {
    if (!this.hard) return true;
    return turns.every((turn) => {
      const { marks } = feedbackAt(turn.label, this.pegs, "positional");
      const wanted = new Map();
      marks.forEach((mark, peg) => { if (mark > 0)
        wanted.set(turn.guess[peg], (wanted.get(turn.guess[peg]) ?? 0) + 1); });
      return marks.every((mark, peg) => mark !== 2 || guess[peg] === turn.guess[peg])
        && [...wanted].every(([color, often]) => guess.filter((each) => each === color).length >= often);
    });
  }

  /**
   * Orders of pegs that take every guess so far to itself, colors renamed, and what each color becomes: [[order,
   * names]].
   */
  #symmetries(turns) {
    if (this.isWords || !areWhole(turns)) return null;
    const found = [];
    // Marks at each peg tell pegs apart.
    for (const order of this.feedback === "positional" ? [range(this.pegs)] : orders(range(this.pegs))) {
      const names = new Map(this.blank === null || this.isBlankAlike ? [] : [[this.blank, this.blank]]);
      const taken = new Map([...names]);
      const isKept = turns.every(({ guess }) => order.every((from, peg) => {
        const [old, now] = [guess[from], guess[peg]];
        if ((names.get(old) ?? now) !== now || (taken.get(now) ?? old) !== old) return false;
        names.set(old, now);
        taken.set(now, old);
        return true;
      }));
      if (isKept) found.push([order, names]);
    }
    return found;
  }

  /**
   * Places of one guess of every class, the first of each, and how many are alike: [[place, number]]. The symmetry of
   * the turns makes guesses of one another; colors that no code left has, and colors that no guess has had, stand for
   * one another.
   */
  classes(turns, codes) {
    const allowed = range(this.guesses.length).filter((at) => this.isAllowed(this.guesses[at], turns));
    const found = this.#symmetries(turns);
    if (found === null) return allowed.map((at) => [at, 1]);
    const present = new Set(codes.flatMap((at) => [...this.secrets[at]]));
    const played = new Set(turns.flatMap(({ guess }) => [...guess]));
    const isOwn = (color) => color === this.blank && !this.isBlankAlike;
    const fresh = range(this.symbols).filter((color) => present.has(color) && !played.has(color) && !isOwn(color));
    const absent = range(this.symbols).filter((color) => !present.has(color) && !isOwn(color));
    const isAbsent = Uint8Array.from({ length: this.symbols }, (_, color) => (absent.includes(color) ? 1 : 0));
    const sizes = new Map();
    // By small numbers in arrays: 5x8 after one guess of five colors takes 120 orders of 32,768 guesses.
    const elements = found.map(([order, names]) => [order, Int8Array.from({ length: this.symbols },
      (_, color) => (isAbsent[color] || fresh.includes(color) ? -1 : names.get(color) ?? color))]);
    const renamed = new Int8Array(this.symbols);
    for (const at of allowed) {
      const guess = this.guesses[at];
      let least = Infinity;
      for (let element = 0; element < elements.length; element += 1) {
        const [order, names] = elements[element];
        renamed.set(names);
        let [next, other, number] = [0, 0, 0];
        for (let peg = 0; peg < order.length; peg += 1) {
          const color = guess[order[peg]];
          if (renamed[color] < 0) {
            if (!isAbsent[color]) { renamed[color] = fresh[next]; next += 1; } else { renamed[color] = absent[other];
              other += this.repeats ? 0 : 1; }
          }
          number = number * this.symbols + renamed[color];
        }
        if (number < least) least = number;
      }
      const known = sizes.get(least);
      if (known) known[1] += 1;
      else sizes.set(least, [at, 1]);
    }
    return [...sizes.values()];
  }

  /** Sizes of the parts that guesses cut codes into: calls `take(place, sizes)` for each, sizes by label. */
  each(places, codes, take) {
    const rows = codes.map((at) => this.secrets[at]);
    const step = Math.max(1, Math.floor(LABELS / rows.length));
    const sizes = new Int32Array(256);
    for (let from = 0; from < places.length; from += step) {
      const some = places.slice(from, from + step);
      const labels = labelMatrix(this.kernels, this.kind, some.map((at) => this.guesses[at]), rows, this.symbols);
      some.forEach((at, row) => {
        sizes.fill(0);
        for (let i = row * rows.length; i < (row + 1) * rows.length; i += 1) sizes[labels[i]] += 1;
        take(at, sizes);
      });
    }
  }

  /**
   * The guesses that tell most in bits, among equal ones those that may be the secret, then the first: at most `number`
   * places.
   */
  telling(turns, codes, number) {
    if (codes.length <= 2) return codes.map((at) => this.placeOf.get(this.secrets[at].join())).slice(0, number);
    costOf(codes.length);
    const found = [];
    this.each(this.classes(turns, codes).map(([at]) => at), codes, (at, sizes) => {
      let cost = 0;
      for (const size of sizes) cost += costs[size];
      found.push([cost, sizes[this.win] > 0 ? 0 : 1, at]);
    });
    return found.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]).slice(0, number)
      .map(([, , at]) => at);
  }

  /** Whether the exact search says what is best of codes that turns leave, in about a second, or the table does. */
  isExact(turns, count) {
    if (this.kind === KINDS.membership || this.secrets.length * this.guesses.length > SEARCHED ** 2) return false;
    return this.guesses.length <= WHOLE || count <= FEW || this.#isTabled(turns, count);
  }

  /** Whether the fewest guesses that are sure to find so many codes are searched as well. */
  isWorstKnown(turns, count) {
    return this.isExact(turns, count) && (this.kind !== KINDS.black || count <= FEW_BLACK)
      && (!this.isWords || this.guesses.length <= WHOLE || count <= FEW_WORDS);
  }

  /** The exact search of codes that turns leave, and what it is told of the turns: nothing where they are no game's. */
  #exact(turns) {
    const isGame = areWhole(turns);
    if (!this.searches.has(isGame)) {
      this.searches.set(isGame, new ExactSearch(this.kernels, {
        secrets: this.secrets, guesses: this.guesses, colors: this.inSecrets, symbols: this.symbols, kind: this.kind,
        isAlike: isGame && !this.isWords, isHard: this.hard, blank: this.isBlankAlike ? null : this.blank,
      }));
    }
    return { search: this.searches.get(isGame),
      told: isGame ? turns.map(({ guess }) => [this.placeOf.get(Array.from(guess).join())]) : [] };
  }

  /** Makes the search of games, where there is one: on 5,040 codes that takes half a second. */
  ready() { if (this.isExact([], 0)) this.#exact([]); }

  /** The exact total of guesses for codes that turns leave. */
  total(turns, codes) {
    if (codes.length === 0) return 0;
    const stored = this.stored(turns, codes);
    if (stored) return stored.total;
    const { search, told } = this.#exact(turns);
    return search.solve(codes, told)[0];
  }

  /**
   * Whether a game is valued exactly, in seconds: counted marks need few guesses, and where the first guess is known no
   * answer leaves many words; others take longer than a page waits for.
   */
  isReviewed(turns) {
    if (this.opening === null) {
      return this.isExact([], this.secrets.length) || (this.kind === KINDS.standard && !this.isWords
        && this.guesses.length <= SEARCHED);
    }
    let codes = this.left([]);
    return turns.every((turn, row) => {
      const parts = this.answers(turns.slice(0, row), codes, turn.guess, false);
      const isKnown = (row === 0 || codes.length <= FEW) && parts.every(({ rest }) => rest.length <= FEW);
      codes = parts.find(({ label }) => label === turn.label).rest;
      return isKnown;
    });
  }

  /** The best first guesses where they are known, as of `ranking`; null where they are not, or turns were played. */
  opened(turns) {
    return turns.length > 0 || this.opening === null ? null
      : this.opening.guesses.map((code) => [this.opening.total, this.placeOf.get(code.join())]);
  }

  /**
   * About how many guesses so many codes take, by what the best first guess tells.
   * @returns {(count: number) =>
   * number}
   */
  #estimate() {
    if (this.bits === undefined) {
      const all = range(this.secrets.length);
      this.bits = 1;
      this.each(this.telling([], all, 1), all, (_, sizes) => {
        this.bits = tellsOf(this.kind, this.inSecrets)
          * sizes.reduce((sum, size) => sum + (size > 0 ? (size / all.length) * Math.log2(all.length / size) : 0), 0);
      });
    }
    return (count) => (count <= 1 ? count : 1.5 + Math.log2(count / 2) / this.bits);
  }

  /** Estimates of guesses, the least first, by what they leave: [[guesses that are needed, place]]. */
  estimated(turns, codes, number, also = []) {
    if (codes.length <= 2)
      return codes.map((at) => [codes.length === 1 ? 1 : 1.5, this.placeOf.get(this.secrets[at].join())])
      .slice(0, number);
    const about = this.#estimate();
    const costs = Array.from({ length: codes.length + 1 }, (_, size) => size * about(size));
    const found = [];
    this.each(also.length > 0 ? also : this.classes(turns, codes).map(([at]) => at), codes, (at, sizes) => {
      let cost = codes.length;
      sizes.forEach((size, label) => { if (size > 0 && label !== this.win) cost += costs[size]; });
      found.push([cost / codes.length, at]);
    });
    return found.sort((one, other) => one[0] - other[0] || one[1] - other[1]).slice(0, number);
  }

  /**
   * What each answer to a guess leaves of codes, [{label, rest, total}]; totals are exact, or null where they are not
   * asked for.
   */
  answers(turns, codes, guess, isExact = true) {
    const parts = new Map();
    this.labels(guess, codes.map((at) => this.secrets[at])).forEach((label, at) => {
      if (parts.has(label)) parts.get(label).push(codes[at]);
      else parts.set(label, [codes[at]]);
    });
    return [...parts].map(([label, rest]) => ({ label, rest, total: !isExact ? null : label === this.win ? 0
      : this.total([...turns, { guess, label }], rest) }));
  }

  /** The fewest guesses that are sure to find codes that turns leave, `least` at least. */
  fewest(turns, codes, least = 1) {
    if (codes.length === 0) return 0;
    const stored = this.stored(turns, codes);
    if (stored) return Math.max(least, stored.worst);
    if (this.#isTabled(turns, codes.length)) {
      const guesses = this.classes(turns, codes).map(([at]) => this.guesses[at]);
      return Math.max(least, Math.min(...guesses.map((guess) => this.fewestAfter(turns, codes, guess))));
    }
    const { search, told } = this.#exact(turns);
    return search.fewest(codes, told, least);
  }

  /** The fewest that are sure to be enough where a guess is played, itself counted: `least` at least. */
  fewestAfter(turns, codes, guess, least = 1) {
    const parts = this.answers(turns, codes, guess, false).filter(({ label }) => label !== this.win)
      .sort((one, other) => other.rest.length - one.rest.length);
    return 1 + parts.reduce((most, { label, rest }) => this.fewest([...turns, { guess, label }], rest, most),
      least - 1);
  }

  /** The exact total of strategies that begin with a guess: one for each code, and what its answers leave. */
  totalOf(turns, codes, guess) { return this.answers(turns, codes, guess).reduce((sum, { total }) => sum + total,
    codes.length); }

  /** Whether so many codes that turns leave are valued by what the table has of the next turn. */
  #isTabled(turns, count) { return count > FEW && turns.length < (this.table?.turns ?? 0) && areWhole(turns); }

  /** What the table has of codes that turns leave: {total, worst}, or null. */
  stored(turns, codes) { return this.table !== null && areWhole(turns) ? this.table.look(codes) : null; }

  /** The best guesses by exact totals, best first: [[total, place]]. */
  ranking(turns, codes, number) {
    if (codes.length <= 2)
      return codes.map((at) => [codes.length === 1 ? 1 : 3, this.placeOf.get(this.secrets[at].join())])
      .slice(0, number);
    const opened = this.opened(turns);
    if (opened !== null) return opened.slice(0, number);
    if (this.#isTabled(turns, codes.length)) return this.#tabled(turns, codes, number);
    const { search, told } = this.#exact(turns);
    const left = codes.map((at) => this.placeOf.get(this.secrets[at].join()));
    const isLeft = new Set(left);
    // As in the laboratory: of equal ones those that may be the secret, then in the order of the search.
    const found = search.ranking(codes, told, number)
      .sort((one, other) => one[0] - other[0] || Number(isLeft.has(other[1])) - Number(isLeft.has(one[1])));
    if (found.some(([, at]) => isLeft.has(at))) return found;
    const [[least]] = found;
    const possible = search.asGood(codes, told, left.filter((at) => at !== undefined), least);
    return possible === undefined ? found : [[least, possible], ...found].slice(0, number);
  }

  /**
   * The same where the table has what guesses leave. Those that tell most come first; of each other guess the parts are
   * valued, the largest first, as long as it may be among the best.
   */
  #tabled(turns, codes, number) {
    const rows = codes.map((at) => this.secrets[at]);
    const known = new Map();
    const valued = (guess, [label, rest]) => {
      const name = rest.join();
      if (!known.has(name)) known.set(name, this.total([...turns, { guess, label }], rest));
      return known.get(name);
    };
    costOf(codes.length);
    const guesses = this.classes(turns, codes).map(([place]) => {
      const parts = new Map();
      this.labels(this.guesses[place], rows).forEach((label, at) => {
        if (parts.has(label)) parts.get(label).push(codes[at]);
        else parts.set(label, [codes[at]]);
      });
      const isCode = parts.delete(this.win);
      const bySize = [...parts].sort(([, one], [, other]) => other.length - one.length);
      return { place, isCode, parts: bySize, bits: bySize.reduce((sum, [, rest]) => sum + costs[rest.length], 0) };
    }).sort((one, other) => one.bits - other.bits);
    const found = [];
    for (const { place, isCode, parts } of guesses) {
      let least = parts.reduce((sum, [, rest]) => sum + this.#least(rest.length), codes.length);
      const isOut = () => found.length >= number && least > found.at(-1).least;
      for (const part of parts) {
        if (isOut()) break;
        least += valued(this.guesses[place], part) - this.#least(part[1].length);
      }
      if (isOut()) continue;
      found.push({ least, place, isCode });
      found.sort((one, other) => one.least - other.least || Number(other.isCode) - Number(one.isCode)
        || one.place - other.place);
      found.splice(number);
    }
    return found.map(({ least, place }) => [least, place]);
  }

  /** No strategy takes fewer guesses for so many codes: one is found by the first, and one behind each answer. */
  #least(count) {
    const answers = this.kind === KINDS.standard ? (this.pegs * (this.pegs + 3)) / 2 - 1 : this.kind === KINDS.black
      ? this.pegs : 3 ** this.pegs - 1;
    let [total, left, turn, most] = [0, count, 1, 1];
    while (left > 0) {
      total += turn * Math.min(left, most);
      left -= most;
      [turn, most] = [turn + 1, most * answers];
    }
    return total;
  }
}
