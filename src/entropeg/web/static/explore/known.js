// Shows what is known of a position: what was played, the codes left, and how to come back here.

import { html, useState } from "../vendor/ui.js";
import { useShell } from "../shell.js";
import { t } from "../texts.js";
import { CodesLeft } from "../assist/advice.js";
import { Field } from "../parts/field.js";
import { Marks, feedbackOf } from "../parts/marks.js";
import { Code } from "../parts/pegs.js";
import { ShareBox } from "../parts/sharebox.js";
import { addressOf, rowsText } from "../sharing.js";
import { explorerAt } from "./address.js";

/** @import { Api } from "../api.js" */

/** @param {{rules: any, position: any, found: Api["Exploration"] | null, error: any, children: any}} props */
export function Known({ rules, position, found, error, children }) {
  const { turns } = position;
  return html`<section class="card" aria-labelledby="known-head"><h2 id="known-head">${t("Position")}</h2>
    ${turns.length === 0 ? html`<p class="small muted">${t("The start of a game.")}</p>`
      : html`<${Turns} rules=${rules} turns=${turns} />`}
    ${found && html`<p><strong>${found.left.says}</strong></p><p>${found.says}</p>
      ${!found.keeps_limit
        && html`<p class="note warn">
          ${t("No way to play is sure to find the code in time: the limit of guesses is left aside.")}</p>`}`}
    ${children}
    ${(error ? error.field === "guess" : !found || found.state === "open")
      && html`<${OwnGuess} rules=${rules} position=${position} error=${error} />`}
    ${found && html`<${CodesLeft} advice=${found} /><details class="card"><summary>${t("Share this position")}</summary>
      <${ShareBox} label=${t("Address of this position")}
        text=${addressOf(explorerAt(rules.text, turns, position.guess))} copyLabel=${t("Copy the link")}
        instead=${rowsText(rules.text, turns)} />
      <${ShareBox} label=${t("Command that shows this position")} text=${found.command}
        copyLabel=${t("Copy the command")} /></details>`}</section>`;
}

function Turns({ rules, turns }) {
  return html`<ol class="explore-turns">${turns.map(([guess, marks], at) => {
    const feedback = feedbackOf(marks, rules);
    return html`<li key=${at}><${Code} text=${guess} rules=${rules} />
      ${feedback ? html`<${Marks} feedback=${feedback} pegs=${rules.pegs} />`
        : html`<span class="mono">${marks}</span>`}
      <a class="small" href=${explorerAt(rules.text, turns.slice(0, at), guess)}>← ${t("Back")}
        <span class="unseen"> ${t("to before guess {n}", { n: at + 1 })}</span></a></li>`;
  })}</ol>`;
}

/** Takes a guess that one has in mind. */
function OwnGuess({ rules, position, error }) {
  const { go } = useShell();
  const [text, setText] = useState("");
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) go(explorerAt(rules.text, position.turns, text.trim()));
  };
  return html`<form class="row" onSubmit=${submit}>
    <${Field} label=${t("A guess you have in mind")} wrong=${error?.field === "guess" ? error.message : null}>
      <input class="mono" value=${text} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => setText(event.currentTarget.value)} /></${Field}>
    <button>${t("Look at it")}</button></form>`;
}
