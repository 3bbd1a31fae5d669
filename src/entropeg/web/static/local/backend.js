// Answers what the page asks where there is no laboratory: the same questions, and answers of the same shapes (see
// api.js).

import { notice } from "../announce.js";
import { codeText, readCode } from "../codes.js";
import { readPart, writeTold } from "../assist/told.js";
import { drawable, feedbackOf, isByPeg, marksInWords, readTold } from "../parts/marks.js";
import { language, listed, number as shown, t, tn } from "../texts.js";
import { contradictionTold } from "./contradictions.js";
import { feedbackAt, labelOf, scored } from "./scoring.js";
import { drawn } from "./sha256.js";
import { DAILY, FEWEST, SECRETS, dayOf, needsLaboratory, numberOfDay, readRules, refuse, secretOf, shownRules, spelled,
  textOf } from "./rules.js";
import { come, work } from "./working.js";

const MOST_NUMBER = 2 ** 40;
const PLAYERS = ["entropy", "minimax", "expected-size", "parts"];

/** What the laboratory has written beside the page. */
async function written(name) {
  try {
    return await globalThis.entropeg.data(name);
  } catch {
    return refuse(t("A part of the page could not be loaded."), { status: 0 });
  }
}

/** Words as `site/facts` writes them: each from the letter on in which it differs from the one before, a capital. */
function wordsOf(text) {
  let word = "";
  return Array.from(text.matchAll(/\p{Lu}\P{Lu}*/gu), ([rest]) => {
    word = word.slice(0, Math.max(0, word.length - rest.length)) + rest.toLowerCase();
    return word;
  });
}

const lists = new Map();

const withoutUsual = () =>
  t("The usual words could not be loaded: for now, words that may be the secret are guessed alone.");

/**
 * A list of words, read once: its secrets, and what may be guessed beside them in a row of colors. Where the usual
 * words do not load it is not whole: that is said, and they are asked for again the next time.
 */
async function listOf(name, isUsual) {
  const key = `${name} ${isUsual}`;
  if (lists.has(key)) return lists.get(key);
  const { words: text, symbols: { [isUsual ? "usual" : "listed"]: symbols }, openings } =
    await written(`words.${name}`);
  const usual = isUsual ? await globalThis.entropeg.data(`usual.${name}`).then(wordsOf, () => null) : [];
  const [words, colors] = [wordsOf(text), new Map(symbols.map((symbol, color) => [symbol.text, color]))];
  const codes = (texts) => texts.map((word) => Array.from(word, (letter) => colors.get(letter)));
  const known = new Set(words.concat(usual ?? []));
  const list = { symbols, words: codes(words), others: Uint8Array.from(codes(usual ?? []).flat()),
    isWhole: usual !== null, has: (word) => known.has(word),
    openings: usual?.length > 0 ? Object.fromEntries(Object.entries(openings).map(([key, { total, words: best }]) =>
      [key, { total, guesses: codes(wordsOf(best)) }])) : null };
  if (list.isWhole) lists.set(key, list);
  else notice(withoutUsual());
  return list;
}

/** Tasks that ask for exact values, or will. */
const VALUED = new Set(["advice", "explore", "ready", "review"]);

/** The table of a board, {name, bytes}; null where there is none, or it does not load: what is said rests on less. */
async function tableOf(board, facts) {
  const name = textOf({ ...board, limit: null, alphabet: "" });
  if (!facts.tables[name]) return null;
  try {
    const text = await globalThis.entropeg.data(`table.${facts.tables[name]}`);
    return { name, bytes: Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) };
  } catch {
    return null;
  }
}

/** What there is to play, with the words of a list where rules name one. */
export async function factsOf(text) {
  const facts = await written(`facts.${language()}`);
  const [size, ...options] = spelled(text, facts).split("/");
  const known = facts.words[/^words:(\w+)$/.exec(size)?.[1]];
  if (!known) return facts;
  const list = await listOf(known.name, "usual" in known.boards && options.includes(`probes=${known.name}`));
  return { ...facts, words: { [known.name]: { ...known, ...list } } };
}

/** The board of rules, its facts, and what is read and written by them. */
async function boardOf(text) {
  const facts = await factsOf(text ?? DAILY);
  const board = readRules(text ?? DAILY, facts);
  const rules = shownRules(board, facts);
  const marksText = ({ black, white = 0, marks }) => (marks ? marks.map((mark) => ".OX"[mark]).join("")
    : "X".repeat(black) + "O".repeat(white) || "-");
  return {
    facts, board, rules, write: (code) => codeText(Array.from(code), rules), marksText,
    at: (label) => feedbackAt(label, board.pegs, board.feedback),
    work: async (name, given, signal) => work(name, board, VALUED.has(name) ? { ...given,
      table: await tableOf(board, facts) } : given, signal),
  };
}

function codeOf(text, here, field = "guess") {
  const code = readCode(String(text ?? ""), here.rules);
  if (code === null)
    refuse(t("“{text}” is no code of {pegs} pegs.", { text: String(text).slice(0, 40), pegs: here.board.pegs }),
      { field });
  return code;
}

function turnsOf(turns, here) {
  return (turns ?? []).map(([guess, marks], row) => {
    const code = readCode(guess, here.rules);
    const feedback = feedbackOf(marks, here.rules);
    if (code === null || feedback === null)
      refuse(t("Row {n} cannot be read.", { n: row + 1 }), { field: `turns.${row}`, row: row + 1 });
    checkPlayed(code, here, { field: `turns.${row}`, row: row + 1 });
    return { guess: code, label: labelOf(feedback, here.board.pegs, here.board.feedback) };
  });
}

const stateOf = (turns, { board }) => {
  const last = turns.at(-1);
  if (last && !last.ranges && feedbackAt(last.label, board.pegs, board.feedback).black === board.pegs) return "won";
  return board.limit !== null && turns.length >= board.limit ? "lost" : "open";
};

const isLast = (turns, { board }) => board.limit !== null && turns.length === board.limit - 1;

const pairOf = (turn, here) => [here.write(turn.guess), here.marksText(here.at(turn.label))];

/** A row as text, which is read again; of one that is not whole as Assist writes it. */
const rowText = (turn, here) => (turn.ranges ? `${here.write(turn.guess)}: ${writeTold(turn, here.rules)}`
  : pairOf(turn, here).join(" "));

// ------------------------------------------------------------------ tokens

/**
 * A secret in a token is scrambled, so that nobody reads it by chance: who reads this file can read it, and the page
 * says so.
 */
const scramble = (code, salt) => code.map((color, peg) => color ^ (drawn(`entropeg token ${salt} ${peg}`) & 63));

/**
 * What a word that two people know makes of a salt: slow enough that nobody tries all words of a dictionary in passing.
 */
function keyOf(word, salt) {
  let key = `${word.normalize("NFC").trim().toLowerCase()} ${salt}`;
  for (let round = 0; round < 3000; round += 1) key = `${drawn(`entropeg word ${key}`)} ${salt}`;
  return key;
}

const colorsIn = ({ colors, blanks }) => colors + (blanks === "none" ? 0 : 1);

/**
 * A secret sealed by a word. Of the word ten bits are told, so that another one is noticed: far too few to find it by.
 */
function sealedBy(word, secret, salt, { board }) {
  const key = keyOf(word, salt);
  const colors = secret.map((color, peg) => (color + drawn(`${key} ${peg}`)) % colorsIn(board));
  return `w.${colors.join("-")}.${salt}.${drawn(`${key} told`) % 1024}`;
}

/** The token of a sealed secret once its word is there; throws Refused for another word. */
function unsealed(token, word, { board }) {
  const [, value, salt, told] = token.split(".");
  const colors = String(value).split("-").map(Number);
  if (colors.length !== board.pegs || !(Number(told) < 1024)
    || colors.some((color) => !(color >= 0 && color < colorsIn(board)))) {
    refuse(t("This game was begun elsewhere: its secret is not known here, and it can go on in Assist."),
      { field: "token" });
  }
  if (!word) refuse(t("The secret is sealed by a word: type the one that you were told."), { field: "word" });
  const key = keyOf(word, salt);
  if (drawn(`${key} told`) % 1024 !== Number(told))
    refuse(t("That is not the word by which the secret was sealed."), { field: "word" });
  const secret = colors.map((color, peg) =>
    (color + colorsIn(board) - (drawn(`${key} ${peg}`) % colorsIn(board))) % colorsIn(board));
  return `s.${scramble(secret, salt).join("-")}.${salt}`;
}

function gameOf(token, here) {
  if (String(token).startsWith("w.")) unsealed(token, "", here);
  const [kind, value, salt] = String(token).split(".");
  const { board } = here;
  if (kind === "c" && /^\d+$/.test(value))
    return { codemaker: "cheat", pick: (turns) => drawn(`entropeg cheat ${textOf(board)} #${value} ${turns.length}`) };
  if (kind === "n" && /^\d+$/.test(value)) return { codemaker: "honest", secret: secretOf(board, Number(value)) };
  const code = kind === "s" ? scramble(value.split("-").map(Number), salt) : [];
  if (code.length !== board.pegs
    || code.some((color) => !(color >= 0 && color < board.colors + (board.blanks === "none" ? 0 : 1)))) {
    refuse(t("This game was begun elsewhere: its secret is not known here, and it can go on in Assist."),
      { field: "token" });
  }
  return { codemaker: "honest", secret: code };
}

async function answerOf(game, turns, guess, here, signal) {
  if (game.codemaker === "honest") return scored(guess, game.secret, here.board.feedback).label;
  return here.work("cheat", { turns, guess, pick: game.pick(turns) }, signal);
}

// ------------------------------------------------------------------ what is said

const fraction = (over, under) => {
  let [a, b] = [Math.abs(over), under];
  while (b) [a, b] = [b, a % b];
  const [top, bottom] = [over / (a || 1), under / (a || 1)];
  return bottom === 1 ? String(top) : `${top}/${bottom}`;
};
const exactly = (over, under = 1) => ({ sign: "=", value: over / under, error: 0, fraction: fraction(over, under) });
/**
 * What rests on what guesses leave, and on no search. Of 1,080 numbers of 120 drawn games three differ from the
 * laboratory's by more than both errors together; the most: counted marks (5x6) .23, black alone (4x8) .78, by place
 * (4x7) .34.
 */
const roughly = (value, { feedback }) => ({ sign: "≈", value, error: feedback === "standard" ? 0.2 : 0.6,
  fraction: null });
const UNKNOWN = { sign: "≈", value: null, error: 0, fraction: null };

const leftOf = (count, codes, here) => ({
  count, about: count, sample: null, method: "list", is_exact: true, exact: true, codes: (codes ?? []).map(here.write),
    says: tn("{n} code left", "{n} codes left", count),
});
const remainingOf = (count, codes, here) => ({ ...leftOf(count, codes, here), says: count === 1 ? t("One code is left.")
  : tn("{n} code is left.", "{n} codes are left.", count) });

function chancesOf({ pegs, presence, count }, here) {
  const names = (values) =>
    Object.fromEntries(values.map((value, color) => [codeText([color], { ...here.rules, pegs: 1 }),
      Math.round((1e9 * value) / count) / 1e9]));
  const sums = pegs[0].map((_, color) => pegs.reduce((sum, peg) => sum + peg[color], 0));
  return { marginals: pegs.map(names), presence: names(presence), copies: names(sums) };
}

const sizesOf = (guess) => guess.parts.map(([, size]) => size);

function ratedOf(guess, count, best, here) {
  const sizes = sizesOf(guess);
  const won = guess.parts.some(([label]) => label === guess.win);
  return {
    guess: here.write(guess.guess), is_candidate: won, candidate: won, chance: won ? 1 / count : 0,
    bits: sizes.reduce((sum, size) => sum + (size / count) * Math.log2(count / size), 0), parts: sizes.length,
    largest: Math.max(...sizes),
    expected_size: sizes.reduce((sum, size) => sum + (size * size) / count, 0), sample: null,
    expected: guess.total === null ? UNKNOWN : exactly(guess.total, count), loss: guess.total === null ? UNKNOWN
    : exactly(guess.total - best, count),
  };
}

const percent = (share) => `${new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 })
  .format(100 * share)} %`;

/** Why a guess is good: what it does to the codes left. */
function whyOf(guess, count, best, here) {
  const code = here.write(guess.guess);
  const [sizes, isCandidate] = [sizesOf(guess), guess.parts.some(([label]) => label === guess.win)];
  if (count === 1) {
    return isCandidate ? t("{code} is the only code left.", { code })
      : t("{code} is not the only code left.", { code });
  }
  if (sizes.length === 1 && !isCandidate)
    return t("{code} tells nothing: the answer is the same for all {total} codes left.", { code, total: count });
  const splits = t("{code} splits the {count} codes left into {parts} groups, the largest of {largest}",
    { code, count, parts: sizes.length, largest: Math.max(...sizes) });
  const wins = isCandidate ? t("it wins now with {chance}",
    { chance: percent(1 / count) }) : t("it cannot win now");
  const lost = guess.total !== null && guess.total > best
    ? `, ${t("and takes {more} guesses more than the best", { more: shown((guess.total - best) / count, 3) })}` : "";
  return `${splits}; ${wins}${lost}.`;
}

function cluesOf(given, turns, here) {
  const { board } = here;
  // Where secrets have no holes, a hole of the guess stands for a peg of no color that any row has.
  const guess = board.blanks === "guesses" ? given.map((color) => (color === board.colors ? color + 1 : color)) : given;
  return turns.flatMap((turn, row) => {
    const would = scored(turn.guess, guess, board.feedback);
    if (would.label === turn.label) return [];
    const told = here.at(turn.label);
    const same = turn.guess.map((color, peg) => color === guess[peg]);
    let pegs = [];
    if (told.marks) pegs = told.marks.flatMap((mark, peg) => (mark === would.marks[peg] ? [] : [peg + 1]));
    else if (would.black > told.black) pegs = same.flatMap((is, peg) => (is ? [peg + 1] : []));
    else if (would.black < told.black && told.black === board.pegs - 1)
      pegs = same.flatMap((is, peg) => (is ? [] : [peg + 1]));
    const words = (feedback) => (feedback.marks ? here.marksText(feedback) : marksInWords(feedback));
    const says = t("were it the secret, row {row} would have got {would}, not {told}",
      { row: row + 1, would: words(would), told: words(told) });
    return [{ row: row + 1, told: here.marksText(told), would_be: here.marksText(would), pegs, says }];
  });
}

// ------------------------------------------------------------------ games

/** Has the worker make ready what hints take, so that the first one waits for nothing; without it, it waits. */
const prepare = (here) => { come().then(() => here.work("ready", {})).catch(() => {}); };

function begun(body, here) {
  const { board } = here;
  const codemaker = String(body.codemaker ?? "honest").split(":")[0];
  if (codemaker !== "honest" && codemaker !== "cheat") needsLaboratory({ field: "codemaker" });
  const made = { rules: textOf(board), codemaker, date: null, secrets: SECRETS };
  if (body.token !== undefined) {
    const token = String(body.token).startsWith("w.") ? unsealed(body.token, body.word, here) : body.token;
    gameOf(token, here);
    return { ...made, kind: "own", number: null, token };
  }
  if (body.secret !== undefined) {
    const secret = codeOf(body.secret, here, "secret");
    const isOne = board.words ? board.words.some((word) => word.join() === secret.join())
      : (board.repeats || new Set(secret).size === secret.length)
      && (board.blanks === "both" || !secret.includes(here.rules.blank));
    if (!isOne) refuse(t("The rules allow no secret {code}.", { code: body.secret }), { field: "secret" });
    const salt = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
    const token = body.word?.trim() ? sealedBy(body.word, secret, salt, here)
      : `s.${scramble(secret, salt).join("-")}.${salt}`;
    return { ...made, kind: "own", number: null, token };
  }
  if (body.secrets === 1 && codemaker === "honest") {
    refuse(t("This number is of an older link, and the laboratory alone knows its secret: here it would hide another code."), { field: "number" });
  }
  const number = body.date ? numberOfDay(body.date) : body.number
    ?? FEWEST + (crypto.getRandomValues(new Uint32Array(1))[0] % (9 * FEWEST));
  if (!Number.isInteger(number) || number < 1 || number > MOST_NUMBER)
    refuse(t("A number is a whole number from 1, such as 123."), { field: "number" });
  const isDaily = made.rules === DAILY && codemaker === "honest" && number < FEWEST;
  if (isDaily) numberOfDay(dayOf(number));
  return { ...made, kind: isDaily ? "daily" : "numbered", number, date: isDaily ? dayOf(number) : null,
    token: `${codemaker === "cheat" ? "c" : "n"}.${number}` };
}

/** Whether a code is a word of the list, where there is one. */
const isWord = (code, { board, facts, write }) => !board.name || facts.words[board.name].has(write(code));

/** Rows that were played while all words were there are believed while they are not. */
function checkPlayed(code, here, where) {
  const { board } = here;
  if (board.isWhole === false && !isWord(code, here)) board.others = Uint8Array.from([...board.others, ...code]);
  else checkWord(code, here, where);
}

function checkWord(code, here, where) {
  if (isWord(code, here)) return;
  refuse(here.board.isWhole ? t("{word} is none of the words that are played here.", { word: here.write(code) })
    : withoutUsual(), where);
}

function checkGuess(guess, turns, here) {
  const { board, rules } = here;
  checkWord(guess, here, { field: "guess" });
  const colors = guess.filter((color) => color !== rules.blank);
  if (!board.guessRepeats && new Set(colors).size < colors.length)
    refuse(t("These rules allow each color once."), { field: "guess" });
  if (!board.hard) return;
  turns.forEach((turn, row) => {
    const { marks } = here.at(turn.label);
    const isKept = marks.every((mark, peg) => mark !== 2 || guess[peg] === turn.guess[peg])
      && turn.guess.every((color) => guess.filter((each) => each === color).length >= turn.guess.filter((each, peg) =>
        each === color && marks[peg] > 0).length);
    if (!isKept)
      refuse(t("A guess has to use every clue: that of row {row} is not used.", { row: row + 1 }),
        { field: "guess", row: row + 1 });
  });
}

/** How many codes turns leave; null where the worker did not come: a game goes on without. */
async function countOf(turns, here, signal) {
  try {
    return (await here.work("left", { turns }, signal)).count;
  } catch (error) {
    if (error.status !== 0) throw error;
    return null;
  }
}

async function answered_(body, signal) {
  const here = await boardOf(body.rules);
  const [turns, game] = [turnsOf(body.turns, here), gameOf(body.token, here)];
  if (stateOf(turns, here) !== "open") refuse(t("This game is over."), { field: "turns" });
  const guess = codeOf(body.guess, here);
  checkGuess(guess, turns, here);
  const clues = cluesOf(guess, turns, here);
  if (body.strict && clues.length > 0) {
    refuse(t("this contradicts row {row}: {why}", { row: clues[0].row, why: clues[0].says }),
      { field: "guess", row: clues[0].row, clues });
  }
  const label = await answerOf(game, turns, guess, here, signal);
  prepare(here);
  const now = [...turns, { guess, label }];
  const state = stateOf(now, here);
  const [left, before] = body.count === false ? [null, null] : [await countOf(now, here, signal),
    await countOf(turns, here, signal)];
  const marks = marksInWords(here.at(label));
  const says = state === "won" ? tn("found in {n} guess", "found in {n} guesses", now.length)
    : state === "lost" ? tn("{marks}, lost after {n} guess", "{marks}, lost after {n} guesses", now.length, { marks })
      : left === null ? marks : tn("{marks}, {n} code left", "{marks}, {n} codes left", left, { marks });
  const secret = state === "open" ? null : state === "won" ? guess : game.secret ?? null;
  return { turn: pairOf(now.at(-1), here), left: left === null ? null : leftOf(left, [], here), before, clues, state,
    secret: secret && here.write(secret), says, next: body.token };
}

async function ended(body, signal) {
  const here = await boardOf(body.rules);
  const [turns, game] = [turnsOf(body.turns, here), gameOf(body.token, here)];
  const state = stateOf(turns, here);
  if (state === "open" && !body.give_up) refuse(t("This game is not over."), { field: "give_up" });
  const code = game.secret ?? (state === "won" ? turns.at(-1).guess
    : (await here.work("left", { turns, number: 1 }, signal)).codes[0]);
  const proof = turns.map((turn, row) => {
    const gets = scored(turn.guess, code, here.board.feedback);
    const [guess, feedback] = pairOf(turn, here);
    return { row: row + 1, guess, feedback, holds: gets.label === turn.label, says: t("{guess} against {code}: {marks}",
      { guess, code: here.write(code), marks: marksInWords(gets) }) };
  });
  const says = game.secret ? t("the secret was {secret}", { secret: here.write(code) })
    : t("the codemaker had settled on nothing: {code} fits every answer", { code: here.write(code) });
  return { secret: game.secret ? here.write(code) : null, revealed: here.write(code), proof, state: state === "open"
    ? "given up" : state, says };
}

async function position(body, signal) {
  const here = await boardOf(body.rules);
  const turns = body.rows ? rowsOf(body.rows, here) : turnsOf(body.turns, here);
  const found = await here.work("left", { turns }, signal);
  const chances = found.count > 0 ? chancesOf(found, here) : { marginals: null, presence: null, copies: null };
  const conflict = found.count > 0 ? null : t("no code fits all the rows: at least one of them is wrong");
  return { rules: here.rules.text, left: leftOf(found.count, found.codes, here), ...chances,
    state: stateOf(turns, here), conflict };
}

// ------------------------------------------------------------------ help

function begunGuess(text, here) {
  if (!text) return null;
  const isWhole = readCode(text, here.rules);
  return isWhole ? { whole: isWhole } : { whole: null };
}

const step = (kind, says, more = {}) => ({ kind, says, row: null, pegs: [], code: null, ...more });

function stepsAgainst(guess, turns, here) {
  if (!guess?.whole) return [];
  const clues = cluesOf(guess.whole, turns, here);
  if (clues.length === 0) return [];
  const clue = clues.find(({ pegs }) => pegs.length > 0) ?? clues[0];
  const told = pairOf(turns[clue.row - 1], here).join(" ");
  const answer = t("were {guess} the secret, row {row} would have got {would}, not {told}",
    { guess: here.write(guess.whole), row: clue.row, would: clue.would_be, told: clue.told });
  const pegs = clue.pegs.length === 0 ? t("No peg shows it alone: {answer}.", { answer })
    : tn("Peg {pegs} shows it: {answer}.", "Pegs {pegs} show it: {answer}.", clue.pegs.length, {
    pegs: listed(clue.pegs.map(String)), answer,
  });
  return [step("contradiction", t("The guess in the making contradicts row {row} ({turn}).",
    { row: clue.row, turn: told }), { row: clue.row }), step("pegs", pegs, { row: clue.row, pegs: clue.pegs })];
}

async function hints(body, signal) {
  const here = await boardOf(body.rules);
  const turns = turnsOf(body.turns, here);
  const found = await here.work(body.best === false ? "left" : "advice",
    { turns, limit: 1, codes: 1, isLast: isLast(turns, here) }, signal);
  if (found.count === 0) refuse(t("no code fits all the rows: at least one of them is wrong"), { field: "turns" });
  const steps = [step("left", remainingOf(found.count, [], here).says), ...stepsAgainst(begunGuess(body.guess, here),
    turns, here)];
  const kinds = ["kind", "shape", "guess", "why"].slice(found.count === 1 ? 2 : found.count === 2 ? 1 : 0);
  if (body.best === false) return { steps, further: kinds };
  const [best] = found.guesses;
  const code = here.write(best.guess);
  const isCandidate = best.parts.some(([label]) => label === best.win);
  const names = [...new Set(best.guess)];
  const shape = best.guess.map((color) => "abcdefghij"[names.indexOf(color)]).join("");
  const all = [
    step("kind", isCandidate ? t("The best guess may be the secret.")
      : t("The best guess cannot be the secret: it asks.")),
    step("shape", tn("A good guess has {n} color only, in the shape of {shape}.",
      "A good guess has {n} colors, in the shape of {shape}.", names.length, { shape })),
    step("guess", t("A good guess is {code}.", { code }), { code }),
    step("why", whyOf(best, found.count, best.total, here), { code }),
  ];
  return { steps: [...steps, ...all.filter(({ kind }) => kinds.includes(kind))], further: [] };
}

/**
 * A row as it was noted, `AABB: XO` or `AB?C 1 ?`: a turn, or one with ranges where a part is unknown; null where it is
 * none.
 */
function rowOf(row, { rules, board }) {
  const [, guess, marks] = /^\s*(\S+?)\s*(?:->|→|=>|[=:|]|\s)\s*(.+?)\s*$/.exec(row) ?? [];
  const pegs = guess && (readCode(guess, rules) ?? readPart(guess, rules));
  const told = marks && readTold(marks, rules);
  if (!pegs || told === undefined) return null;
  const feedback = drawable(told, rules);
  // All but one peg in place, and the last one elsewhere, is no answer.
  const isNone = feedback && (feedback.black + (feedback.white ?? 0) > board.pegs
    || (board.feedback !== "membership" && feedback.black === board.pegs - 1 && feedback.white === 1));
  if (isNone) return null;
  if (feedback && !pegs.includes(null)) return { guess: pegs, label: labelOf(feedback, board.pegs, board.feedback) };
  return { guess: pegs, ranges: told?.ranges
    ?? Array.from({ length: isByPeg(rules) ? board.pegs : rules.numbers.length }, () => [0, null]) };
}

function rowsOf(rows, here) {
  const { board, write } = here;
  return rows.map((row, at) => {
    const place = { field: `rows.${at}`, row: at + 1 };
    const turn = rowOf(row, here);
    if (turn === null)
      refuse(t("Row {n} cannot be read: write it as {example}.",
        { n: at + 1,
          example: `${write(Array.from({ length: board.pegs }, (_, peg) => peg % board.colors))} ${isByPeg(here.rules)
            ? ".".repeat(board.pegs) : "XO"}` }), place);
    if (turn.ranges && board.hard) needsLaboratory(place);
    if (!turn.guess.includes(null)) checkPlayed(turn.guess, here, place);
    return turn;
  });
}

/** The contradiction in some rows: `isAfterwards` says that the game was right, and the notes of it are wrong. */
async function contradiction(turns, sure, isAfterwards, here, signal) {
  const found = await here.work("mends", { turns, sure: sure.map((row) => row - 1), isAfterwards }, signal);
  const text = (turn) => rowText(turn, here);
  return contradictionTold(found, turns.map(text), isAfterwards ? "afterwards" : "live", text);
}

async function advice(body, signal) {
  const here = await boardOf(body.rules);
  if (body.players?.length > 0) needsLaboratory({ field: "players" });
  const turns = rowsOf(body.rows ?? [], here);
  const told = { rules: here.rules.text, rows: body.rows ?? [], state: stateOf(turns, here), advice: null, players: [],
    contradiction: null };
  if (told.state !== "open") return told;
  const also = (body.also ?? []).map((text, at) => codeOf(text, here, `also.${at}`));
  also.forEach((guess) => checkGuess(guess, turns, here));
  const began = performance.now();
  const found = await here.work("advice", { turns, limit: body.limit ?? 5, also, codes: body.codes ?? 48,
    isLast: isLast(turns, here) }, signal);
  if (found.count === 0) return { ...told, contradiction: await contradiction(turns, body.sure ?? [], false, here,
    signal) };
  const best = found.guesses[0].total;
  // After the guesses of a table it has what the best play takes, not which guesses do.
  const value = best ?? found.stored?.total ?? null;
  const rate = (guess) => ratedOf(guess, found.count, best, here);
  const answers = found.guesses[0].parts.map(([label, size]) => ({ feedback: here.marksText(here.at(label)),
    codes: size, chance: size / found.count }));
  return {
    ...told,
    advice: {
      rules: here.rules.text, left: remainingOf(found.count, found.codes, here),
      value: value === null ? UNKNOWN : exactly(value, found.count), proven: found.isExact,
      keeps_limit: true, last_guess: isLast(turns, here) && found.count > 1,
      guesses: found.guesses.map(rate), also: found.also.map(rate),
      says: [...found.guesses, ...found.also].map((guess) => whyOf(guess, found.count, best, here)), answers,
      ...chancesOf(found, here), seconds: (performance.now() - began) / 1000,
    },
  };
}

async function mends(body, signal) {
  const here = await boardOf(body.rules);
  const turns = rowsOf(body.rows ?? [], here);
  const { count } = await here.work("left", { turns, number: 0 }, signal);
  if (count > 0) return { contradiction: null, says: tn("{n} code fits the rows.", "{n} codes fit the rows.", count) };
  const told = await contradiction(turns, body.sure ?? [], !body.live, here, signal);
  return { contradiction: told, says: told.says };
}

/** What lines of a text say beside rows: `rules: 4x6`, `secret: ABCD`, `entropeg notes 1: 4x6`. */
const HEADS = { rules: /^(?:rules\s*[:=]|entropeg \S+(?: \d+)?:?)\s*([^\s#]*).*$/i,
  secret: /^secret\s*[:=]\s*(\S+)$/i };

/** The rules of a text that says none, by its first row: a guess and something behind it. */
function assumed(line = "AABB XO") {
  const [guess] = /^[^\s:=|→-]+(?=[\s:=|→-].*[^\s:=|>→])/.exec(line)
    ?? refuse(t("Row {n} cannot be read: write it as {example}.", { n: 1, example: "AABB XO" }),
      { field: "rows.0", row: 1 });
  const isDigits = /^\d+$/.test(guess);
  return guess.length === 5 ? `5x${isDigits ? "8/digits" : "8"}` : `${guess.length}x6${isDigits ? "/digits" : ""}`;
}

/** A text of rows, with its rules: {here, turns, secret}. */
async function readText({ text, rules: given = null }) {
  const lines = text.split(/[;\n]/).map((line) => line.replace(/^\s*\d{1,3}[.)]\s+/, "").trim())
    .filter((line) => line && !line.startsWith("#"));
  const said = (head) => lines.map((line) => HEADS[head].exec(line)?.[1]).find(Boolean);
  const noted = lines.filter((line) => !Object.values(HEADS).some((head) => head.test(line)));
  const named = text.trimStart().startsWith("entropeg") ? said("rules") : given ?? said("rules");
  const here = await boardOf(named ?? assumed(noted[0]));
  const secret = said("secret");
  return { here, turns: rowsOf(noted, here), secret: secret ? here.write(codeOf(secret, here, "text")) : null,
    isAssumed: !named };
}

async function rows(body) {
  const { here, turns } = await readText(body);
  return { rules: here.rules.text, rows: turns.map((turn) => rowText(turn, here)) };
}

/** The games of a text, or the one that was played here or came by a link. */
async function gamesOf({ text, rules, turns: given, secret = null, codemaker = "" }) {
  const read = text === undefined ? { here: await boardOf(rules), secret, isAssumed: false }
    : await readText({ text, rules });
  const { here } = read;
  const turns = text === undefined ? turnsOf(given, here) : read.turns;
  const part = turns.findIndex(({ ranges }) => ranges);
  if (part >= 0)
    refuse(t("Row {n} is not whole: a review needs every peg and every mark.", { n: part + 1 }),
      { field: "text", row: part + 1 });
  return {
    games: [{
      name: text === undefined ? t("the game") : t("the text"), rules: here.rules.text, codemaker, codebreaker: "",
        assumed: read.isAssumed, secret: read.secret,
      won: turns.length > 0 && here.at(turns.at(-1).label).black === here.board.pegs,
      turns: turns.map((turn) => pairOf(turn, here)),
    }],
  };
}

// ------------------------------------------------------------------ the explorer, watching, reviews

async function explore(body, signal) {
  const here = await boardOf(body.rules);
  const turns = turnsOf(body.turns, here);
  const state = stateOf(turns, here);
  const guess = body.guess ? codeOf(body.guess, here) : null;
  if (guess) checkGuess(guess, turns, here);
  const pairs = turns.map((turn) => pairOf(turn, here));
  const command = ["entropeg explore", here.rules.text, ...pairs.map((pair) => `"${pair.join(" ")}"`)].join(" ");
  const began = performance.now();
  const found = await here.work("explore", { turns, ...(guess && { guess }), limit: Math.min(body.limit ?? 100, 40),
    codes: body.codes ?? 48 }, signal);
  if (found.count === 0) refuse(t("no code fits all the rows: at least one of them is wrong"), { field: "turns" });
  const told = { rules: here.rules.text, turns: pairs, state, left: remainingOf(found.count, found.codes, here),
    keeps_limit: true, command };
  const over = { value: null, worst: null, source: "searched", moves: [], others: 0, chosen: null, answers: [],
    seconds: 0 };
  if (state !== "open")
    return { ...told, ...over, says: state === "won" ? t("The game is won.") : t("The game is lost.") };
  const { count, isExact, stored } = found;
  const best = found.moves[0].total;
  const mean = (total) => (total === null ? UNKNOWN : exactly(total, count));
  const move = (each) => ({
    guess: here.write(each.guess), alike: each.alike ?? 1, mean: mean(each.total), loss: each.total === null ? UNKNOWN
      : exactly(each.total - best, count), worst: each.worst,
    candidate: each.parts.some(([label]) => label === each.win), parts: each.parts.length,
  });
  const answers = found.answers.map(({ label, size, total, worst }) => ({
    feedback: here.marksText(here.at(label)), codes: size, chance: size / count, mean: total === null ? null
      : exactly(total, size), worst,
    luck: total === null || found.chosen.total === null ? null : exactly((found.chosen.total - count) * size - total
      * count, count * size),
  }));
  const moves = found.moves.map(move);
  const [value, worst] = stored ? [stored.total, stored.worst] : [best, found.worst];
  const least = { mean: shown(value / count, 3), worst: String(worst) };
  const says = stored ? t("Least mean = {mean} guesses, least worst case {worst}: exact, from the table.", least)
    : !isExact
      ? t("Exact numbers of this position need the laboratory: here guesses are in the order of what they tell.")
    : worst === null ? t("Least mean = {mean} guesses: exact, searched.", least)
      : t("Least mean = {mean} guesses, least worst case {worst}: exact, searched.", least);
  const others = found.all - found.moves.reduce((sum, { alike }) => sum + alike, 0);
  const source = stored ? "table" : isExact ? "searched" : "estimated";
  return { ...told, value: mean(value), worst, source, says, moves, others,
    chosen: move(found.chosen), answers, seconds: (performance.now() - began) / 1000 };
}

async function watch(body, signal) {
  const here = await boardOf(body.rules);
  const codebreaker = body.codebreaker ?? "entropy";
  const codemaker = body.codemaker ?? "honest";
  if (!PLAYERS.includes(codebreaker)) needsLaboratory({ field: "codebreaker" });
  if (!["honest", "cheat"].includes(codemaker)) needsLaboratory({ field: "codemaker" });
  const seed = body.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  const secret = body.secret ? codeOf(body.secret, here, "secret") : secretOf(here.board, seed + MOST_NUMBER);
  const game = codemaker === "cheat" ? gameOf(`c.${seed}`, here) : { codemaker, secret };
  const [turns, told] = [[], []];
  while (stateOf(turns, here) === "open" && turns.length < (body.steps ?? 100)) {
    const guess = await here.work("choose", { turns, player: codebreaker }, signal);
    const label = await answerOf(game, turns, guess, here, signal);
    const { answers, count } = await here.work("answers", { turns, guess }, signal);
    const mine = answers.find(([each]) => each === label)[1];
    const [text, marks] = pairOf({ guess, label }, here);
    told.push({
      guess: text, feedback: marks, before: count, after: mine, sample: null, chance: mine / count,
        answers: answers.map(([each, size]) => ({ feedback: here.marksText(here.at(each)), codes: size,
          chance: size / count })),
      says: t("{guess} got {marks}: {after} of {before} codes left.",
        { guess: text, marks, after: mine, before: count }),
    });
    turns.push({ guess, label });
  }
  return { rules: here.rules.text, codebreaker, codemaker, seed, secret: game.secret ? here.write(game.secret) : null,
    turns: told, state: stateOf(turns, here), seconds: 0 };
}

/** What a loss is called, as in `entropeg.review.turns.Thresholds`; of two codes there is nothing to choose. */
function markOf(loss, codes) {
  if (codes <= 2) return null;
  if (loss <= 0) return "best";
  return [[0.06, "good"], [0.15, "inaccuracy"], [0.3, "mistake"]].find(([most]) => loss <= most)?.[1]
    ?? (loss >= 1 ? "wasted" : "blunder");
}

/** Luck in words, with the one sign that it has everywhere: what it saved. */
function luckSaid(luck) {
  if (Math.abs(luck) < 0.005) return t("luck {luck}", { luck: shown(0, 2) });
  return luck > 0 ? t("good luck {luck}", { luck: `+${shown(luck, 2)}` })
    : t("bad luck {luck}", { luck: `−${shown(-luck, 2)}` });
}

async function reviewOf({ rules, turns: pairs, secret = null, name = t("the game") }, signal) {
  const here = await boardOf(rules);
  const turns = turnsOf(pairs, here);
  if (turns.length === 0) refuse(t("There is no turn to review."), { field: "turns" });
  if ((await here.work("left", { turns, number: 0 }, signal)).count === 0)
    refuse(t("no code fits all the rows: at least one of them is wrong"), { field: "turns" });
  const { isExact, turns: found } = await here.work("review", { turns }, signal);
  const known = (over, under) => (isExact ? exactly(over, under) : roughly(over / under, here.board));
  const exact = (one) => known(one.over, one.under);
  const minus = (one, other) => ({ over: one.over * other.under - other.over * one.under,
    under: one.under * other.under });
  const reviewed = found.map((turn, row) => {
    const [value, expected, left] = [[turn.value, turn.before], [turn.total, turn.before],
      [turn.left, turn.after]].map(([over, under]) => ({ over, under }));
    const luck = minus(minus(expected, { over: 1, under: 1 }), left);
    const [loss, guess] = [minus(expected, value), here.write(turns[row].guess)];
    const clues = cluesOf(turns[row].guess, turns.slice(0, row), here);
    return {
      parts: { loss: loss.over / loss.under, luck: luck.over / luck.under },
      told: {
        guess, feedback: pairOf(turns[row], here)[1], before: turn.before, after: turn.after,
          mark: markOf(loss.over / loss.under, turn.before), loss: exact(loss), luck: exact(luck), value: exact(value),
          expected: exact(expected), left: exact(left),
        best: here.write(turn.best), best_expected: exact(value), best_possible: turn.possible
        && here.write(turn.possible[0]), best_possible_expected: turn.possible && known(turn.possible[1], turn.before),
        possible: turn.isPossible, chance: turn.after / turn.before, rarity: turn.good / turn.before, clues,
      },
    };
  });
  const sum = (key) => reviewed.reduce((total, { parts }) => total + parts[key], 0);
  const about = (value) => (isExact ? { sign: "=", value, error: 0, fraction: null } : roughly(value, here.board));
  const [par, loss, luck, rest] = [found[0].value / found[0].before, sum("loss"), sum("luck"),
    found.at(-1).left / found.at(-1).after];
  const isWon = stateOf(turns, here) === "won";
  const played = tn("{n} guess", "{n} guesses", turns.length)
    + (rest > 0 ? ` ${t("+ {n} to come", { n: shown(rest + 1e-12, 2) })}` : "");
  const parts = { guesses: played, par: shown(par + 1e-12, 2), loss: shown(loss + 1e-12, 2),
    luck: luckSaid(luck) };
  const account = isExact ? t("{guesses}: par {par}, lost {loss}, {luck}", parts)
    : t("{guesses}: par ≈ {par}, lost ≈ {loss}, {luck} (estimates)", parts);
  const says = reviewed.map(({ told }) => [
    ...(told.clues.length > 0
      ? [t("row {row} rules {guess} out as the secret: it got {told}, and would have got {would}",
        { row: told.clues[0].row, guess: told.guess, told: told.clues[0].told, would: told.clues[0].would_be })] : []),
    ...(told.loss.value > 0
      ? [t("{best} takes {less} guesses less than {guess}", { best: told.best, less: shown(told.loss.value, 3),
        guess: told.guess })] : []),
  ]);
  return {
    rules: here.rules.text, others: [], answers: null, level: null,
    game: { name, rules: here.rules.text, codemaker: "", codebreaker: "", assumed: false, secret, won: isWon,
      turns: turns.map((turn) => pairOf(turn, here)) },
    review: { format: "entropeg review 1", rules: here.rules.text, guesses: turns.length, won: isWon, late: false,
      exact: isExact, par: known(found[0].value, found[0].before), loss: about(loss), luck: about(luck),
      remaining: known(found.at(-1).left, found.at(-1).after), adjusted: about(turns.length + rest + luck),
      turns: reviewed.map(({ told }) => told) },
    says: { account, adjusted: t("without luck: {n} guesses", { n: shown(turns.length + rest + luck, 2) }), turns: says,
      answers: "", level: "" },
  };
}

/** A guess in the place of one that was played, or in a puzzle: its loss, and why. */
async function weighed(text, rules, pairs, signal) {
  const here = await boardOf(rules);
  const turns = turnsOf(pairs, here);
  const guess = codeOf(text, here);
  checkGuess(guess, turns, here);
  const found = await here.work("advice", { turns, limit: 1, also: [guess], codes: 0 }, signal);
  if (!found.isExact) needsLaboratory({ field: "puzzle" });
  const [best, mine] = [found.guesses[0].total, found.also[0]];
  const loss = (mine.total - best) / found.count;
  return { says: whyOf(mine, found.count, best, here), codes: [here.write(guess)], solved: loss === 0, loss, points: 0,
    clues: cluesOf(guess, turns, here) };
}

/** Puzzles made beforehand, of a theme and between two difficulties; which comes first follows from the seed. */
async function drawnPuzzle({ rules, theme = "", seed = 0, skip = 0, least = 0, most = 1 }) {
  const { facts } = await boardOf(rules);
  const { rules: board, puzzles } = await written(`puzzles.${language()}`);
  if (shownRules(readRules(rules, facts), facts).can.train.length === 0)
    refuse(t("Puzzles were made for {rules} here; others need the laboratory: install entropeg, then “entropeg serve”.",
      { rules: board }), { field: "rules" });
  const fitting = puzzles.filter(({ shown: { theme: its, difficulty } }) => (!theme || its === theme)
    && (difficulty === null ? Number(least) === 0 : difficulty >= least && difficulty <= most));
  if (fitting.length === 0)
    refuse(t("There is no puzzle of this difficulty here: choose another one."), { field: "least" });
  return fitting[(Number(seed) + Number(skip)) % fitting.length].shown;
}

async function puzzleOf(named) {
  const { puzzles } = await written(`puzzles.${language()}`);
  return puzzles.find(({ shown: { puzzle } }) => ["theme", "seed",
    "number"].every((name) => puzzle[name] === named[name])) ?? needsLaboratory({ field: "puzzle" });
}

/** Why a guess does not solve a puzzle: a row that it contradicts, where one code is left; else what it loses. */
function missed({ theme }, { codes, clues, loss }) {
  const [[code], [clue]] = [codes, clues];
  if (theme !== "deduce") {
    return t("{code} is not it: {loss} guesses more are expected than with the best.",
      { code, loss: loss + 1e-12 }); // two digits of whole numbers, too
  }
  return t("{code} is not it: row {row} would have got {would}, not {told}.",
    { code, row: clue.row, would: clue.would_be, told: clue.told });
}

async function judged({ puzzle, guess, row, hints: opened = 0, tried = 0 }, signal) {
  if (puzzle?.learn) return weighed(guess, puzzle.learn.rules, puzzle.learn.turns.slice(0, -1), signal);
  const { shown: asked, answers, solution } = await puzzleOf(puzzle);
  const points = Math.max(1, asked.points - opened - tried);
  const isSolved = asked.answer === "row" ? Number(row) === solution.row
    : answers.includes(codeText(codeOf(guess, await boardOf(asked.rules)), (await boardOf(asked.rules)).rules));
  if (isSolved) return { says: t("This solves it."), codes: [], solved: true, loss: 0, points, clues: [] };
  if (asked.answer === "row") {
    return { says: t("Not row {row}: without it the others contradict one another.", { row }), codes: [],
      solved: false, loss: null, points: 0, clues: [] };
  }
  const found = await weighed(guess, asked.rules, asked.turns, signal);
  return { ...found, says: missed(asked, found), solved: false };
}

// ------------------------------------------------------------------ what is answered

const OPERATIONS = {
  "GET about": async () => {
    const { about } = await written(`facts.${language()}`);
    const today = new Date().toISOString().slice(0, 10);
    return { ...about, language: language(), kernels: { state: "ready", says: "", seconds: null },
      daily: { number: numberOfDay(today), date: today, rules: DAILY }, is_public: false };
  },
  "GET rules": async ({ query }) => (await boardOf(query.text)).rules,
  "GET daily": ({ query }) => (query.number ? { number: Number(query.number), date: dayOf(Number(query.number)),
    rules: DAILY } : { number: numberOfDay(query.date), date: query.date, rules: DAILY }),
  "POST games": async ({ body }) => {
    const here = await boardOf(body.rules);
    const made = begun(body, here);
    prepare(here);
    return made;
  },
  "POST answers": ({ body, signal }) => answered_(body, signal),
  "POST games/end": ({ body, signal }) => ended(body, signal),
  "POST positions": ({ body, signal }) => position(body, signal),
  "POST hints": ({ body, signal }) => hints(body, signal),
  "POST advice": ({ body, signal }) => advice(body, signal),
  "POST mends": ({ body, signal }) => mends(body, signal),
  "POST rows": ({ body }) => rows(body),
  "POST explore": ({ body, signal }) => explore(body, signal),
  "POST watch": ({ body, signal }) => watch(body, signal),
  "POST reviews": async ({ body, signal }) => ({ games: [await reviewOf(body, signal)] }),
  "GET puzzles": ({ query }) => drawnPuzzle(query),
  "POST puzzles/judge": ({ body, signal }) => judged(body, signal),
  "POST puzzles/hints": async ({ body }) => (await puzzleOf(body.puzzle)).hints[body.step - 1]
  ?? refuse(t("There are no more hints."), { field: "step" }),
  "POST puzzles/solution": async ({ body }) => (await puzzleOf(body.puzzle)).solution,
  "POST reviews/games": ({ body }) => gamesOf(body),
};

/** Answers one question of the page; throws `Refused` where it cannot. */
export async function answered(method, path, { query = {}, body = {}, signal = undefined } = {}) {
  const operation = OPERATIONS[`${method} ${path}`];
  if (!operation) needsLaboratory();
  return operation({ query, body, signal });
}
