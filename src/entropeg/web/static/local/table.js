// Tables of exact values, the files of `entropeg table`: read, and asked for sets of codes by the keys of their
// canonical forms.

import { BASE, PAGE, TYPES, instance, rounded } from "./kernels.js";
import { sha256 } from "./sha256.js";

/** How a file begins, and where its arrays do: as `entropeg.table.tablebase`. */
const MAGIC = "entropeg table 1\n";
const HEAD = 512;
/** Codes and sets whose keys are made in one call. */
const POOLED = 1 << 16;
const SETS = 1 << 12;
/** Sets whose values are kept: some megabytes. */
const KEPT = 5000;

/** Keys of sets of a board's secrets: equal for sets that renamed colors and moved pegs make of one another. */
export class SetKeys {
  /**
   * `codes`: all secrets, as Uint8Arrays; `symbols`: colors of guesses; `own`: of each symbol 1 where it is like no
   * other; `isByPeg`: whether each peg has names of colors of its own, under marks that count blacks alone.
   */
  constructor(kernels, { codes, symbols, own, isByPeg }) {
    const { scratch } = kernels.facts;
    const [pegs, most] = [codes[0].length, codes.length];
    const slots = symbols * (isByPeg ? pegs : 1);
    const levels = pegs + slots + 1;
    const shapes = {
      peg: [levels, pegs], color: [levels, slots], code: [most], fresh: [pegs + slots], is_present: [slots],
      sorted: [most], tried: [most], choice: [levels, pegs + slots], choices: [levels], at: [levels], place: [pegs],
      name: [slots],
    };
    // The arguments of the kernel, in a row of words: of an array its address, shape and strides.
    const arrays = [
      ["digits", "uint8", [most, pegs]], ["own", "uint8", [symbols]], [isByPeg ? 1 : 0],
      ...Object.keys(scratch).map((name) => [name, scratch[name], shapes[name]]),
      ["pool", "int32", [POOLED]], ["starts", "int64", [SETS + 1]], ["forms", "int64", [POOLED]],
      ["keys", "uint64", [SETS]],
    ];
    let at = rounded(BASE + 8 * 5 * arrays.length);
    const words = [];
    /** @type {any} */
    const places = {};
    for (const [name, kind, shape] of arrays) {
      if (!kind) { words.push(name); continue; }
      const width = TYPES[kind].BYTES_PER_ELEMENT;
      const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((all, more) => all * more, width));
      places[name] = { type: TYPES[kind], at, count: shape.reduce((all, more) => all * more), word: words.length + 1 };
      words.push(at, ...shape, ...strides);
      at = rounded(at + shape[0] * strides[0]);
    }
    const memory = new WebAssembly.Memory({ initial: Math.ceil(at / PAGE) + 1 });
    const array = ({ type, at: where, count }) => new type(memory.buffer, where, count);
    this.words = new BigInt64Array(memory.buffer, BASE, words.length);
    this.words.set(words.map(BigInt));
    codes.forEach((code, row) => array(places.digits).set(code, row * pegs));
    array(places.own).set(own);
    this.arrays = Object.fromEntries(["pool", "starts", "forms", "keys"].map((name) => [name, array(places[name])]));
    this.lengths = Object.fromEntries(Object.entries(places).map(([name, { word }]) => [name, word]));
    this.forms_ = instance(kernels.canonical, memory).canonical_forms;
  }

  /** Of sets, each of places of codes in ascending order, the keys and the forms, lists of numbers of codes. */
  of(sets) {
    const found = { keys: [], forms: [] };
    for (let from = 0, to; from < sets.length; from = to) {
      let size = 0;
      for (to = from; to < sets.length && to - from < SETS && size + sets[to].length <= POOLED; to += 1)
        size += sets[to].length;
      this.#some(sets.slice(from, to), found);
    }
    return found;
  }

  #some(sets, found) {
    const { pool, starts, forms, keys } = this.arrays;
    let end = 0;
    sets.forEach((set, row) => {
      pool.set(set, end);
      end += set.length;
      starts[row + 1] = BigInt(end);
    });
    const lengths = { pool: end, starts: sets.length + 1, forms: end, keys: sets.length };
    for (const [name, length] of Object.entries(lengths)) this.words[this.lengths[name]] = BigInt(length);
    this.forms_(BASE - 4096, BASE - 2048, BASE);
    sets.forEach((_, row) => {
      found.keys.push(keys[row]);
      found.forms.push(forms.subarray(Number(starts[row]), Number(starts[row + 1])));
    });
  }
}

/** A table of a board; throws an Error for bytes that are none, that are of another board, or that are damaged. */
export class Tablebase {
  /** `name`: the text of the board's rules; `codes`, `symbols`, `own` and `isByPeg` as of SetKeys. */
  constructor(kernels, bytes, name, board) {
    const head = new TextDecoder().decode(bytes.subarray(0, HEAD));
    if (!head.startsWith(MAGIC)) throw new Error("no table of this version");
    const { rules, turns, least, most, sets, sha256: digest } = JSON.parse(head.slice(MAGIC.length));
    const content = bytes.slice(HEAD); // which begins at a whole word
    const told = Array.from(sha256(content), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (rules !== name || content.length !== 13 * sets || told !== digest) throw new Error("a damaged table");
    this.turns = turns;
    this.least = least;
    this.most = most;
    this.keys = new BigUint64Array(content.buffer, 0, sets);
    this.totals = new Uint32Array(content.buffer, 8 * sets, sets);
    this.worsts = new Uint8Array(content.buffer, 12 * sets, sets);
    this.setKeys = new SetKeys(kernels, board);
    this.known = new Map();
  }

  /** Of a set, places of codes in ascending order, {total, worst}; null where it is not there: never an estimate. */
  look(set) {
    if (set.length < Math.max(3, this.least) || set.length > this.most) return null;
    const name = set.join(); // ten times sooner made than a key
    if (!this.known.has(name)) {
      if (this.known.size > KEPT) this.known.clear();
      const row = this.#row(this.setKeys.of([set]).keys[0]);
      this.known.set(name, row < 0 ? null : { total: this.totals[row], worst: this.worsts[row] });
    }
    return this.known.get(name);
  }

  #row(key) {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return this.keys[low] === key ? low : -1;
  }
}
