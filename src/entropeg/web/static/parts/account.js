// Draws the account of a game as a bar that adds up: par, what was lost, what luck gave back, and the guesses played.

import { html } from "../vendor/ui.js";
import { t } from "../texts.js";
import { Bars } from "./charts.js";
import { areMixed, fixed, sentence, told, unbroken } from "./told.js";

/** @import { Api } from "../api.js" */

const change = (number) => told(number, { isSigned: true });

/** The steps of an account as bars; null where a number is a bound, or not known. */
/** @param {Api["Review"]} review */
function stepsOf(review) {
  const { par, loss, luck, remaining, guesses } = review;
  if ([par, loss, luck, remaining].some((number) => !number || number.value === null || number.sign === "≥"))
    return null;
  const lost = par.value + loss.value;
  const isLucky = luck.value >= 0;
  const steps = [
    { key: "par", name: t("par"), from: 0, to: par.value,
      shown: told(par, { isAmong: areMixed([par, loss, luck, remaining]) }) },
    { key: "lost", name: t("lost"), from: par.value, to: lost, shown: change(loss) },
    {
      key: "luck", kind: isLucky ? "luck" : "unluck", name: isLucky ? t("good luck") : t("bad luck"),
      from: lost, to: lost - luck.value, shown: change(luck),
    },
    { key: "played", name: t("guesses played"), from: 0, to: guesses, shown: String(guesses) },
  ];
  if (remaining.value > 0)
    steps.push({ key: "rest", name: t("still to come"), from: guesses, to: guesses + remaining.value,
      shown: change(remaining) });
  return steps.map(({ from, to, ...step }) => (
    { kind: step.key, ...step, from: Math.min(from, to), value: Math.abs(to - from) }));
}

/** The account: one line, the result without luck, and the bar; the numbers stand beside it in words. */
/** @param {{review: Api["Review"], says: Api["ReviewSays"]}} props */
export function Account({ review, says }) {
  const steps = stepsOf(review);
  return html`<div class="account stack">
    <p class="account-line"><strong>${unbroken(says.account)}</strong></p>
    <p>${sentence(says.adjusted)}</p>
    ${steps && html`<${Bars} items=${steps} kind="account-bars" label=${t("The account, step by step")} />`}
    <p class="small muted">${legend(review)}</p></div>`;
}

/** @param {Api["Review"]} review */
function legend(review) {
  const signs = new Set([review.par, review.loss, review.luck, review.remaining].map((number) => number?.sign));
  if (review.exact)
    return t("All numbers are exact: {fraction} guesses are expected of the best play.",
      { fraction: review.par.fraction ?? fixed(review.par.value) });
  if (signs.has("≥"))
    return t("≥ marks lower bounds: the exact search does not reach this board in the time, and bounds do not add up to an account.");
  return t("≈ marks estimates: the exact search does not reach this board in the time.");
}
