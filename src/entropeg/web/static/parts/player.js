// Chooses one player of the laboratory by name, with its options as text.

import { html, useRef } from "../vendor/ui.js";
import { t } from "../texts.js";
import { Field } from "./field.js";

const nameOf = (text) => text.split(":")[0];
const optionsOf = (text) => (text.includes(":") ? text.slice(text.indexOf(":") + 1) : "");

/**
 * The options of a player as text. Once open they stay so while they are written, also where nothing stands there any
 * more.
 */
function Options({ parameters, value, onChange }) {
  const isOpen = useRef(false);
  isOpen.current ||= value !== "" || parameters.some(([, otherwise]) => otherwise === "required");
  return html`<details open=${isOpen.current}><summary class="small">${t("Options")}</summary>
    <${Field} label=${t("Options")}
      hint=${parameters.map(([key, otherwise]) => (otherwise === "required" ? `${key}=…` : `${key}=${otherwise}`))
        .join(", ")}>
      <input class="mono" value=${value} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => onChange(event.currentTarget.value)} /></${Field}></details>`;
}

/**
 * `value` is a name, or a name with options (`montecarlo:secrets=100`); `players` are those of the laboratory, `none`
 * is what stands for nobody, `other` a choice, [value, text], beside them. The honest codemaker's one option is a field
 * of its own: the secret.
 */
export function Player({ label, value, players, onChange, wrong, none = null, other = null }) {
  const name = nameOf(value);
  const found = players.find((player) => player.name === name);
  const parameters = Object.entries(found?.parameters ?? {});
  return html`<div class="stack"><${Field} label=${label} wrong=${wrong} hint=${found?.says.replaceAll("`", "")}>
    <select value=${name} onChange=${(event) => onChange(event.currentTarget.value)}>
      ${none && html`<option value="">${none}</option>`}
      ${!found && name && name !== other?.[0] && html`<option value=${name}>${name}</option>`}
      ${players.map((player) => html`<option key=${player.name} value=${player.name}>
        ${player.name} – ${player.says.replaceAll("`", "")}</option>`)}
      ${other && html`<option value=${other[0]}>${other[1]}</option>`}</select></${Field}>
    ${found && name !== "honest" && parameters.length > 0
      && html`<${Options} key=${name} parameters=${parameters} value=${optionsOf(value)}
        onChange=${(text) => onChange(text ? `${name}:${text}` : name)} />`}</div>`;
}
