// Draws feedback: filled discs and rings, a tile with a sign for each peg, or numbers where there are many.

import { html } from "../vendor/ui.js";
import { hasNames, readCode } from "../codes.js";
import { t, tn } from "../texts.js";

/** Boards of more pegs have numbers in place of discs and rings. */
export const MOST_DRAWN = 10;
const SIGNS = ["·", "○", "●"];

/** An answer of a table of answers, by its number; the last is that to the name of the secret. */
export const answerInWords = (at, { answers: { answers } }) => (at === answers.length - 1 ? t("found") : answers[at]);

/** Feedback in words, in the language of the page. */
export const marksInWords = (feedback) => feedback.answer
  ?? (feedback.marks ? markWords(feedback.marks) : countsInWords(feedback));

/** How many marks of each color there are, in words. */
export const countsInWords = (feedback) => ["black", "white", "blue"].filter((kind) => feedback[kind])
  .map((kind) => countInWords(kind, feedback[kind])).join(", ") || t("no marks");

/** A number of marks of one color, in words. */
export const countInWords = (kind, n) => ({
  black: tn("{n} black", "{n} black", n), white: tn("{n} white", "{n} white", n), blue: tn("{n} blue", "{n} blue", n),
})[kind];

/** Marks by place in words, one for each peg; null is one that is not known. */
export const markWords = (marks) => marks.map((mark) => (mark === null ? t("unknown") : [t("not in it"), t("elsewhere"),
  t("in place")][mark])).join(", ");

/**
 * Feedback as a picture, with its words for those who listen; `pegs` of the board: wells for the marks that are not
 * given; `isInTiles`: the picture is on the pegs themselves.
 */
export function Marks({ feedback, pegs = 0, isInTiles = false }) {
  if (feedback.answer !== undefined) return html`<span class="answer">${feedback.answer}</span>`;
  if (isInTiles) return html`<span class="unseen">${marksInWords(feedback)}</span>`;
  return html`<span class="marks"><span class="unseen">${marksInWords(feedback)}</span>
    <span class=${`marks-drawn${isTray(feedback, pegs) ? " tray" : ""}`} aria-hidden="true">
      ${drawn(feedback, pegs)}</span></span>`;
}

/** Whether marks are discs and rings, which lie on a tray. */
const isTray = ({ marks, black, white, blue }, pegs) => !marks
  && Math.max(pegs, (black ?? 0) + (white ?? 0) + (blue ?? 0)) <= MOST_DRAWN;

/** The tray of a row that is still to come. */
export const Tray = ({ pegs }) => html`<span class="marks-drawn tray"><${Wells} count=${pegs} /></span>`;

/** Wells of a tray that no mark has filled. */
const Wells = ({ count }) => Array.from({ length: Math.max(0, count) },
  (_, place) => html`<i class="well" key=${place}></i>`);

function drawn(feedback, pegs) {
  if (feedback.marks) {
    return feedback.marks.map((mark, place) => html`<span key=${place} class=${`mark-tile mark${mark}`}>
      ${SIGNS[mark]}</span>`);
  }
  const [black, white, blue] = [feedback.black ?? 0, feedback.white ?? 0, feedback.blue ?? 0];
  if (Math.max(pegs, black + white + blue) > MOST_DRAWN) {
    return html`<span class="mark-count"><${Dot} kind="black" />${black}</span>
      ${feedback.white === undefined || feedback.white === null ? null
        : html`<span class="mark-count"><${Dot} kind="white" />${white}</span>`}
      ${blue ? html`<span class="mark-count"><${Dot} kind="blue" />${blue}</span>` : null}`;
  }
  const kinds = [...Array(black).fill("black"), ...Array(white).fill("white"), ...Array(blue).fill("blue")];
  if (kinds.length + pegs === 0) return html`<span class="mark-none">–</span>`;
  return html`${kinds.map((kind, place) => html`<${Dot} key=${place} kind=${kind} />`)}
    <${Wells} count=${pegs - kinds.length} />`;
}

/** One mark. */
export function Dot({ kind }) {
  return html`<svg class=${`dot ${kind}`} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
    <circle cx="6" cy="6" r="4.6" />${kind === "blue" && html`<path d="M6 1.4a4.6 4.6 0 0 1 0 9.2z" />`}</svg>`;
}

/** Whether feedback of these rules, or of a kind, is a mark for each peg. */
export const isByPeg = ({ numbers }) => numbers?.length === 0;

/**
 * Reads feedback as the laboratory writes it: {ranges} with the least and the most (null: open) of each number, or a
 * range for each peg where feedback is by peg. Null where nothing is known; undefined where it is written in another
 * notation.
 */
export function readTold(text, rules) {
  const plain = text.trim();
  if (plain === "?") return null;
  if (hasNames(rules)) return readAnswer(plain, rules);
  return isByPeg(rules) ? readMarks(plain, rules) : readCounts(plain, rules);
}

function readAnswer(text, rules) {
  const { answers } = rules.answers;
  const exact = answers.indexOf(text);
  const at = exact >= 0 ? exact : answers.findIndex((answer) => answer.toLowerCase() === text.toLowerCase());
  return at < 0 ? undefined : { ranges: [[at, at]] };
}

function readMarks(text, rules) {
  const marks = [...text.replaceAll(" ", "").toUpperCase()];
  if (marks.length !== rules.pegs || marks.some((mark) => !".OX?".includes(mark))) return undefined;
  return { ranges: marks.map((mark) => (mark === "?" ? [0, null] : [".OX".indexOf(mark), ".OX".indexOf(mark)])) };
}

function readCounts(text, rules) {
  const kinds = rules.numbers;
  const padded = (numbers) => (numbers.length > kinds.length ? undefined
    : { ranges: kinds.map((_, at) => numbers[at] ?? [0, 0]) });
  if (text === "-") return padded([]);
  if (/^[XO~]+\??$/i.test(text)) {
    const isOpen = text.endsWith("?");
    const numbers = [...("XO~".slice(0, kinds.length))].map((mark) =>
      [...text.toUpperCase()].filter((one) => one === mark).length);
    if (numbers.reduce((sum, one) => sum + one, 0) !== text.length - (isOpen ? 1 : 0)) return undefined;
    return { ranges: numbers.map((least) => [least, isOpen ? null : least]) };
  }
  const counted = /^(?:(\d{1,4})b)?(?:(\d{1,4})w)?(?:(\d{1,4})h)?$/.exec(text);
  if (text && counted)
    return padded(counted.slice(1).map((one) => [Number(one ?? 0), Number(one ?? 0)]).slice(0, kinds.length));
  const numbers = text.split(/\s+/);
  if (numbers.length !== kinds.length || !numbers.every((one) => /^(≥?\d{1,4}|\?)$/.test(one))) return undefined;
  return { ranges: numbers.map((one) => {
    const least = Number(one.replace("≥", "").replace("?", "0"));
    return [least, /^\d/.test(one) ? least : null];
  }) };
}

/** Feedback as boards draw it, where every number is known; else null. */
export function drawable(told, rules) {
  if (!told?.ranges.every(([least, most]) => least === most)) return null;
  const marks = told.ranges.map(([least]) => least);
  if (hasNames(rules)) return { answer: answerInWords(marks[0], rules) };
  if (!isByPeg(rules)) return Object.fromEntries(rules.numbers.map((kind, at) => [kind, marks[at]]));
  const count = (mark) => marks.filter((one) => one === mark).length;
  return { black: count(2), white: count(1), marks };
}

/**
 * Feedback of a turn from its text (`XO`, `-`, `14b3w`, `XO..`); null where it is none, or has more marks than pegs.
 */
export function feedbackOf(text, rules) {
  const feedback = drawable(readTold(text, rules), rules);
  if (hasNames(rules)) return feedback;
  return feedback && feedback.black + (feedback.white ?? 0) + (feedback.blue ?? 0) <= rules.pegs ? feedback : null;
}

/**
 * A turn, a guess and its marks as texts, as boards draw it: {guess, marks, pegs, feedback}; what is damaged is
 * unknown.
 */
export const turnOf = ([guess, marks], rules) => ({ guess, marks, pegs: readCode(guess, rules) ?? Array(rules.pegs)
  .fill(null), feedback: feedbackOf(marks, rules) });

/** The text of feedback beside a bar: in words, marks by place as they are written. */
export const nameOf = (feedback, rules) => (isByPeg(rules) ? feedback : marksInWords(feedbackOf(feedback, rules)));
