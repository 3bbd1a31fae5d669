// Writes numbers of guesses with the sign of how well they are known, and marks of guesses with a sign and a word.

import { html } from "../vendor/ui.js";
import { language, t } from "../texts.js";

/** @import { Api } from "../api.js" */

const MINUS = "−";
/** A space at which no line breaks. */
const GAP = "\u00a0";

/** Whether some of these numbers are bounds or estimates, so that the exact ones beside them need a sign too. */
/** @param {(Api["Expectation"] | null | undefined)[]} numbers */
export const areMixed = (numbers) => numbers.some((one) => one && one.value !== null && one.sign !== "=");

/**
 * A number with the sign of what it is: `≈ 5.10 ± 0.20`, `≥ 4.00`, and `= 4.34` where others stand beside it; what
 * nobody knows is `?`.
 */
/** @param {Api["Expectation"]} expected */
export function told(expected, { isSigned = false, digits = 2, isAmong = false } = {}) {
  if (!expected || expected.value === null || expected.value === undefined) return "?";
  const value = Math.round(expected.value * 10 ** digits) / 10 ** digits;
  const shown = `${isSigned && value > 0 ? "+" : ""}${fixed(value, digits)}`;
  const hasError = expected.sign === "≈" && expected.error >= 0.5 / 10 ** digits;
  const sign = expected.sign === "=" && !isAmong ? "" : `${expected.sign}${GAP}`;
  return `${sign}${shown}${hasError ? `${GAP}±${GAP}${fixed(expected.error, digits)}` : ""}`;
}

/** A number with its sign, to three digits after the point where it is exact. */
/** @param {Api["Expectation"]} expected */
export const closely = (expected, isAmong = false) => told(expected,
  { digits: expected?.sign === "=" ? 3 : 2, isAmong });

/** Luck with one sign everywhere: more is better, “good luck +0.30”. */
/** @param {Api["Expectation"]} luck */
export function luckInWords(luck) {
  const value = luck?.value ?? null;
  if (value === null || Math.abs(value) < 0.005) return t("luck {luck}", { luck: told(luck) });
  return (value > 0 ? t("good luck {luck}", { luck: told(luck, { isSigned: true }) }) : t("bad luck {luck}",
    { luck: told(luck) }));
}

/** A number with two digits after the point, or more, as the language writes it. */
export function fixed(value, digits = 2) {
  const written = new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return written.format(Math.abs(value) < 0.5 / 10 ** digits ? 0 : value).replace("-", MINUS);
}

/** A text of the laboratory in which no line breaks between a sign and its number. */
export const unbroken = (text) => text.replace(/([=≈≥]) /g, `$1${GAP}`);

/** A remark of the laboratory as a sentence: with a capital, and a point. */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** The signs of marks, which tell them apart without color. */
const SIGNS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??", wasted: "✗" };

export const markName = (mark) => ({
  best: t("best"), good: t("good"), inaccuracy: t("inaccuracy"), mistake: t("mistake"), blunder: t("blunder"),
    wasted: t("wasted"),
})[mark] ?? mark;

/** A mark of a guess; nothing where there was no choice. */
export function GuessMark({ mark }) {
  if (!mark) return html`<span class="muted" title=${t("no choice, or not known")}>–</span>`;
  return html`<span class=${`guess-mark ${mark}`}><span class="sign" aria-hidden="true">${SIGNS[mark]}</span>
    ${markName(mark)}</span>`;
}
