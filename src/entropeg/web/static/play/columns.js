// Adds what a player may want to see beside each guess: the codes left, and the clues that the guess did not use.

import { html } from "../vendor/ui.js";
import { shownCount, t, tn } from "../texts.js";

/** @import { Api } from "../api.js" */

/** The columns of the board by what is chosen in the settings. */
export const columnsOf = ({ codesLeft, unusedClue }) => [
  ...(codesLeft ? [{ key: "left", head: t("Codes left"), isNumber: true, cell: left }] : []),
  ...(unusedClue ? [{ key: "clue", head: t("Unused clue"), isNumber: false, cell: unused }] : []),
];

/** @param {{left: Api["CodesLeft"] | null}} row */
function left({ left: told }) {
  if (!told) return html`<span class="muted">–</span>`;
  const count = told.count ?? told.about ?? null;
  if (count === null) return html`<span title=${told.says}>?<span class="unseen"> ${told.says}</span></span>`;
  const isExact = told.count !== null && told.exact !== false;
  return html`<span title=${told.says}>${isExact ? "" : "≈ "}${shownCount(count, isExact)}</span>`;
}

/** @param {{clues?: Api["Clue"][]}} row */
function unused({ clues = [] }) {
  if (clues.length === 0) return html`<span class="muted">–</span>`;
  const rows = clues.map(({ row }) => row).join(", ");
  return html`<span class="small" title=${clues.map(({ says }) => says).join(" ")}>
    ${tn("row {rows}", "rows {rows}", clues.length, { rows })}</span>`;
}
