// Asks what named players would play in the position of the rows.

import { html, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { t } from "../texts.js";
import { readCode } from "../codes.js";
import { useAsk } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Field, Refusal } from "../parts/field.js";
import { Code } from "../parts/pegs.js";
import { lossInWords, signed } from "./advice.js";

/** `question` is that of the advice; the answer is shown as long as it stays the same. */
export function Players({ question, rules, codebreakers, onUse }) {
  const [names, setNames] = useState("minimax, entropy, human");
  const [asked, ask, cancel] = useAsk();
  const key = JSON.stringify(question);
  const send = () => ask(async (options) => {
    const players = names.split(",").map((name) => name.trim()).filter(Boolean);
    const answer = await post("advice", { ...question, also: [], limit: 1, players }, options);
    return { key, players: answer.players };
  }, { fresh: true });
  const shown = asked.data?.key === key ? asked.data.players : null;
  return html`<details class="card"><summary>${t("What players would play")}</summary>
    <${Field} label=${t("Players, with commas between")} hint=${t("Such as {names}", { names: codebreakers.slice(0, 8).map(({ name }) => name).join(", ") || "minimax" })} wrong=${asked.error?.field?.startsWith("players") ? asked.error.message : null}>
      <input value=${names} autocomplete="off" autocapitalize="off" spellcheck="false" onInput=${(event) => setNames(event.currentTarget.value)} /></${Field}>
    <p class="row"><${Button} isOff=${asked.busy || !names.trim()} onClick=${send}>${t("Ask them")}</${Button}>
      ${asked.busy && html`<span class="busy">${t("Thinking")}</span><button class="quiet" onClick=${cancel}>${t("Cancel")}</button>`}</p>
    ${!asked.error?.field?.startsWith("players") && html`<${Refusal} error=${asked.error} />`}
    ${shown && html`<ul class="guesses">${shown.map((player, index) => html`<li key=${index}><${Player} player=${player} rules=${rules} onUse=${onUse} /></li>`)}</ul>`}</details>`;
}

/** @param {{player: Api["PlayerView"], rules: Api["RulesShown"], onUse: (pegs: number[]) => void}} props */
function Player({ player, rules, onUse }) {
  if (player.guess === null) return html`<strong>${player.player}</strong> <span class="muted">${player.reason}</span>`;
  const pegs = readCode(player.guess, rules);
  return html`<span class="next-guess"><strong>${player.player}</strong>${pegs ? html`<${Code} pegs=${pegs} rules=${rules} label=${player.guess} />` : html`<code>${player.guess}</code>`}
    <button class="tiny" disabled=${pegs === null} aria-label=${t("Use it: {guess}", { guess: player.guess })} onClick=${() => onUse(pegs)}>${t("Use it")}</button></span>
    <div class="small muted">${[t("{expected} guesses to go", { expected: signed(player.rated.expected) }), lossInWords(player.rated)].join(" · ")}</div>`;
}
