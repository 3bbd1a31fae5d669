// Lists the answers to a guess: how likely each is, what it leaves, and the way there.

import { html } from "../vendor/ui.js";
import { shownCount, t } from "../texts.js";
import { percent } from "../parts/charts.js";
import { MOST_DRAWN, Marks, feedbackOf } from "../parts/marks.js";
import { Code } from "../parts/pegs.js";
import { areMixed, closely, told } from "../parts/told.js";
import { explorerAt } from "./address.js";

/** @import { Api } from "../api.js" */

/** @param {{rules: any, turns: any[], found: Api["Exploration"]}} props */
export function Answers({ rules, turns, found }) {
  const { chosen, answers } = found;
  const isAmong = areMixed(answers.flatMap(({ mean, luck }) => [mean, luck]));
  return html`<section class="card" aria-labelledby="answers-head">
    <h2 id="answers-head">${t("Answers to")} <${Code} text=${chosen.guess} rules=${rules} /></h2>
    <p class="small muted">${t("Mean and worst case are of the guesses after it; luck is what the answer saves.")}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t("Answers to {guess}", { guess: chosen.guess })}>
      <table class=${`data explore-table${rules.pegs > MOST_DRAWN ? " explore-long" : ""}`}
        aria-labelledby="answers-head">
      <thead><tr><th scope="col">${t("Answer")}</th><th scope="col" class="num">${t("codes")}</th>
        <th scope="col" class="num">${t("chance")}</th>
        <th scope="col" class="num">${t("mean")}</th><th scope="col" class="num">${t("worst")}</th>
          <th scope="col" class="num">${t("luck")}</th></tr></thead>
      <tbody>${answers.map((answer) => html`<${Answer} key=${answer.feedback} answer=${answer}
        to=${explorerAt(rules.text, [...turns, [chosen.guess, answer.feedback]])} rules=${rules}
        isAmong=${isAmong} />`)}
          </tbody></table></div></section>`;
}

/** @param {{answer: Api["ExploredAnswer"], to: string, rules: any, isAmong: boolean}} props */
function Answer({ answer, to, rules, isAmong }) {
  const feedback = feedbackOf(answer.feedback, rules);
  return html`<tr>
    <th scope="row">
      <a class="explore-to" href=${to}>${feedback ? html`<${Marks} feedback=${feedback} pegs=${rules.pegs} />`
        : answer.feedback}</a></th>
    <td class="num">${shownCount(answer.codes)}</td><td class="num">${percent(answer.chance)}</td>
    <td class="num">${answer.mean ? closely(answer.mean, isAmong) : "?"}</td><td class="num">${answer.worst ?? "?"}</td>
    <td class="num">${answer.luck ? told(answer.luck, { isSigned: true, isAmong }) : "?"}</td></tr>`;
}
