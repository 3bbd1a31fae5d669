// Tells what is known of a board without a search: bounds from below and above, and what strategies reach.

import { html, useEffect } from "../vendor/ui.js";
import { get } from "../api.js";
import { boardInWords } from "../sharing.js";
import { language, number, t } from "../texts.js";
import { useAsk, useRested } from "../parts/ask.js";
import { Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";

/** How well a number is known, by the letter or word of its grade. */
const gradeName = (grade) => ({
  proved: t("proved here"), C: t("certified here"), P: t("published"), R: t("recomputed"), S: t("searched here"),
  M: t("recalled, not verified"),
})[grade] ?? grade;

const measureName = (measure) => ({ mean: t("Mean"), worst: t("Worst case") })[measure] ?? measure;
const shown = (value) => number(value, 3);
const reached = (value) => (value === null ? "–" : shown(value));

/** How well a number is known, and by whom: sources are named as they name themselves. */
const Source = ({ of, lang }) => html`${t("{grade}:", { grade: gradeName(of.grade) })} <span lang=${lang}>
  ${of.source}</span>`;

/** The bounds that say most: of each measure and side the sharpest one. */
function sharpest(bounds) {
  const found = new Map();
  for (const bound of bounds) {
    const key = `${bound.measure} ${bound.side}`;
    const before = found.get(key);
    if (!before || (bound.side === "lower" ? bound.value > before.value : bound.value < before.value))
      found.set(key, bound);
  }
  return [...found.values()];
}

/** `rules` is the text of the form; while it is no board, what was told last stays. */
export function Bounds({ rules }) {
  const rested = useRested(rules, 400);
  const [state, ask] = useAsk();
  const spoken = language();
  useEffect(() => { ask((options) => get("bounds", { rules: rested }, options)); }, [ask, rested, spoken]);
  const { data, error } = state;
  return html`<section class="card" aria-labelledby="bounds-head">
    <h2 id="bounds-head">${t("What is known without a search")}</h2>
    ${error?.isOffline && html`<${Refusal} error=${error} />`}
    ${!data && state.busy && html`<span class="busy">${t("Asking…")}</span>`}
    ${data && html`<p class="muted">${boardInWords(data.rules)}</p>
      <dl class="facts">
        ${sharpest(data.bounds)
          .map((bound) => html`<div key=${`${bound.measure} ${bound.side}`}><dt>${measureName(bound.measure)}</dt>
        <dd class="number">${bound.side === "lower" ? "≥" : "≤"} ${shown(bound.value)}
          <div class="small muted"><${Source} of=${bound} /></div></dd></div>`)}</dl>
      ${data.known.length > 0 ? html`<${Known} known=${data.known} />`
        : html`<p class="muted">${t("Nobody has told yet what a strategy reaches on this board.")}</p>`}`}</section>`;
}

function Known({ known }) {
  const heads = [t("Strategy"), [t("Total"), "num"], [t("Mean"), "num"], [t("Worst"), "num"], t("Source")];
  return html`<details><summary>${t("What strategies reach")}</summary>
    <${Table} label=${t("What strategies reach")} heads=${heads}>
    ${known.map((one, index) => html`<tr key=${index}><th scope="row">${one.strategy}</th>
      <td class="num">${reached(one.total)}</td><td class="num">${one.sampled ? "≈ " : ""}${reached(one.mean)}</td>
      <td class="num">${reached(one.worst)}</td><td class="small"><${Source} of=${one} lang="en" /></td></tr>`)}
        </${Table}></details>`;
}
