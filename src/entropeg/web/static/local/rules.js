// Rules on the page without a server: read from their text, described as the laboratory describes them, and numbers of
// puzzles.

import { drawn } from "./sha256.js";
import { number as shown, t, tn } from "../texts.js";

/** Boards that are played here: of more codes nobody counts those left in a browser's time. */
const MOST = { pegs: 5, colors: 10, codes: 33_000 };
const KINDS = ["standard", "black", "membership", "positional"];
/**
 * As `entropeg.web.numbered`: how secrets are drawn, the first number that is no day, the daily board and its first
 * day.
 */
export const SECRETS = 2;
export const FEWEST = 100_000;
export const DAILY = "4x6/limit=10";
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** What is refused, as the laboratory refuses it: a sentence, and where. */
export class Refused extends Error {
  constructor(message, more = {}) {
    super(message);
    Object.assign(this, { status: 422, field: null, row: null, expected: null, data: more }, more);
  }
}

/** @returns {never} */
export const refuse = (message, more) => { throw new Refused(message, more); };

/** The one line of all that the laboratory alone does. */
export const needsLaboratory = (more = {}) =>
  refuse(t("This needs the laboratory: install entropeg, then “entropeg serve”."), { status: 501, ...more });

const OPTIONS = new Set(["no-repeats", "guess-repeats", "blanks", "blanks-in-secrets", "hard", "digits", ...KINDS]);

function optionsOf(parts) {
  const found = { limit: null, pegs: null, probes: null, digest: null };
  const names = new Set();
  for (const part of parts) {
    const [, name, value] = /^(limit|pegs|digest|probes)=(\w+)$/.exec(part) ?? [];
    if (name === "limit" && /^[1-9]\d{0,3}$/.test(value)) found.limit = Number(value);
    else if (name === "pegs") found.pegs = Number(value);
    else if (name === "probes" || name === "digest") found[name] = value;
    else {
      if (!OPTIONS.has(part)) {
        refuse(t("This page plays no boards with “{option}”: such rules, if there are any, need the laboratory.",
          { option: part.slice(0, 40) }), { status: 501, field: "rules" });
      }
      names.add(part);
    }
  }
  return { ...found, names };
}

/** The text of rules in full, where it is a name. */
export const spelled = (text, facts) => (facts.about.presets.find(({ name }) => name === text.trim()
  .toLowerCase())?.text ?? text).trim();

/** The board of a list of words, with those of its boards that rules name: see `site/facts`. */
function boardOfWords(list, { limit, letters, feedback, hard, probes, digest }) {
  if (letters !== null && letters !== list.pegs) needsLaboratory({ field: "rules" });
  if (feedback !== "positional") needsLaboratory({ field: "rules" });
  const told = list.boards[probes === null ? "listed" : "usual"];
  if (!told || (probes !== null && probes !== list.name)) {
    refuse(t("Beside the words of a list this page takes the usual ones of its own language: write “probes={name}”; others need the laboratory.", { name: list.name }), { status: 501, field: "rules" });
  }
  if (digest !== null && digest !== told.digest) {
    refuse(t("These rules are of other words than this page has, whose secrets have other numbers: leave “digest” out to play by its own."),
      { field: "rules" });
  }
  const { name, pegs, words, others, isWhole, openings, symbols } = list;
  return {
    size: `words:${name}/pegs=${pegs}${probes === null ? "" : `/probes=${name}`}`, name, pegs, colors: symbols.length,
    limit, feedback, hard, repeats: true, guessRepeats: true, blanks: "none", alphabet: "", digest: told.digest,
    says: told.says, words, others, isWhole, count: words.length,
    opening: openings?.[hard ? "hard" : "free"] ?? null,
  };
}

/** A board from the text of its rules; throws Refused for those that are no rules, or not played here. */
export function readRules(text, facts) {
  const [size, ...parts] = spelled(text, facts).split("/");
  const { limit, pegs: letters, probes, digest, names } = optionsOf(parts);
  const feedback = KINDS.find((kind) => kind !== "standard" && names.has(kind)) ?? "standard";
  const hard = names.has("hard");
  const list = facts.words[/^words:(\w+)$/.exec(size)?.[1]];
  if (list) return boardOfWords(list, { limit, letters, feedback, hard, probes, digest });
  if (probes !== null) needsLaboratory({ field: "rules" });
  const [, pegs, colors] = (/^(\d+)x(\d+)$/.exec(size) ?? []).map(Number);
  if (!pegs)
    refuse(t("“{text}” cannot be read as rules: they are written as 4x6.", { text: text.slice(0, 40) }),
      { field: "rules", expected: "4x6" });
  if (hard && feedback !== "positional")
    refuse(t("Clues are used by marks at each peg alone: choose those, or leave “hard” out."), { field: "rules" });
  const alphabet = names.has("digits") ? "digits" : "";
  const repeats = !names.has("no-repeats");
  const blanks = names.has("blanks-in-secrets") ? "both" : names.has("blanks") ? "guesses" : "none";
  const isDrawn = repeats || blanks !== "both";
  if (pegs > MOST.pegs || colors > MOST.colors || colors < 2 || !isDrawn || !facts.symbols[`${alphabet}${colors}`]) {
    refuse(t("This page plays up to {pegs} pegs and {colors} colors; larger boards need the laboratory: install entropeg, then “entropeg serve”.", MOST), { field: "rules" });
  }
  if (!repeats && pegs > colors)
    refuse(t("{pegs} pegs without repeats need as many colors.", { pegs }), { field: "rules" });
  const guessRepeats = repeats || names.has("guess-repeats");
  const count = repeats ? (colors + (blanks === "both" ? 1 : 0)) ** pegs : Array.from({ length: pegs },
    (_, peg) => colors - peg).reduce((one, other) => one * other, 1);
  if (count > MOST.codes || (guessRepeats && !repeats && colors ** pegs > MOST.codes)) {
    refuse(t("This page plays boards of up to {codes} codes; larger ones need the laboratory: install entropeg, then “entropeg serve”.", MOST), { field: "rules" });
  }
  return { size, name: null, pegs, colors, limit, feedback, hard, repeats, guessRepeats, blanks, alphabet, digest: null,
    words: null, count };
}

/** The text of rules as the laboratory writes it. */
export function textOf({ size, repeats, guessRepeats, blanks, feedback, hard, alphabet, limit, digest }) {
  return [
    size, !repeats && "no-repeats", !repeats && guessRepeats && "guess-repeats", blanks === "guesses" && "blanks",
      blanks === "both" && "blanks-in-secrets",
    feedback !== "standard" && feedback, hard && "hard", alphabet, limit !== null && `limit=${limit}`,
    digest && `digest=${digest}`,
  ].filter(Boolean).join("/");
}

function described(board, facts, symbols) {
  const { pegs, colors, feedback, hard, repeats, guessRepeats, blanks, limit, name } = board;
  return [
    ...(name ? [board.says]
      : [tn("{n} peg", "{n} pegs", pegs), `${tn("{n} color", "{n} colors", colors)} (${symbols.map(({ text }) => text)
        .join(" ")})`]),
    !repeats && (guessRepeats ? t("no color twice in the secret") : t("no color twice")),
    blanks === "both" && t("blanks (.) in guesses and secrets"), blanks === "guesses" && t("blanks (.) in guesses"),
    feedback !== "standard" && facts.kinds[feedback].summary, hard && t("each guess uses every clue"),
    tn("{n} secret", "{n} secrets", board.count), limit !== null && tn("{n} guess", "{n} guesses", limit),
  ].filter(Boolean).join(", ");
}

/** How pegs of each color look. */
const symbolsOf = (board, facts) => (board.name ? facts.words[board.name].symbols
  : facts.symbols[`${board.alphabet}${board.colors}`]).map(({ outline, ...symbol }, index) =>
  ({ index, ...facts.outlines[outline ?? index], ...symbol }));

/** The facts of rules, as `/api/rules` tells them. */
export function shownRules(board, facts) {
  const { pegs, colors, limit, feedback, hard, repeats, guessRepeats, blanks, words, name, count } = board;
  const symbols = symbolsOf(board, facts);
  const kind = facts.kinds[feedback];
  const isSmall = count <= 1400;
  return {
    text: textOf(board), pegs, colors, limit, feedback, hard, repeats, guess_repeats: guessRepeats, blanks, shapes: 0,
      words: words !== null,
    secrets: shown(count), secret_count: count, says: described(board, facts, symbols), symbols, more_symbols: 0,
    blank: blanks === "none" ? null : colors,
    symmetric: words === null, notation: kind.notation[pegs],
    numbers: kind.numbers, legend: name ? facts.words[name].legend : kind.legend, answers: null,
    can: { count: true, advise: true, exact: isSmall && feedback !== "membership", review: true,
      train: textOf({ ...board, limit: null }) === "4x6" ? facts.about.themes : [], prove: false },
  };
}

// ------------------------------------------------------------------ numbers

/** The secret of a number: the same as in the laboratory (`entropeg.web.numbered.secret_of`). */
export function secretOf(board, number) {
  const begins = `entropeg ${SECRETS} ${textOf(board)} #${number}`;
  if (board.words) return [...board.words[drawn(`${begins} 1`) % board.words.length]];
  const colors = Array.from({ length: board.colors + (board.blanks === "both" ? 1 : 0) }, (_, color) => color);
  return Array.from({ length: board.pegs }, (_, peg) => {
    const place = drawn(`${begins} ${peg + 1}`) % colors.length;
    return board.repeats ? place : colors.splice(place, 1)[0];
  });
}

/** The number of a day's puzzle; throws Refused before the first, and after tomorrow. */
export function numberOfDay(date, now = Date.now()) {
  const day = Math.round((Date.parse(`${date}T00:00Z`) - FIRST_DAY) / DAY) + 1;
  if (!(day >= 1)) refuse(t("The first daily puzzle is that of {day}.", { day: "2026-01-01" }), { field: "date" });
  if (day > Math.floor((now - FIRST_DAY) / DAY) + 2)
    refuse(t("The puzzle of {day} is not out yet.", { day: date }), { field: "date" });
  return day;
}

/** The day of a daily puzzle. */
export const dayOf = (number) => new Date(FIRST_DAY + (number - 1) * DAY).toISOString().slice(0, 10);
