// Lists the guesses at a position, one for each class of guesses alike, the best first.

import { html, useState } from "../vendor/ui.js";
import { number, t, tn } from "../texts.js";
import { MOST_DRAWN } from "../parts/marks.js";
import { Code } from "../parts/pegs.js";
import { areMixed, closely } from "../parts/told.js";
import { explorerAt } from "./address.js";

/** @import { Api } from "../api.js" */

/** Classes that are shown at first, and more at each step. */
const STEP = 20;

/** @param {{rules: any, turns: any[], found: Api["Exploration"]}} props */
export function Moves({ rules, turns, found }) {
  const [shown, setShown] = useState(STEP);
  const { moves, others, chosen } = found;
  const listed = moves.slice(0, shown);
  const isBelow = listed.every(({ guess }) => guess !== chosen.guess);
  const isAmong = areMixed([chosen, ...listed].flatMap(({ mean, loss }) => [mean, loss]));
  return html`<section class="card" aria-labelledby="moves-head"><h2 id="moves-head">${t("Guesses")}</h2>
    <p class="small muted">${t("Mean and worst case count this guess. Those with a dot may be the secret.")}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t("Guesses")}>
      <table class=${`data explore-table${rules.pegs > MOST_DRAWN ? " explore-long" : ""}`}
        aria-labelledby="moves-head">
      <thead><tr><th scope="col">${t("Guess")}</th><th scope="col" class="num">${t("mean")}</th>
        <th scope="col" class="num">${t("loss")}</th>
        <th scope="col" class="num">${t("worst")}</th><th scope="col" class="num">${t("answers")}</th></tr></thead>
      <tbody>${(isBelow ? [chosen, ...listed] : listed)
        .map((move) => html`<${Move} key=${move.guess} move=${move} rules=${rules} turns=${turns}
          isChosen=${move.guess === chosen.guess} isAmong=${isAmong} />`)}</tbody></table></div>
    ${shown < moves.length
      && html`<p><button type="button" onClick=${() => setShown(shown + STEP)}>${t("Show more guesses")}</button></p>`}
    ${shown >= moves.length && others > 0
      && html`<p class="small muted">${tn("and {n} guess more", "and {n} guesses more", others)}</p>`}</section>`;
}

/** @param {{move: Api["ExploredMove"], rules: any, turns: any[], isChosen: boolean, isAmong: boolean}} props */
function Move({ move, rules, turns, isChosen, isAmong }) {
  const alike = move.alike > 1 ? tn("and {n} alike", "and {n} alike", move.alike - 1) : "";
  return html`<tr class=${isChosen ? "current" : ""}><th scope="row">
      <a class="explore-to" href=${explorerAt(rules.text, turns, move.guess)}
        aria-current=${isChosen ? "true" : undefined}><${Code} text=${move.guess} rules=${rules} />
        ${move.candidate && html`<span class="explore-may" aria-hidden="true">•</span>
          <span class="unseen">${t("may be the secret")}</span>`}</a>
      ${alike && html`<div class="small muted">${alike}</div>`}</th>
    <td class="num">${closely(move.mean, isAmong)}</td><td class="num">${closely(move.loss, isAmong)}</td>
    <td class="num">${move.worst ?? "?"}</td><td class="num">${number(move.parts)}</td></tr>`;
}
