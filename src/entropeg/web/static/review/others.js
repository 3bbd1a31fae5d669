// Tells, when it is asked for, the best guess of every turn and what other players would have done.

import { html, useState } from "../vendor/ui.js";
import { t, tn } from "../texts.js";
import { Code } from "../parts/pegs.js";
import { told } from "../parts/told.js";

function Hidden({ label, children }) {
  const [isShown, show] = useState(false);
  return html`<div class="stack"><button type="button" aria-expanded=${isShown} onClick=${() => show(!isShown)}>${label}</button>${isShown && children()}</div>`;
}

/** The best guesses of all turns, hidden until they are asked for. */
/** @param {{rules: Api["RulesShown"], game: any, review: Api["Review"]}} props */
export function BestTable({ rules, game, review }) {
  return html`<${Hidden} label=${t("Best guess of every turn")}>${() => html`<div class="scroll" tabindex="0" role="group" aria-label=${t("Best guess of every turn")}>
    <table class="data"><thead><tr><th scope="col">${t("Turn")}</th><th scope="col">${t("Played")}</th><th scope="col">${t("Best")}</th><th scope="col" class="num">${t("Expected")}</th></tr></thead>
      <tbody>${review.turns.map((turn, index) => html`<tr key=${index}><th scope="row">${index + 1}</th>
        <td><${Code} text=${turn.guess} rules=${rules} /></td><td><${Code} text=${turn.best} rules=${rules} /></td><td class="num">${told(turn.best_expected)}</td></tr>`)}</tbody></table></div>`}</${Hidden}>`;
}

/** What optimal play, entropy and minimax would have guessed at these turns, and alone against the secret. */
/** @param {{rules: Api["RulesShown"], others: Api["OtherPlay"][]}} props */
export function Others({ rules, others }) {
  if (!others || others.length === 0) return null;
  return html`<${Hidden} label=${t("What others would have played")}>${() => html`<div class="scroll" tabindex="0" role="group" aria-label=${t("What others would have played")}>
    <table class="data"><thead><tr><th scope="col">${t("Turn")}</th>${others.map((one) => html`<th key=${one.name} scope="col">${one.name}</th>`)}</tr></thead>
      <tbody>${others[0].guesses.map((_, index) => html`<tr key=${index}><th scope="row">${index + 1}</th>${others.map((one) => {
    const { guess, loss } = one.guesses[index];
    return html`<td key=${one.name}><${Code} text=${guess} rules=${rules} /><br /><span class="small">${t("lost {loss}", { loss: told(loss) })}</span></td>`;
  })}</tr>`)}
      <tr><th scope="row">${t("Alone")}</th>${others.map((one) => html`<td key=${one.name}>${one.line === null ? t("not known") : html`${tn("{n} guess", "{n} guesses", one.line.length)}<br /><span class="small mono">${one.line.join(" ")}</span>`}</td>`)}</tr></tbody></table></div>`}</${Hidden}>`;
}
