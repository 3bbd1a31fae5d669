// Draws the account of a game as a bar that adds up: par, what was lost, what luck gave back, and the guesses played.

import { html } from "../vendor/ui.js";
import { t } from "../texts.js";
import { fixed, sentence, told } from "./told.js";

const change = (number) => told(number, { isSigned: true }).replace(/^=\s/, "");

/** The steps of an account as [{key, name, from, to, shown}]; null where a number is a bound, or not known. */
/** @param {Api["Review"]} review */
function stepsOf(review) {
  const { par, loss, luck, remaining, guesses } = review;
  if ([par, loss, luck, remaining].some((number) => !number || number.value === null || number.sign === "≥")) return null;
  const lost = par.value + loss.value;
  const played = { ...luck, value: -luck.value };
  const steps = [
    { key: "par", name: t("par"), from: 0, to: par.value, shown: told(par) },
    { key: "lost", name: t("lost"), from: par.value, to: lost, shown: change(loss) },
    { key: luck.value >= 0 ? "luck" : "unluck", name: luck.value >= 0 ? t("luck") : t("bad luck"), from: lost, to: lost - luck.value, shown: change(played) },
    { key: "played", name: t("guesses played"), from: 0, to: guesses, shown: String(guesses) },
  ];
  if (remaining.value > 0) steps.push({ key: "rest", name: t("still to come"), from: guesses, to: guesses + remaining.value, shown: change(remaining) });
  return steps;
}

/** The account: one line, the result without luck, and the bar; the numbers stand beside it in words. */
/** @param {{review: Api["Review"], says: Api["ReviewSays"]}} props */
export function Account({ review, says }) {
  const steps = stepsOf(review);
  const most = steps && Math.max(...steps.flatMap(({ from, to }) => [from, to]), 1);
  const x = (value) => (100 * value / most).toFixed(2);
  return html`<div class="account stack">
    <p class="account-line"><strong>${says.account}</strong></p>
    <p>${sentence(says.adjusted)}</p>
    ${steps && html`<ul class="bars account-bars" aria-label=${t("The account, step by step")}>${steps.map(({ key, name, from, to, shown }) => html`<li key=${key} class=${key}>
      <span>${name}</span><svg class="bar" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
        <path class="ground" d="M0 13.5H100" /><rect x=${x(Math.min(from, to))} width=${Math.max(0.6, Number(x(Math.abs(to - from))))} height="14" /></svg>
      <span class="number">${shown}</span></li>`)}</ul>`}
    <p class="small muted">${legend(review)}</p></div>`;
}

/** @param {Api["Review"]} review */
function legend(review) {
  const signs = new Set([review.par, review.loss, review.luck, review.remaining].map((number) => number?.sign));
  if (review.exact) return t("All numbers are exact (=): {fraction} guesses are expected of the best play.", { fraction: review.par.fraction ?? fixed(review.par.value) });
  if (signs.has("≥")) return t("≥ marks lower bounds: the exact search does not reach this board in the time, and bounds do not add up to an account.");
  return t("≈ marks estimates: the exact search does not reach this board in the time.");
}
