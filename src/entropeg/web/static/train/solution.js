// Tells the solution of a puzzle, with the parts that it makes of the codes left.

import { html } from "../vendor/ui.js";
import { number, t, tn } from "../texts.js";
import { Marks, feedbackOf } from "../parts/marks.js";
import { Code, Pieces } from "../parts/pegs.js";

const LISTED = 12;

/** `solution` has sentences ([{says, codes}]) and parts ([{feedback, codes, size}]). */
/** @param {{solution: Api["PuzzleSolution"], rules: Api["RulesShown"]}} props */
export function Solution({ solution, rules }) {
  return html`${solution.sentences.map((said, index) => html`<p key=${index}><${Pieces} said=${said} rules=${rules} /></p>`)}
    ${solution.parts.length > 0 && html`<div class="scroll" tabindex="0" role="group" aria-label=${t("Its answers, and what each would leave")}><table class="data parts"><caption>${t("Its answers, and what each would leave")}</caption>
      <thead><tr><th scope="col">${t("Answer")}</th><th scope="col" class="num">${t("Codes")}</th><th scope="col">${t("Which")}</th></tr></thead>
      <tbody>${solution.parts.map(({ feedback, codes, size }) => html`<tr key=${feedback}><th scope="row"><${Marks} feedback=${feedbackOf(feedback, rules)} /></th><td class="num">${number(size)}</td>
        <td><span class="row">${codes.slice(0, LISTED).map((code) => html`<${Code} key=${code} text=${code} rules=${rules} />`)}
          ${size > LISTED && html`<span class="muted">${tn("and {n} more", "and {n} more", size - LISTED)}</span>`}</span></td></tr>`)}</tbody></table></div>`}`;
}
