// Draws feedback: filled discs and rings, a tile with a sign for each peg, or numbers where there are many.

import { html } from "../vendor/ui.js";
import { readCode } from "../codes.js";
import { t, tn } from "../texts.js";

/** Boards of more pegs have numbers in place of discs and rings. */
export const MOST_DRAWN = 10;
const SIGNS = ["·", "○", "●"];

/** Feedback in words, in the language of the page. */
export const marksInWords = (feedback) => (feedback.marks ? markWords(feedback.marks) : countsInWords(feedback));

/** How many marks of each color there are, in words. */
export function countsInWords(feedback) {
  const parts = [];
  if (feedback.black) parts.push(tn("{n} black", "{n} black", feedback.black));
  if (feedback.white) parts.push(tn("{n} white", "{n} white", feedback.white));
  if (feedback.blue) parts.push(tn("{n} blue", "{n} blue", feedback.blue));
  return parts.length > 0 ? parts.join(", ") : t("no marks");
}

/** Marks by place in words, one for each peg; null is one that is not known. */
export const markWords = (marks) => marks.map((mark) => (mark === null ? t("unknown") : [t("not in it"), t("elsewhere"), t("in place")][mark])).join(", ");

/** Feedback as a picture, with its words for those who listen; `pegs` of the board; `isInTiles`: the picture is on the pegs themselves. */
export function Marks({ feedback, pegs = 0, isInTiles = false }) {
  if (isInTiles) return html`<span class="unseen">${marksInWords(feedback)}</span>`;
  return html`<span class="marks"><span class="unseen">${marksInWords(feedback)}</span><span class="marks-drawn" aria-hidden="true">${drawn(feedback, pegs)}</span></span>`;
}

function drawn(feedback, pegs) {
  if (feedback.marks) {
    return feedback.marks.map((mark, place) => html`<span key=${place} class=${`mark-tile mark${mark}`}>${SIGNS[mark]}</span>`);
  }
  const [black, white, blue] = [feedback.black ?? 0, feedback.white ?? 0, feedback.blue ?? 0];
  if (Math.max(pegs, black + white + blue) > MOST_DRAWN) {
    return html`<span class="mark-count"><${Dot} kind="black" />${black}</span>
      ${feedback.white === undefined || feedback.white === null ? null : html`<span class="mark-count"><${Dot} kind="white" />${white}</span>`}
      ${blue ? html`<span class="mark-count"><${Dot} kind="blue" />${blue}</span>` : null}`;
  }
  const kinds = [...Array(black).fill("black"), ...Array(white).fill("white"), ...Array(blue).fill("blue")];
  if (kinds.length === 0) return html`<span class="mark-none">–</span>`;
  return kinds.map((kind, place) => html`<${Dot} key=${place} kind=${kind} />`);
}

/** One mark. */
export function Dot({ kind }) {
  return html`<svg class=${`dot ${kind}`} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
    <circle cx="6" cy="6" r="4.6" />${kind === "blue" && html`<path d="M6 1.4a4.6 4.6 0 0 1 0 9.2z" />`}</svg>`;
}

/** Whether feedback of these rules, or of a kind, is a mark for each peg. */
export const isByPeg = ({ numbers }) => numbers?.length === 0;

/** Feedback from its text (`XO`, `-`, `14b3w`, `XO..`) as the laboratory writes it; null where it is none. */
export function feedbackOf(text, rules) {
  if (isByPeg(rules)) {
    const marks = [...text].map((char) => ".OX".indexOf(char));
    if (marks.length !== rules.pegs || marks.includes(-1)) return null;
    const count = (mark) => marks.filter((one) => one === mark).length;
    return { text, black: count(2), white: count(1), marks };
  }
  const counted = /^(?:(\d+)b)?(?:(\d+)w)?(?:(\d+)h)?$/.exec(text);
  if (text === "" || !(counted || text === "-" || /^X*O*~*$/.test(text))) return null;
  const [black, white, blue] = counted ? counted.slice(1).map((digits) => Number(digits ?? 0)) : ["X", "O", "~"].map((sign) => text.split(sign).length - 1);
  return black + white + blue > rules.pegs ? null : { text, black, white, ...(rules.numbers.includes("blue") ? { blue } : {}) };
}

/** A turn, a guess and its marks as texts, as boards draw it: {guess, marks, pegs, feedback}; what is damaged is unknown. */
export const turnOf = ([guess, marks], rules) => ({ guess, marks, pegs: readCode(guess, rules) ?? Array(rules.pegs).fill(null), feedback: feedbackOf(marks, rules) });

/** The text of feedback beside a bar: in words, marks by place as they are written. */
export const nameOf = (feedback, rules) => (isByPeg(rules) ? feedback : marksInWords(feedbackOf(feedback, rules)));
