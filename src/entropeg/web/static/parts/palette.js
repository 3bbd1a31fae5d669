// The pegs to choose from: buttons that are clicked, or dragged onto a hole of the row that is made; letters as a
// keyboard.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { language, t } from "../texts.js";
import { hasBlank, hasNames, symbolName } from "../codes.js";
import { Names } from "./names.js";
import { Peg } from "./pegs.js";

const KEYBOARDS = { en: ["qwertyuiop", "asdfghjkl", "zxcvbnm"], fr: ["azertyuiop", "qsdfghjklm", "wxcvbn"] };
const [FEW, MANY] = [8, 12];

/**
 * `state(color)` may return "out", "in" or "placed": what is known of a color. `onColor(color)` puts a peg at the
 * cursor. Letters of words lie as on a keyboard of the language.
 */
export function Palette({ rules, onColor, state = null }) {
  if (hasNames(rules)) return html`<${Names} rules=${rules} onName=${onColor} />`;
  const colors = rules.symbols.map((symbol) => symbol.index);
  if (hasBlank(rules) && !colors.includes(rules.blank)) colors.push(rules.blank);
  const rows = rules.words ? keyboard(rules, colors) : [colors];
  const kind = rules.words ? " letters" : colors.length > MANY ? " many" : colors.length <= FEW ? " few" : "";
  return html`<div class=${`palette${kind}`} role="group" aria-label=${t("Pegs to choose from")}>
    ${rows.map((row, index) => html`<div class="palette-row" key=${index}>
      ${row.map((color) => html`<${Choice} key=${color} color=${color} rules=${rules} known=${state?.(color) ?? ""}
        onColor=${onColor} />`)}</div>`)}</div>`;
}

/** What a board is played with, beside it in the same box: the board has the height that this leaves in the window. */
export function Dock({ children }) {
  const dock = useRef(null);
  useEffect(() => {
    const { current } = dock;
    const { style } = current.parentElement;
    const sizes = new ResizeObserver(() => style.setProperty("--dock", `${current.offsetHeight}px`));
    sizes.observe(current);
    return () => sizes.disconnect();
  }, []);
  return html`<div class="dock" ref=${dock}>${children}</div>`;
}

/** Who chooses a peg with the mouse goes on in the row: Enter is for the row, not for the peg once more. */
export function keepRow(event) {
  if (!event.target.closest(".palette button")) return;
  event.preventDefault();
  event.currentTarget.querySelector("tr.draft .hole-button.cursor")?.focus({ preventScroll: true });
}

function Choice({ color, rules, known, onColor }) {
  const name = symbolName(color, rules, t("blank"));
  const told = toldOf(known, name);
  const mark = rules.symbols[color]?.tile ? { out: 0, in: 1, placed: 2 }[known] ?? null : null;
  return html`<button type="button" class=${`palette-peg ${known}`} data-peg=${color} aria-label=${told} title=${told}
    onClick=${() => onColor(color)}><${Peg} color=${color} rules=${rules} mark=${mark} /></button>`;
}

function toldOf(known, color) {
  if (known === "out") return t("{color}, cannot be in the secret", { color });
  if (known === "in") return t("{color}, is in the secret", { color });
  if (known === "placed") return t("{color}, its place is known", { color });
  return color;
}

/** The letters in the rows of a keyboard; those that it has not in one more row. */
function keyboard(rules, colors) {
  const texts = new Map(colors.map((color) => [symbolName(color, rules, "").toLowerCase(), color]));
  const rows = (KEYBOARDS[language()] ?? KEYBOARDS.en).map((row) => [...row].filter((letter) => texts.has(letter))
    .map((letter) => texts.get(letter)));
  const placed = new Set(rows.flat());
  return [...rows, colors.filter((color) => !placed.has(color))].filter((row) => row.length > 0);
}
