// Tells, when it is asked for, the best guess of every turn and what other players would have done.

import { html, useState } from "../vendor/ui.js";
import { t, tn } from "../texts.js";
import { Table } from "../parts/charts.js";
import { Code } from "../parts/pegs.js";
import { told } from "../parts/told.js";

/** @import { Api } from "../api.js" */

function Hidden({ label, children }) {
  const [isShown, show] = useState(false);
  return html`<div class="stack"><button type="button" aria-expanded=${isShown} onClick=${() => show(!isShown)}>
    ${label}</button>${isShown && children()}</div>`;
}

/** The best guesses of all turns, hidden until they are asked for. */
/** @param {{rules: Api["RulesShown"], review: Api["Review"]}} props */
export function BestTable({ rules, review }) {
  const heads = [t("Turn"), t("Played"), t("Best"), [t("Expected"), "num"]];
  const label = t("Best guess of every turn");
  return html`<${Hidden} label=${label}>${() => html`<${Table} label=${label} heads=${heads}>
    ${review.turns.map((turn, index) => html`<tr key=${index}><th scope="row">${index + 1}</th>
      <td><${Code} text=${turn.guess} rules=${rules} /></td><td><${Code} text=${turn.best} rules=${rules} /></td>
      <td class="num">${told(turn.best_expected)}</td></tr>`)}</${Table}>`}</${Hidden}>`;
}

/** What optimal play, entropy and minimax would have guessed at these turns, and alone against the secret. */
/** @param {{rules: Api["RulesShown"], others: Api["OtherPlay"][]}} props */
export function Others({ rules, others }) {
  if (!others || others.length === 0) return null;
  const label = t("What others would have played");
  const played = ({ name, guesses }, index) =>
    html`<td key=${name}><${Code} text=${guesses[index].guess} rules=${rules} /><br />
    <span class="small">${t("lost {loss}", { loss: told(guesses[index].loss) })}</span></td>`;
  const alone = ({ name, line }) => html`<td key=${name}>${line === null ? t("not known")
    : html`${tn("{n} guess", "{n} guesses", line.length)}<br /><span class="small mono">${line.join(" ")}</span>`}
      </td>`;
  return html`<${Hidden} label=${label}>
    ${() => html`<${Table} label=${label} heads=${[t("Turn"), ...others.map(({ name }) => name)]}>
    ${others[0].guesses.map((_, index) => html`<tr key=${index}><th scope="row">${index + 1}</th>
      ${others.map((one) => played(one, index))}</tr>`)}
    <tr><th scope="row">${t("Alone")}</th>${others.map(alone)}</tr></${Table}>`}</${Hidden}>`;
}
