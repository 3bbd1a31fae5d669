// Shows a contradiction where it is: the rows to look at, how likely each is wrong, and mends to click.

import { html } from "../vendor/ui.js";
import { language, t, tn } from "../texts.js";
import { percent } from "../parts/charts.js";
import { readTold } from "../parts/marks.js";
import { readRow, toldInWords } from "./told.js";

/** @import { Api } from "../api.js" */

const MOST_SUSPECTS = 3;

const touchesSure = (mend, rows) => mend.changes.some((row) => rows[row - 1]?.sure);

/**
 * The rows to look at, likeliest first, without those that somebody is sure of: [{row (from 0), probability, mends,
 * rest}].
 */
/** @param {Api["Contradiction"]} contradiction */
export function suspectsOf(contradiction, rows) {
  return (contradiction?.rows ?? [])
    .filter(({ row }) => !rows[row - 1]?.sure)
    .map((suspect) =>
      ({ ...suspect, row: suspect.row - 1, mends: suspect.mends.filter((mend) => !touchesSure(mend, rows)) }));
}

/** The rows (from 0) of the shortest set that cannot all be true; where a player doubts, those that it suspects. */
/** @param {Api["Contradiction"]} contradiction */
export const inConflict = (contradiction) => (contradiction?.doubt ? contradiction.rows.map(({ row }) => row)
  : [...(contradiction?.conflicts ?? [])].sort((one, other) => one.length - other.length)[0])?.map((row) => row - 1)
    ?? [];

/** What stands under a row that may be wrong. */
export function Suspect({ suspect, rank, rows, rules, onMend }) {
  return html`<div class="stack suspect-note">
    <p><strong>${suspect.probability === null ? t("This row may be mistyped") : t("This row may be mistyped: {chance}",
      { chance: percent(suspect.probability) })}</strong></p>
    ${rank < MOST_SUSPECTS && suspect.mends.length > 0
      && html`<ul class="mends">${suspect.mends.map((mend, index) => html`<li key=${index}>
      <button onClick=${() => onMend(mend)}>${mendInWords(mend, rows, rules)}</button>
      <span class="small muted">${mend.says}</span></li>`)}</ul>`}
    ${rank < MOST_SUSPECTS && suspect.rest && html`<p class="small muted">${suspect.rest}</p>`}</div>`;
}

/** A mend as the words of its button: «row 2: 1 black, 1 white → 1 black, 2 white, 38 codes». */
/** @param {Api["Mend"]} mend */
function mendInWords(mend, rows, rules) {
  // Where a player doubts a row, nobody knows how many codes are left.
  if (mend.codes === 0) return t("Leave out row {n}", { n: mend.changes[0] });
  const codes = mend.exact ? tn("{n} code", "{n} codes", mend.codes) : tn("at least {n} code", "at least {n} codes",
    mend.codes);
  if (mend.rows.length < rows.length)
    return tn("Leave out row {rows}: {codes}", "Leave out rows {rows}: {codes}", mend.changes.length,
      { rows: new Intl.ListFormat(language(), { type: "conjunction" }).format(mend.changes.map(String)), codes });
  const changes = mend.changes.map((row) => {
    const before = rows[row - 1];
    const after = readRow(mend.rows[row - 1], rules);
    const isGuess = after.guess !== before.guess;
    const from = isGuess ? before.guess : toldInWords(readTold(before.marks, rules), rules);
    const to = isGuess ? after.guess : toldInWords(readTold(after.marks, rules), rules);
    return t("Row {n}: {from} → {to}", { n: row, from, to });
  });
  return `${changes.join("; ")}, ${codes}`;
}

/** What stands above the board: what cannot be true together, and that nothing is sure about who is wrong. */
/** @param {{contradiction: Api["Contradiction"], rows: any[]}} props */
export function Conflict({ contradiction, rows }) {
  const isSure = rows.some((row) => row.sure);
  const suspects = suspectsOf(contradiction, rows);
  return html`<div class="note warn stack"><p><strong>${contradiction.says}</strong></p>
    ${suspects.length > 0 && suspects.some(({ mends }) => mends.length > 0)
    ? html`<p class="small">${t("Ways to mend it stand under the rows; each can be undone.")}</p>`
    : html`<p class="small">
      ${isSure ? t("No way to mend it leaves the rows that are marked as sure: look at them again, or edit a row.")
        : t("Edit or delete a row.")}</p>`}</div>`;
}
