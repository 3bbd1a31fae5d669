// The laboratory's compiled kernels in this page: labels of codes against codes, and the exact search on a memory laid
// out here.
//
// `kernels.json` and the .wasm files are written by `scripts/wasm.py` from the kernels' own source; the arrays are
// those of `entropeg.search.exact.layout`, where each is explained. Only the order of a search (words of hashes,
// guessed totals) may differ.

export const TYPES = {
  uint8: Uint8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array, uint64: BigUint64Array,
    float64: Float64Array,
};
export const PAGE = 65_536;
/** Where the stack of the compiled code ends and our memory begins. */
export const BASE = 1 << 20;
const LINE = 64;
export const rounded = (size, to = LINE) => Math.ceil(size / to) * to;
const bits = (n) => 32 - Math.clz32(n);

/** STANDARD, BLACK, MEMBERSHIP and POSITIONAL, as the kernels number them. */
export const KINDS = { standard: 0, black: 1, membership: 2, positional: 3 };

/** The compiled modules by their names and what is to be known of them; `bytesOf(name)` gives the bytes of a file. */
export async function loadKernels(bytesOf) {
  const names = ["exact", "labels", "canonical"];
  const [facts, ...modules] = await Promise.all(["kernels.json", ...names.map((name) => `${name}.wasm`)].map(bytesOf));
  const compiled = await Promise.all(modules.map((bytes) => WebAssembly.compile(bytes)));
  return { facts: JSON.parse(new TextDecoder().decode(facts)),
    ...Object.fromEntries(names.map((name, at) => [name, compiled[at]])) };
}

/** @returns {any} */
export const instance = (module, memory) =>
  new WebAssembly.Instance(module, { env: { memory, pow: Math.pow } }).exports;

/**
 * Scores codes against codes, one a row of Uint8Arrays: Uint8Array of `guesses.length` rows of `stride` labels, which
 * are `pegs * black + common`, blacks, or marks to the base 3, by kind.
 */
export function labelMatrix(kernels, kind, guesses, secrets, symbols, stride = secrets.length) {
  const [many, others, pegs] = [guesses.length, secrets.length, secrets[0].length];
  const words = 25;
  let at = BASE + 8 * words;
  const place = (size) => { at = rounded(at); const here = at; at += size + LINE; return here; };
  const chunk = 4096;
  const [rows, planes, counts, work, out] = [many * pegs, pegs * others, symbols * others, 2 * pegs + chunk,
    many * stride].map(place);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(at / PAGE) + 1 });
  const bytes = new Uint8Array(memory.buffer);
  guesses.forEach((code, row) => bytes.set(code, rows + row * pegs));
  secrets.forEach((code, column) => {
    for (let peg = 0; peg < pegs; peg += 1) {
      bytes[planes + peg * others + column] = code[peg];
      bytes[counts + code[peg] * others + column] += 1;
    }
  });
  const table = (where, height, width) => [where, height, width, width, 1];
  const given = [
    kind, 0, ...table(rows, many, pegs), ...table(planes, pegs, others), ...table(counts, symbols, others), work,
      2 * pegs + chunk, 1,
    ...table(out, many, stride),
  ];
  new BigInt64Array(memory.buffer, BASE, words).set(given.map(BigInt));
  instance(kernels.labels, memory).label_matrix(BASE - 4096, BASE - 2048, BASE);
  return bytes.slice(out, out + many * stride);
}

// ------------------------------------------------------------------ the memory of the exact search

const range = (n) => Array.from({ length: n }, (_, i) => i);
const orders = (list) => (list.length < 2 ? [list] : list.flatMap((one, i) => orders(list.filter((_, j) => j !== i))
  .map((rest) => [one, ...rest])));

/** Words of 64 bits, the same each time (splitmix64): a set is hashed by those of its codes. */
function words(count, seed = 0x5eedn) {
  const [mask, found] = [(1n << 64n) - 1n, new BigUint64Array(count)];
  for (let i = 0, x = seed; i < count; i += 1) {
    x = (x + 0x9e3779b97f4a7c15n) & mask;
    let z = x;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    found[i] = z ^ (z >> 31n);
  }
  return found;
}

const sorted = (code) => [...code].sort((one, other) => one - other);

/** The places of codes by their largest color, `byColors` by their colors, then in the order of colors. */
const shellOrder = (codes, symbols, byColors) => {
  const keys = codes.map((code) => [...(byColors ? sorted(code) : []), ...code]
    .reduce((key, color) => key * symbols + color, Math.max(...code)));
  return range(codes.length).sort((one, other) => keys[one] - keys[other]);
};

/** A table of raw labels as compact ones, the winning one the last: those that can occur, or that do. */
function compact(kind, pegs, matrix, width, stride) {
  const win = kind === KINDS.standard ? pegs * (pegs + 1) : kind === KINDS.black ? pegs : 3 ** pegs - 1;
  const seen = new Uint8Array(256);
  if (kind === KINDS.black) for (let black = 0; black <= pegs; black += 1) seen[black] = 1;
  else if (kind === KINDS.standard) {
    for (let black = 0; black <= pegs; black += 1) {
      for (let common = black; common <= pegs; common += 1) if (black !== pegs - 1 || common !== pegs)
        seen[pegs * black + common] = 1;
    }
  } else {
    for (let row = 0; row < matrix.length; row += stride) for (let at = row; at < row + width;
      at += 1) seen[matrix[at]] = 1;
    seen[win] = 1;
  }
  const found = [...range(256).filter((label) => seen[label] && label !== win), win];
  const names = new Uint8Array(256);
  found.forEach((label, name) => { names[label] = name; });
  for (let row = 0; row < matrix.length; row += stride) for (let at = row; at < row + width;
    at += 1) matrix[at] = names[matrix[at]];
  return found;
}

function turned(matrix, rows, stride, columns, other) {
  const out = new Uint8Array(columns * other);
  const block = 64;
  for (let top = 0; top < rows; top += block) {
    const end = Math.min(rows, top + block);
    for (let at = 0; at < columns; at += 1) for (let row = top; row < end; row += 1)
      out[at * other + row] = matrix[row * stride + at];
  }
  return out;
}

const strideOf = (columns) => { const whole = rounded(columns); return whole % 1024 === 0 ? whole + LINE : whole; };

/** Labels of secrets of the first colors against one guess of every class that they cannot tell apart. */
function scans({ secrets, guesses, bySecret, stride, colors, renames }) {
  const size = guesses.length;
  const all = Int32Array.from(range(size));
  const made = {
    base: Array(colors + 1).fill(0), stride: Array(colors + 1).fill(stride), width: Array(colors + 1).fill(size),
    columns: range(colors + 1).map(() => all.slice()), place: range(colors + 1).map(() => all.slice()),
  };
  const flat = [bySecret];
  let end = bySecret.length;
  for (let known = 1; renames && known < colors; known += 1) {
    const seen = new Map();
    guesses.forEach((code, at) => {
      const key = code.reduce((number, color) => number * (known + 1) + Math.min(color, known), 0);
      if (!seen.has(key)) seen.set(key, at);
    });
    const chosen = Int32Array.from(seen.values()).sort();
    if (chosen.length > 0.9 * size) continue;
    made.width[known] = chosen.length;
    chosen.forEach((guess, at) => { made.columns[known][at] = guess; });
    made.place[known].fill(-1);
    chosen.forEach((guess, at) => { made.place[known][guess] = at; });
    if (chosen.at(-1) === chosen.length - 1) continue;
    const rows = secrets.filter((code) => Math.max(...code) < known).length;
    const wide = rounded(chosen.length);
    const copy = new Uint8Array(rows * wide);
    for (let row = 0; row < rows; row += 1) {
      for (let at = 0; at < chosen.length; at += 1) copy[row * wide + at] = bySecret[row * stride + chosen[at]];
    }
    [made.base[known], made.stride[known]] = [end, wide];
    flat.push(copy);
    end += copy.length;
  }
  return { ...made, flat, end };
}

/** What holds of guesses, where they must use every clue: bits of words, see `search.exact.clues`. */
function clueFacts(codes, pegs, symbols) {
  const height = Math.ceil((2 * pegs * symbols) / 64);
  const facts = new BigUint64Array(height * codes.length);
  const hold = (at, code) => { facts[(at >> 6) * codes.length + code] |= 1n << BigInt(at & 63); };
  codes.forEach((code, row) => {
    code.forEach((color, peg) => hold(peg * symbols + color, row));
    for (let color = 0; color < symbols; color += 1) {
      const often = code.filter((each) => each === color).length;
      for (let k = 1; k <= often; k += 1) hold(pegs * symbols + color * pegs + k - 1, row);
    }
  });
  return { facts, height };
}

/** How many labels each row of a matrix has. */
function partsOf(labels, width) {
  const [met, found] = [new Int32Array(256).fill(-1), new Int32Array(labels.length / width)];
  for (let row = 0, at = 0; row < found.length; row += 1) {
    for (const end = at + width; at < end; at += 1) {
      if (met[labels[at]] !== row) {
        met[labels[at]] = row;
        found[row] += 1;
      }
    }
  }
  return found;
}

/** Secrets and guesses in the order of the search, their labels, and of what a guess is called outside. */
function board(kernels, { secrets, guesses, symbols, kind, isAlike, isHard }) {
  const { LONG_RUNS, RUN_PEGS } = kernels.facts.is;
  const byColors = kind === KINDS.standard && isAlike && !isHard && guesses[0].length <= RUN_PEGS
    && guesses.length >= LONG_RUNS * new Set(guesses.map((code) => sorted(code).join())).size;
  const [secretOrder, pegs] = [shellOrder(secrets, symbols, byColors), secrets[0].length];
  const mine = secretOrder.map((at) => secrets[at]);
  let guessOrder = shellOrder(guesses, symbols, byColors);
  if (!isAlike) {
    // Guesses that make many parts of some of the secrets come first.
    const some = mine.filter((_, at) => at % Math.max(1, Math.floor(mine.length / 250)) === 0);
    const labels = labelMatrix(kernels, kind, guesses, some, symbols);
    const parts = partsOf(labels, some.length);
    guessOrder = guessOrder.sort((one, other) => parts[other] - parts[one]);
  }
  const asked = guessOrder.map((at) => guesses[at]);
  const [stride, wide] = [strideOf(mine.length), strideOf(asked.length)];
  const byGuess = labelMatrix(kernels, kind, asked, mine, symbols, stride);
  const labels = compact(kind, pegs, byGuess, mine.length, stride);
  const bySecret = turned(byGuess, asked.length, stride, mine.length, wide);
  return { secrets: mine, guesses: asked, secretOrder, guessOrder, pegs, byGuess, bySecret, stride, wide, labels };
}

/** Kinds of colors in steps of their number: those of a kind may change places; a blank is a kind of its own. */
const kindsOf = (symbols, isAlike, blank) => range(symbols)
  .map((color) => (isAlike ? (color === blank ? symbols : 0) : color * symbols));

const numbered = (codes, symbols, size) => {
  const rows = new Int32Array(size).fill(-1);
  if (size > 0)
    codes.forEach((code, row) => { rows[code.reduce((number, color) => number * symbols + color, 0)] = row; });
  return rows;
};

/** Rows of equal length as one. */
function inARow(rows) {
  const all = new Int32Array(rows.length * rows[0].length);
  rows.forEach((row, at) => all.set(row, at * row.length));
  return all;
}

/** All arrays of a search, as [shape, values or nothing]; `numbers` are those that kernels read by name. */
// eslint-disable-next-line max-lines-per-function -- a table, which would not be read better in two parts
function layoutOf({ facts }, given, made) {
  const { UNLIMITED, DEPTHS, NEAR, SMALL, SYMMETRIC, HELD, BINS, BLOCK, NO_GUESS, INF } = facts.is;
  const { colors, symbols, kind, isAlike, isHard, blank = null } = given;
  const { secrets, guesses, pegs, labels } = made;
  const [n, g, m] = [secrets.length, guesses.length, labels.length];
  const renames = isAlike && !isHard && (blank === null || blank >= colors) && symbols <= facts.is.WORD_BITS;
  const elements = isAlike ? orders(range(pegs)) : [range(pegs)];
  const kinds = kindsOf(symbols, isAlike, blank);
  const isSymmetric = elements.length > 1 || new Set(kinds).size < kinds.length;
  const separate = kind === KINDS.black && isAlike && n === colors ** pegs && g === symbols ** pegs;
  const byAnswer = isHard || (kind === KINDS.positional && isSymmetric);
  const scan = scans({ secrets, guesses, bySecret: made.bySecret, stride: made.wide, colors, renames });
  const capacity = Array(UNLIMITED + 1).fill(2 ** 40);
  for (let d = 0, total = 0, layer = 1; d < UNLIMITED; d += 1) {
    capacity[d] = Math.min(total, 2 ** 40);
    [total, layer] = [Math.min(total + layer, 2 ** 40), Math.min(layer * (m - 1), 2 ** 40)];
  }
  const hashes = words(n + UNLIMITED + 2 * pegs * symbols + 64);
  const base = Math.log(Math.max(1.9, 1.55 * m ** 0.525));
  const most = Math.min(n + 1, DEPTHS);
  const near = Math.min(NEAR, n);
  const room = Math.floor((near * Math.ceil(near / 64) * (m + 7)) / 8) * 8 + 2 * 2 ** bits(2 * g + 2);
  const [stack, held, padded] = [n * most + 64, Math.min(g * most, Math.max(16 * g, HELD)),
    Math.floor((g + BLOCK) / BLOCK) * BLOCK];
  const width = Math.max(padded, n);
  const entries = 2 ** Math.min(bits(Math.max(1 << 15, Math.floor((n * n) / 16))), 21);
  const slots = symbols * (separate ? pegs : 1);
  const group = SYMMETRIC + 1;
  const images = isAlike ? range(symbols).map((color) => (color === blank ? blank : -1)) : range(symbols);
  const clues = isHard ? clueFacts(guesses, pegs, symbols) : { facts: [], height: 0 };
  const marks = kind === KINDS.positional ? labels.flatMap((label) => range(pegs)
    .map((peg) => Math.floor(label / 3 ** (pegs - 1 - peg)) % 3)) : [];
  const secretRow = new Map(guesses.map((code, row) => [code.join(), row]));
  const arrays = {
    by_guess: [[g, made.stride], made.byGuess], scan: [[scan.end], scan.flat], base: [[colors + 1], scan.base],
      stride: [[colors + 1], scan.stride],
    width: [[colors + 1], scan.width], columns: [[colors + 1, g], inARow(scan.columns)],
    place: [[colors + 1, g], inARow(scan.place)],
    secret_digits: [[n, pegs], secrets], guess_digits: [[g, pegs], guesses],
    presence: [[n], secrets.map((code) => code.reduce((all, color) => all | (1n << BigInt(color)), 0n))],
    powers: [[pegs], range(pegs).map((peg) => symbols ** (pegs - 1 - peg))],
    secret_of_number: [[renames ? symbols ** pegs : 0], numbered(secrets, symbols, renames ? symbols ** pegs : 0)],
    guess_of_number: [[renames ? symbols ** pegs : 0], numbered(guesses, symbols, renames ? symbols ** pegs : 0)],
    guess_of_secret: [[n], secrets.map((code) => secretRow.get(code.join()) ?? -1)],
    zobrist: [[n], hashes.slice(0, n)], zobrist_limit: [[UNLIMITED + 1], [...hashes.slice(n, n + UNLIMITED), 0n]],
    capacity: [[UNLIMITED + 1], capacity],
    expected: [[n + 1], range(n + 1).map((x) => x * (1 + (0.92 * Math.log(Math.max(x, 1))) / base))],
    permutations: [[elements.length, pegs], elements.flat()], kind: [[symbols], kinds],
    marks: [marks.length ? [m, pegs] : [0, 0], marks],
    facts: [clues.height ? [clues.height, g] : [0, 0], clues.facts],
    fact_words: [[isHard ? 2 * pegs * symbols + 64 : 0], isHard ? hashes.slice(n + UNLIMITED) : []],
    clues: [clues.height ? [DEPTHS + SYMMETRIC + 4, clues.height] : [0, 0]],
    shared: [[5], [0, INF, 2 ** 40, 0, 0]], stop: [[1]], table: [[2 * entries]], stack: [[stack]], held: [[stack]],
    spots: [[stack]],
    candidates: [[held]], lows: [[held]], tables: [[Math.min(room * most, Math.max(16 * room, HELD))]],
    frames: [[DEPTHS + 1]], set_hash: [[DEPTHS + 1]], order: [[DEPTHS + 1, symbols]],
    ...Object.fromEntries(["count", "start", "hashes", "low", "state", "hope"].map((name) => [name, [[DEPTHS, m]]])),
    parts: [[padded]], rows: [[n]], offsets: [[n]], label: [[n]], members: [[NEAR / 64]],
    gain: [[2, SMALL + 1], [...range(SMALL + 1).map((x) => 0.15 * x), ...Array(SMALL + 1).fill(1)]],
    rise: [[2, 64], [...Array(64).fill(170), ...Array(64).fill(1000)]],
    sizes: [[m + 20, BLOCK]], block_low: [[BLOCK]], column_low: [[width]], column_expected: [[width]],
    chosen: [[width]], begin: [[BINS + 1]], cell: [[width]],
    name: [[symbols]], own_parts: [[n]], waiting: [[n + 1]], second_low: [[m + 1]], ends: [[256]], top: [[m]],
    head: [[m]], met: [[m]], nodes: [[5]], found: [[2]],
    answer: [[2 * Math.max(g, n) + 2, 4]], image: [[slots]], used: [[slots]],
    group_size: [[group], [elements.length]], group_peg: [[group, elements.length], range(elements.length)],
    group_color: [[group, elements.length, slots],
      [...elements.flatMap(() => range(slots / symbols).flatMap(() => images)),
        ...Array((group - 1) * elements.length * slots).fill(-1)]],
    group_token: [[group, elements.length, slots]],
  };
  const numbers = {
    pegs, symbols, labels: m, relabels: renames, consistent: false, separate, room,
      key_bits: bits(2 * symbols + 1 + Math.max(...kinds)),
    last_symmetric: isSymmetric ? SYMMETRIC : -1, by_answer: byAnswer, all_named: false, hard: isHard, only: NO_GUESS,
  };
  return { arrays, numbers, zobrist: arrays.zobrist[1] };
}

/** The exact search on one board. Secrets and guesses outside are places in the lists that it was given. */
export class ExactSearch {
  /**
   * `given`: {secrets, guesses, colors, symbols, kind, isAlike, isHard, blank}; codes are Uint8Arrays, or lists of
   * colors.
   */
  constructor(kernels, given) {
    this.is = kernels.facts.is;
    this.tasks = kernels.facts.tasks;
    this.board = board(kernels, given);
    const { arrays, numbers, zobrist } = layoutOf(kernels, given, this.board);
    this.zobrist = zobrist;
    this.rowOfSecret = inverse(this.board.secretOrder);
    this.rowOfGuess = inverse(this.board.guessOrder);
    this.#place(kernels, arrays, numbers);
  }

  #place({ facts, exact }, arrays, numbers) {
    const header = facts.numbers.length;
    const names = Object.keys(facts.fields);
    let at = rounded(BASE + 8 * (header + 4 * names.length));
    this.places = {};
    // Without weights the mass of a part is its number of codes.
    for (const name of names.filter((each) => each !== "mass")) {
      const [element] = facts.fields[name];
      const [type, width] = typeof element === "string" ? [TYPES[element], 1] : [BigInt64Array, element];
      const [shape, values] = arrays[name] ?? [Array(facts.fields[name][1]).fill(0)];
      const count = shape.reduce((one, other) => one * other, 1);
      this.places[name] = { at, type, shape, count: count * width, values };
      at = rounded(at + count * width * type.BYTES_PER_ELEMENT + LINE);
    }
    this.places.mass = this.places.count;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(at / PAGE) + 1 });
    this.buffer = memory.buffer;
    this.i64 = new BigInt64Array(this.buffer);
    this.number = Object.fromEntries(facts.numbers.map((name, word) => [name, BASE / 8 + word]));
    for (const [name, value] of Object.entries(numbers)) this.i64[this.number[name]] = BigInt(value);
    names.forEach((name, index) => {
      const word = BASE / 8 + header + 4 * index;
      const { at: where, shape } = this.places[name];
      [where, ...shape].forEach((value, offset) => { this.i64[word + offset] = BigInt(value); });
      this.#write(name);
    });
    this.frame = facts.frame;
    this.call_ = instance(exact, memory).by_counts;
  }

  #write(name) {
    const { at, type, values } = this.places[name];
    if (!values || values.length === 0) return;
    const isNested = typeof values[0] === "object";
    const isBig = type === BigInt64Array || type === BigUint64Array;
    if (isNested) { let here = at; for (const part of values) { new Uint8Array(this.buffer, here, part.length)
      .set(part); here += part.length; } } else new type(this.buffer, at, values.length)
        .set(isBig ? Array.from(values, BigInt) : values);
  }

  #array(name) { const { at, type, count } = this.places[name]; return new type(this.buffer, at, count); }

  #call(task, { n = 0, top = 0, ub = 0, left = this.is.UNLIMITED, depth = 0, mixed = 0n, ranked = 0,
    only = this.is.NO_GUESS }) {
    for (const [name, value] of Object.entries({ breadth: 0, only, ranked }))
      this.i64[this.number[name]] = BigInt(value);
    const status = this.call_(BASE - 4096, BASE - 2048, BASE, BigInt(task), 0n, BigInt(n), BigInt(top), BigInt(ub),
      BigInt(left), BigInt(depth), mixed);
    if (status !== 0) throw new Error(`the exact search failed (${status})`);
    return Number(this.i64[(BASE - 4096) / 8]);
  }

  #enter(guess, label) {
    const { ENTER } = this.tasks;
    this.i64[this.number.behind] = 0n;
    const status = this.call_(BASE - 4096, BASE - 2048, BASE, BigInt(ENTER), 0n, 0n, BigInt(guess), BigInt(label),
      0n, 0n, 0n);
    if (status !== 0) throw new Error(`the exact search failed (${status})`);
    for (const name of ["group_size", "group_peg", "group_color", "clues"]) {
      const { shape, count } = this.places[name];
      if (count > 0) this.#array(name).copyWithin(0, count / shape[0], (2 * count) / shape[0]);
    }
  }

  /**
   * Puts a set and what it stands behind into the memory; `turns` are [guess, one of the codes left]; returns its size
   * and hash.
   */
  #set(codes, turns) {
    for (const name of ["group_size", "group_peg", "group_color"]) this.#write(name);
    this.#array("clues").fill(0n);
    const { byGuess, stride } = this.board;
    const rows = Int32Array.from(codes, (code) => this.rowOfSecret[code]).sort();
    for (const [guess] of turns) {
      const row = this.rowOfGuess[guess];
      const label = byGuess[row * stride + rows[0]];
      // What a history does not leave would have false symmetries.
      if (rows.some((code) => byGuess[row * stride + code] !== label))
        throw new Error("codes that these turns do not leave");
      this.#enter(row, label);
    }
    this.#array("stack").set(rows);
    // Where guesses must use every clue, a set behind other clues is another set.
    let clues = 0n;
    if (this.places.clues.count > 0) {
      this.#call(this.tasks.CLUES, {});
      clues = this.#array("found")[0];
    }
    return { n: rows.length, top: rows.length, ub: this.is.INF,
      mixed: BigInt.asIntN(64, rows.reduce((word, row) => word ^ this.zobrist[row], clues)) };
  }

  /** The least total of guesses for codes that are left, and a guess that attains it: [total, guess]. */
  solve(codes, turns) {
    if (codes.length <= 2) return [codes.length === 1 ? 1 : 3, codes[0]];
    const set = this.#set(codes, turns);
    const total = this.#call(this.tasks.SOLVE, set);
    const chosen = Number(this.#array("frames")[this.frame.chosen]);
    return [total, chosen === this.is.NO_GUESS ? null : this.board.guessOrder[chosen]];
  }

  /** The fewest guesses that are sure to be enough for codes that are left, `least` at least. */
  fewest(codes, turns, least = 1) {
    if (codes.length <= 2) return Math.max(least, codes.length);
    const set = this.#set(codes, turns);
    let left = Math.max(2, least);
    while (this.#call(this.tasks.SOLVE, { ...set, left }) >= this.is.INF) left += 1;
    return left;
  }

  /** The first of some guesses that take no more than a total for 3 or more codes; undefined where none does. */
  asGood(codes, turns, guesses, total) {
    const set = { ...this.#set(codes, turns), ub: total + 1 };
    return guesses.sort((one, other) => this.rowOfGuess[one] - this.rowOfGuess[other])
      .find((guess) => this.#call(this.tasks.SOLVE, { ...set, only: this.rowOfGuess[guess] }) <= total);
  }

  /**
   * Totals and guesses of a number of the best guesses of 3 or more codes, best first, one of those that are alike:
   * [[total, guess]].
   */
  ranking(codes, turns, number) {
    const set = this.#set(codes, turns);
    this.#array("nodes")[this.is.RANKS] = 0n;
    this.#call(this.tasks.SOLVE, { ...set, ranked: number });
    const [found, answer] = [Number(this.#array("nodes")[this.is.RANKS]), this.#array("answer")];
    return range(found).map((row) => [Number(answer[4 * row]), this.board.guessOrder[Number(answer[4 * row + 1])]]);
  }
}

function inverse(order) {
  const rows = new Int32Array(order.length);
  order.forEach((at, row) => { rows[at] = row; });
  return rows;
}
