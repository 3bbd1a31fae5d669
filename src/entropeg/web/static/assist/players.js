// Asks what named players would play in the position of the rows.

import { html, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Field, Refusal } from "../parts/field.js";
import { told } from "../parts/told.js";
import { Guess, lossInWords } from "./advice.js";

/** @import { Api } from "../api.js" */

/** `question` is that of the advice; the answer is shown as long as it stays the same. */
export function Players({ question, rules, codebreakers, onUse }) {
  const [names, setNames] = useState("minimax, entropy, first-consistent");
  const [asked, ask, cancel] = useAsk();
  const key = JSON.stringify(question);
  const send = () => ask(async (options) => {
    const players = names.split(",").map((name) => name.trim()).filter(Boolean);
    const answer = await post("advice", { ...question, also: [], limit: 1, players }, options);
    return { key, players: answer.players };
  }, { fresh: true });
  const shown = asked.data?.key === key ? asked.data.players : null;
  return html`<details class="card"><summary>${t("What players would play")}</summary>
    <${Field} label=${t("Players, with commas between")}
      hint=${t("Such as {names}", { names: codebreakers.slice(0, 8).map(({ name }) => name).join(", ") || "minimax" })}
      wrong=${asked.error?.field?.startsWith("players") ? asked.error.message : null}>
      <input value=${names} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => setNames(event.currentTarget.value)} /></${Field}>
    <p class="row"><${Button} isOff=${asked.busy || !names.trim()} onClick=${send}>${t("Ask them")}</${Button}>
      ${asked.busy && html`<span class="busy">${t("Thinking")}</span>
        <button class="quiet" onClick=${cancel}>${t("Cancel")}</button>`}</p>
    ${!asked.error?.field?.startsWith("players") && html`<${Refusal} error=${asked.error} />`}
    ${shown && html`<ul class="guesses">
      ${shown.map((player, index) =>
        html`<li key=${index}><${Player} player=${player} rules=${rules} onUse=${onUse} /></li>`)}</ul>`}</details>`;
}

/** @param {{player: Api["PlayerView"], rules: Api["RulesShown"], onUse: (guess: string) => void}} props */
function Player({ player, rules, onUse }) {
  if (player.guess === null) return html`<strong>${player.player}</strong> <span class="muted">${player.reason}</span>`;
  return html`<${Guess} text=${player.guess} rules=${rules} onUse=${onUse}><strong>${player.player}</strong></${Guess}>
    <div class="small muted">${t("{expected} guesses to go", { expected: told(player.rated.expected, { digits: 3 }) })}
      · ${lossInWords(player.rated)}</div>`;
}
