// Draws pegs as the review's pictures do: color, outline and symbol together, so that no color has to be told from
// another.

import { html } from "../vendor/ui.js";
import { hasNames, readCode, symbolText } from "../codes.js";

/** @import { Api } from "../api.js" */

/**
 * What stands under a letter besides its color: a line where its place is right, two points where it belongs elsewhere.
 */
const SIGNS = ["", "M-5.5 9h3M2.5 9h3", "M-8 9h16"];
const BOX = "-15 -15 30 30";

/**
 * One peg. `color` is the index of a symbol, the blank, or null for an empty hole; `mark` (0, 1, 2) colors a tile.
 * It is a picture only: whoever shows it writes the words beside it.
 */
export function Peg({ color, rules, mark = null }) {
  if (hasNames(rules)) {
    return html`<span class=${`peg-name${color === null || color === undefined ? " hole" : ""}`} aria-hidden="true">
      ${color === null || color === undefined ? "…" : symbolText(color, rules)}</span>`;
  }
  return html`<svg class="peg" viewBox=${BOX} aria-hidden="true" focusable="false">${inside(color, rules, mark)}</svg>`;
}

/** A peg that nobody knows. */
export const UnknownPeg = () => html`<svg class="peg" viewBox=${BOX} aria-hidden="true" focusable="false">
  <circle class="hole" r="11.4" /><text class="peg-below" y="4.5">?</text></svg>`;

function inside(color, rules, mark) {
  if (color === null || color === undefined)
    return rules?.symbols[0]?.tile ? html`<rect class="hole" x="-12" y="-12" width="24" height="24" rx="4" />`
    : html`<circle class="hole" r="10.6" />`;
  if (color === rules.blank) return html`<circle class="hole blank" r="6.8" /><path class="hole-line" d="M-3.5 0h7" />`;
  const symbol = rules.symbols[color];
  if (!symbol) return html`<text class="peg-below" y="5">?</text>`;
  if (symbol.tile) {
    return html`<rect class=${mark === null ? "tile" : `tile mark${mark}`} x="-12.4" y="-12.4" width="24.8"
      height="24.8" rx="4" />
      <text class=${mark === null ? "tile-face" : `tile-face mark${mark}`} y=${mark === null ? 5.5 : 4}>
        ${symbol.text}</text>
      ${mark > 0 && html`<path class=${`tile-sign mark${mark}`} d=${SIGNS[mark]} />`}`;
  }
  const isShort = [...symbol.text].length <= 2;
  return html`<path class="peg-body" fill=${symbol.fill} d=${symbol.path} />
    <text class=${`peg-letter${isShort ? "" : " long"}`} fill=${symbol.ink} y=${4 + (symbol.drop ?? 0)}>
      ${isShort ? symbol.text : [...symbol.text].slice(0, 3).join("")}</text>`;
}

/** A code as a row of pegs, with its text for those who listen; one that cannot be read stands as it is written. */
export function Code({ text, rules }) {
  const pegs = readCode(text, rules);
  if (pegs === null) return html`<code class="long-code">${text}</code>`;
  const shown = pegs.slice(0, 40);
  return html`<span class="code"><span class="unseen">${text}</span>
    <span class="code-pegs" aria-hidden="true">
      ${shown.map((peg, place) => html`<${Peg} key=${place} color=${peg} rules=${rules} />`)}
    ${shown.length < pegs.length && html`<span class="muted">+${pegs.length - shown.length}</span>`}</span></span>`;
}

/** A sentence, {says, codes}: the codes are drawn where it names them. */
/** @param {{said: Api["SentenceShown"], rules: Api["RulesShown"]}} props */
export function Pieces({ said, rules }) {
  const names = [...said.codes].sort((one, other) => other.length - one.length)
    .map((code) => code.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pieces = names.length > 0 ? said.says.split(new RegExp(`(?<!\\w)(${names.join("|")})(?!\\w)`)) : [said.says];
  return pieces.map((piece, index) => (index % 2 ? html`<${Code} key=${index} text=${piece} rules=${rules} />`
    : html`<span key=${index}>${piece}</span>`));
}
