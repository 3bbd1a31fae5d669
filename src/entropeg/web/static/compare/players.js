// Chooses players: from a list with a line each, or by name with parameters; each can be taken out again.

import { html, useId, useRef } from "../vendor/ui.js";
import { t } from "../texts.js";
import { Button } from "../parts/button.js";

/**
 * `chosen` is a list of texts such as `minimax` or `montecarlo:secrets=100`, `text` what is being written; `known` are
 * {name, says, parameters}. `onChange(chosen, text)` hears of both. `wrong` is what the laboratory said against one of
 * them.
 */
export function Players({ legend, chosen, text, known, onChange, wrong = null }) {
  const id = useId();
  const field = useRef(null);
  const add = () => {
    const name = text.trim();
    if (name === "") return;
    onChange(chosen.includes(name) ? chosen : [...chosen, name], "");
    field.current.focus();
  };
  const takeOut = (name) => {
    onChange(chosen.filter((other) => other !== name), text);
    field.current.focus();
  };
  const keyed = (event) => {
    if (event.key !== "Enter" || !text.trim()) return;
    event.preventDefault();
    add();
  };
  const said = known.find((player) => player.name === text.trim().split(":")[0]);
  return html`<fieldset><legend>${legend}</legend>
    <ul class="chips">${chosen.map((name) => html`<li key=${name}><span>${name}</span>
      <button type="button" class="tiny quiet" aria-label=${t("Take {name} out", { name })}
        onClick=${() => takeOut(name)}>×</button></li>`)}</ul>
    <ul class="players-known" tabindex="0" aria-label=${t("Players to choose from")}>
      ${known.map((player) =>
        html`<li key=${player.name}><label class="check"><input type="checkbox" checked=${chosen.includes(player.name)}
      onChange=${(event) => onChange(event.currentTarget.checked ? [...chosen, player.name]
        : chosen.filter((name) => name !== player.name), text)} />
      <span><strong>${player.name}</strong> <span class="small muted">${player.says.replaceAll("`", "")}</span></span>
        </label></li>`)}</ul>
    <div class="row nowrap"><div class="grow"><label class="unseen" for=${id}>${t("Add a player")}</label>
      <input id=${id} ref=${field} list=${`${id}-known`} value=${text} placeholder=${t("Add a player")}
        spellcheck="false" autocapitalize="off" aria-invalid=${wrong ? "true" : undefined}
        aria-describedby=${wrong ? `${id}-wrong` : undefined}
        onInput=${(event) => onChange(chosen, event.currentTarget.value)} onKeyDown=${keyed} />
      <datalist id=${`${id}-known`}>${known.filter((player) => !chosen.includes(player.name))
        .map((player) => html`<option key=${player.name} value=${player.name}>${player.says}</option>`)}
          </datalist></div>
      <${Button} onClick=${add} isOff=${!text.trim()}>${t("Add")}</${Button}></div>
    ${wrong && html`<p class="bad small" id=${`${id}-wrong`}>${wrong}</p>`}
    ${said && html`<p class="small muted">${said.says}
      ${Object.keys(said.parameters ?? {}).length > 0
        && html` ${t("Parameters: {list}",
          { list: Object.entries(said.parameters).map(([key, value]) => `${key}=${value}`).join(", ") })}`}</p>`}
  </fieldset>`;
}
