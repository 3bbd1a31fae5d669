// The form of Watch: rules, one or two codebreakers, a codemaker, and the secret or the seed that draws it.

import { html } from "../vendor/ui.js";
import { t } from "../texts.js";
import { Field } from "../parts/field.js";
import { Player } from "../parts/player.js";
import { RulesForm } from "../parts/rulesform.js";
import { boardInWords } from "../sharing.js";

/** `choices` as in game.js, `onChange(part)`, `onWatch()`; `wrong` has a sentence for each field that was refused. */
export function Setup({ choices, onChange, onWatch, about, wrong, busy, onCancel }) {
  const codebreakers = about?.codebreakers ?? [];
  const isHonest = choices.codemaker === "honest";
  return html`<form class="card watch-setup" onSubmit=${(event) => { event.preventDefault(); onWatch(); }}>
    <h2>${t("Who plays")}</h2>
    <${Player} label=${t("Codebreaker")} value=${choices.codebreaker} players=${codebreakers} wrong=${wrong.codebreaker}
      onChange=${(codebreaker) => onChange({ codebreaker })} />
    <${Player} label=${t("Beside it, on the same secret")} value=${choices.codebreaker2} players=${codebreakers}
      wrong=${wrong.codebreaker2} none=${t("nobody")} onChange=${(codebreaker2) => onChange({ codebreaker2 })} />
    <${Player} label=${t("Codemaker")} value=${choices.codemaker} players=${about?.codemakers ?? []}
      wrong=${wrong.codemaker}
      onChange=${(codemaker) => onChange({ codemaker })} />
    ${isHonest && html`<${Field} label=${t("Secret")} wrong=${wrong.secret} hint=${t("Empty: the seed draws one")}>
      <input class="mono" value=${choices.secret} autocomplete="off" autocapitalize="off" spellcheck="false"
      onInput=${(event) => onChange({ secret: event.currentTarget.value })} /></${Field}>`}
    <${Field} label=${t("Seed")} wrong=${wrong.seed}
      hint=${t("Empty: another game each time. The same seed plays the same game.")}>
      <input inputmode="numeric" value=${choices.seed} autocomplete="off"
      onInput=${(event) => onChange({ seed: event.currentTarget.value })} /></${Field}>
    <p class="row busy-line"><button class="main" type="submit" aria-disabled=${busy ? "true" : undefined}>
      ${t("Watch")}</button>
      ${busy && html`<span class="busy">${t("They play")}</span><button type="button" class="tiny" onClick=${onCancel}>
        ${t("Cancel")}</button>`}</p>
    <details open=${wrong.rules ? true : undefined}>
      <summary>${t("Rules: {rules}", { rules: boardInWords(choices.rules) })}</summary>
      ${wrong.rules && html`<p class="bad small">${wrong.rules}</p>`}
      <${RulesForm} value=${choices.rules} onRules=${(rules) => onChange({ rules: rules.text })}
        onText=${(rules) => onChange({ rules })} about=${about} /></details></form>`;
}
