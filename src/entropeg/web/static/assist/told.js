// Reads and writes rows of notes: guesses and feedback of either of which a part may be unknown, as the laboratory writes them.

import { colorOf, isPlain, symbolText } from "../codes.js";
import { t, tn } from "../texts.js";
import { isByPeg, markWords, marksInWords } from "../parts/marks.js";

/** Past so many marks feedback is written in numbers. */
const MOST_WRITTEN = 12;

const unknownMark = (rules) => ["?", "*", "¿"].find((mark) => rules.symbols.every((symbol) => symbol.text !== mark)) ?? "¿";

/** A guess as text, unknown pegs (null) as `?`; longer symbols stand between hyphens. */
export function partText(pegs, rules) {
  const mark = unknownMark(rules);
  return pegs.map((peg) => (peg === null ? mark : symbolText(peg, rules))).join(isPlain(rules) ? "" : "-");
}

/** Reads what `partText` wrote: a list of colors and nulls, or null where it is no guess of the rules. */
export function readPart(text, rules) {
  const mark = unknownMark(rules);
  if (text === mark) return Array(rules.pegs).fill(null);
  const parts = isPlain(rules) ? [...text] : text.split("-");
  if (parts.length !== rules.pegs) return null;
  const pegs = parts.map((part) => (part === mark ? null : colorOf(part, rules) ?? undefined));
  return pegs.includes(undefined) ? null : pegs;
}

/**
 * Reads feedback as the laboratory writes it: {ranges} with the least and the most (null: open) of each number, or a range for
 * each peg where feedback is by peg. Null where nothing is known; undefined where it is written in another notation.
 */
export function readTold(text, rules) {
  const plain = text.trim();
  if (plain === "?") return null;
  return isByPeg(rules) ? readMarks(plain, rules) : readCounts(plain, rules);
}

function readMarks(text, rules) {
  const marks = [...text.replaceAll(" ", "").toUpperCase()];
  if (marks.length !== rules.pegs || marks.some((mark) => !".OX?".includes(mark))) return undefined;
  return { ranges: marks.map((mark) => (mark === "?" ? [0, null] : [".OX".indexOf(mark), ".OX".indexOf(mark)])) };
}

function readCounts(text, rules) {
  const kinds = rules.numbers;
  const padded = (numbers) => (numbers.length > kinds.length ? undefined : { ranges: kinds.map((_, at) => numbers[at] ?? [0, 0]) });
  if (text === "-") return padded([]);
  if (/^[XO~]+\??$/i.test(text)) {
    const isOpen = text.endsWith("?");
    const numbers = [...("XO~".slice(0, kinds.length))].map((mark) => [...text.toUpperCase()].filter((one) => one === mark).length);
    if (numbers.reduce((sum, one) => sum + one, 0) !== text.length - (isOpen ? 1 : 0)) return undefined;
    return { ranges: numbers.map((least) => [least, isOpen ? null : least]) };
  }
  const counted = /^(?:(\d{1,4})b)?(?:(\d{1,4})w)?(?:(\d{1,4})h)?$/.exec(text);
  if (text && counted) return padded(counted.slice(1).map((one) => [Number(one ?? 0), Number(one ?? 0)]).slice(0, kinds.length));
  const numbers = text.split(/\s+/);
  if (numbers.length !== kinds.length || !numbers.every((one) => /^(≥?\d{1,4}|\?)$/.test(one))) return undefined;
  return { ranges: numbers.map((one) => {
    const least = Number(one.replace("≥", "").replace("?", "0"));
    return [least, /^\d/.test(one) ? least : null];
  }) };
}

/** Writes feedback as the laboratory does. */
export function writeTold(told, rules) {
  if (told === null) return "?";
  const { ranges } = told;
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

/** Whether every number is known. */
const isComplete = (told) => told !== null && told !== undefined && told.ranges.every(([least, most]) => least === most);

/** Feedback as boards draw it, where it is complete; else null. */
export function drawable(told, rules) {
  if (!isComplete(told)) return null;
  const numbers = told.ranges.map(([least]) => least);
  return isByPeg(rules) ? { marks: numbers } : Object.fromEntries(rules.numbers.map((kind, at) => [kind, numbers[at]]));
}

/** Feedback in words: «at least 1 black», «1 black, white unknown». */
export function toldInWords(told, rules) {
  if (told === null || told === undefined) return t("answer unknown");
  if (isByPeg(rules)) return markWords(told.ranges.map(([least, most]) => (most === null ? null : least)));
  if (isComplete(told)) return marksInWords(drawable(told, rules));
  return rules.numbers.map((kind, at) => numberInWords(kind, ...told.ranges[at])).filter(Boolean).join(", ") || t("answer unknown");
}

function numberInWords(kind, least, most) {
  if (most === null && least === 0) return { black: t("black unknown"), white: t("white unknown"), blue: t("blue unknown") }[kind];
  const said = { black: tn("{n} black", "{n} black", least), white: tn("{n} white", "{n} white", least), blue: tn("{n} blue", "{n} blue", least) }[kind];
  return most === null ? t("at least {marks}", { marks: said }) : said;
}

/** Whether feedback says that the guess is the secret. */
export function isWin(told, rules) {
  if (!isComplete(told)) return false;
  return isByPeg(rules) ? told.ranges.every(([least]) => least === 2) : told.ranges[0][0] === rules.pegs;
}

/** A row as text, which the laboratory reads: «AA?B: XO?». */
export const rowText = ({ guess, marks }) => `${guess}: ${marks}`;

/** Reads a row as the laboratory writes it, with a colon or a space after the guess. */
export function readRow(text) {
  const at = text.includes(": ") ? text.indexOf(": ") : text.indexOf(" ");
  return { guess: text.slice(0, at), marks: text.slice(at).replace(/^:?\s+/, "") };
}

/** Notes as the text that `entropeg assist` reads: the rules, then a row a line. */
export const notesText = (rules, rows) => [`entropeg notes 1: ${rules}`, ...rows.map(rowText), ""].join("\n");
