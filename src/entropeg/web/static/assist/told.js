// Reads and writes rows of notes, as the laboratory writes them: guesses and feedback of which a part may be unknown.

import { colorOf, hasNames, isPlain, readCode, unknownMark } from "../codes.js";
import { t } from "../texts.js";
import { countInWords, drawable, isByPeg, markWords, marksInWords } from "../parts/marks.js";

/** Past so many marks feedback is written in numbers. */
const MOST_WRITTEN = 12;

/** Reads what `codeText` wrote: a list of colors and nulls, or null where it is no guess of the rules. */
export function readPart(text, rules) {
  const mark = unknownMark(rules);
  if (text === mark) return Array(rules.pegs).fill(null);
  if (hasNames(rules)) return readCode(text, rules);
  const parts = isPlain(rules) ? [...text] : text.split("-");
  if (parts.length !== rules.pegs) return null;
  const pegs = parts.map((part) => (part === mark ? null : colorOf(part, rules) ?? undefined));
  return pegs.includes(undefined) ? null : pegs;
}

/** Writes feedback as the laboratory does. */
export function writeTold(told, rules) {
  if (told === null) return "?";
  const { ranges } = told;
  if (hasNames(rules)) return rules.answers.answers[ranges[0][0]];
  if (isByPeg(rules)) return ranges.map(([least, most]) => (most === null ? "?" : ".OX"[least])).join("");
  const sum = ranges.reduce((all, [least]) => all + least, 0);
  const isOpen = ranges.every(([, most]) => most === null);
  const isExact = ranges.every(([, most]) => most !== null);
  if ((isOpen || isExact) && sum <= MOST_WRITTEN) {
    const marks = ranges.map(([least], at) => "XO~"[at].repeat(least)).join("");
    return isOpen ? `${marks}?` : marks || "-";
  }
  if (isExact) return ranges.map(([least], at) => (least || at < 2 ? `${least}${"bwh"[at]}` : "")).join("");
  return ranges.map(([least, most]) => (most !== null ? String(least) : least ? `≥${least}` : "?")).join(" ");
}

/** Feedback in words: «at least 1 black», «1 black, white unknown». */
export function toldInWords(told, rules) {
  if (told === null || told === undefined) return t("answer unknown");
  if (isByPeg(rules)) return markWords(told.ranges.map(([least, most]) => (most === null ? null : least)));
  const whole = drawable(told, rules);
  if (whole) return marksInWords(whole);
  return rules.numbers.map((kind, at) => numberInWords(kind, ...told.ranges[at])).filter(Boolean).join(", ")
    || t("answer unknown");
}

function numberInWords(kind, least, most) {
  if (most === null && least === 0)
    return { black: t("black unknown"), white: t("white unknown"), blue: t("blue unknown") }[kind];
  return most === null ? t("at least {marks}", { marks: countInWords(kind, least) }) : countInWords(kind, least);
}

/** A row as text, which the laboratory reads: «AA?B: XO?». */
export const rowText = ({ guess, marks }) => `${guess}: ${marks}`;

/** Reads a row as the laboratory writes it, with a colon or a space after the guess. */
export function readRow(text, rules) {
  if (hasNames(rules)) {
    const names = rules.symbols.map((symbol) => symbol.text)
      .filter((name) => text.startsWith(`${name}: `) || text.startsWith(`${name} `));
    const guess = names.reduce((longest, name) => (name.length > longest.length ? name : longest), "");
    return { guess, marks: text.slice(guess.length).replace(/^:?\s+/, "") };
  }
  const at = text.includes(": ") ? text.indexOf(": ") : text.indexOf(" ");
  return { guess: text.slice(0, at), marks: text.slice(at).replace(/^:?\s+/, "") };
}

/** Notes as the text that `entropeg assist` reads: the rules, then a row a line. */
export const notesText = (rules, rows) => [`entropeg notes 1: ${rules}`, ...rows.map(rowText), ""].join("\n");
