// The pegs to choose from: a row of buttons that are clicked, or dragged onto a hole of the row that is made.

import { html } from "../vendor/ui.js";
import { t } from "../texts.js";
import { symbolName } from "../codes.js";
import { Peg } from "./pegs.js";

/** `state(color)` may return "out" or "in": what the notes say of a color. `onColor(color)` puts a peg at the cursor. */
export function Palette({ rules, onColor, state = null, disabled = false }) {
  const colors = rules.symbols.map((symbol) => symbol.index);
  if (rules.blank !== null && rules.blank !== undefined && !colors.includes(rules.blank)) colors.push(rules.blank);
  return html`<div class=${`palette${colors.length > 12 ? " many" : ""}`} role="group" aria-label=${t("Pegs to choose from")}>
    ${colors.map((color) => {
    const name = symbolName(color, rules, t("blank"));
    const noted = state?.(color) ?? "";
    const told = noted === "out" ? t("{color}, cannot be in the secret", { color: name }) : noted === "in" ? t("{color}, is in the secret", { color: name }) : name;
    return html`<button key=${color} type="button" class=${`palette-peg ${noted}`} data-peg=${color} disabled=${disabled} aria-label=${told} title=${told}
      onClick=${() => onColor(color)}><${Peg} color=${color} rules=${rules} /></button>`;
  })}</div>`;
}
