// Draws numbers: bars, curves, tables and tables of shades, each with the numbers beside or inside it.

import { html } from "../vendor/ui.js";
import { language, number, shownCount, t } from "../texts.js";

/**
 * Bars with names and numbers: `items` are [{key, name, from, value, shown, kind}], from 0 unless it is said; the one
 * that reaches farthest ends at the edge. Of the kind "hit" is the answer that came.
 */
export function Bars({ items, label, kind = "" }) {
  const most = Math.max(...items.map(({ from = 0, value }) => from + value), 1e-12);
  const width = (value) => Math.max(100 * value / most, value > 0 ? 0.8 : 0);
  return html`<ul class=${`bars ${kind}`} aria-label=${label}>
    ${items.map((item) => html`<li key=${item.key} class=${item.kind ?? ""}>
    <span>${item.name}</span><svg class="bar" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect x=${100 * (item.from ?? 0) / most} width=${width(item.value)} height="14" rx="1" /></svg>
    <span class="number">${item.shown ?? number(item.value)}
      ${item.kind === "hit" && html`<span class="unseen"> ${t("(the answer)")}</span>`}</span></li>`)}</ul>`;
}

/** A number of few characters: `8.92T` beside an axis, `8.9E44` where no letter is known for it. */
const shortly = (value) => (value < 1e6 ? number(value, 2) : value >= 1e15 ? shownCount(value)
  : new Intl.NumberFormat(language(), { notation: "compact", maximumFractionDigits: 1 }).format(value));

/** Past so many points a curve is a line alone. */
const MOST_DOTS = 60;
const BOX = { width: 480, height: 190, left: 46, right: 14, top: 16, bottom: 30 };

/**
 * Curves over the turns: `series` are [{name, values, shown}] of the same length (null for unknown); `isLog` draws a
 * logarithmic scale, `from` and `to` are the values at the bottom and the top, `band` is [lows, highs] about the first
 * curve. The numbers stand in a table for those who listen, which says `over` what the curve goes.
 */
export function Curve({
  series, labels, title, axis, isLog = false, from = isLog ? 1 : 0, to = null, band = null, over = t("After guess"),
}) {
  const all = series.flatMap(({ values }) => values).filter((value) => value !== null && Number.isFinite(value));
  if (all.length === 0) return null;
  const scale = (value) => (isLog ? Math.log2(Math.max(value, 1)) : value);
  const base = scale(from);
  const top = to ?? Math.max(...all.map(scale), base + (isLog ? 1 : 0.5));
  const count = Math.max(labels.length - 1, 1);
  const x = (index) => BOX.left + (BOX.width - BOX.left - BOX.right) * index / count;
  const y = (value) => BOX.top + (BOX.height - BOX.top - BOX.bottom) * (1 - (scale(value) - base) / (top - base));
  const point = (index, value) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  const [low, high] = (band ?? []).map((edge) => edge.map((value, index) => point(index, value)));
  const last = series.length === 1;
  return html`<figure class="stack"><figcaption class="small"><strong>${title}</strong>
    ${axis && html` <span class="muted">${axis}</span>`}</figcaption>
    <svg class="curve" viewBox=${`0 0 ${BOX.width} ${BOX.height}`} aria-hidden="true">
      <path class="axis" d=${`M${BOX.left} ${BOX.top}V${BOX.height - BOX.bottom}H${BOX.width - BOX.right}`}
        fill="none" />
      <text x=${BOX.left - 6} y=${BOX.top + 4} text-anchor="end">${shortly(isLog ? Math.round(2 ** top) : top)}</text>
      <text x=${BOX.left - 6} y=${BOX.height - BOX.bottom} text-anchor="end">${number(from, 2)}</text>
      ${labels.map((label, index) => (labels.length <= 16 || index % Math.ceil(labels.length / 12) === 0)
        && html`<text key=${index} x=${x(index)} y=${BOX.height - 10} text-anchor="middle">${label}</text>`)}
      ${band && html`<path class="band" d=${`M${[...low, ...high.reverse()].join("L")}Z`} />`}
      ${series.map(({ values }, which) => {
    const points = values.map((value, index) => [value, index])
      .filter(([value]) => value !== null && Number.isFinite(value));
    const line = points.map(([value, index]) => point(index, value)).join("L");
    return html`<g key=${which}><path class=${`line${which ? " second" : ""}`} d=${`M${line}`} />
      ${points.length <= MOST_DOTS && points.map(([value, index]) => html`<circle key=${index}
        class=${`dot-at${which ? " second" : ""}`} cx=${x(index)} cy=${y(value)} r="3.5" />`)}
      ${last && points.length <= 16
        && points.map(([value, index]) =>
          html`<text key=${`value ${index}`} class="value" x=${x(index) + (index === 0 ? 4 : 0)} y=${y(value) - 8}
            text-anchor=${index === 0 ? "start" : "middle"}>
            ${series[which].shown?.[index] ?? number(value, 2)}</text>`)}
              </g>`;
  })}</svg>
    <div class="unseen">
      <table><caption>${title}</caption>
        <thead><tr><th scope="col">${over}</th>
          ${series.map(({ name }) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
      <tbody>${labels.map((label, index) => html`<tr key=${index}><th scope="row">${label}</th>
        ${series.map(({ name, values, shown }) =>
          html`<td key=${name}>${values[index] === null || values[index] === undefined ? "?" : shown?.[index]
            ?? number(values[index], 2)}</td>`)}</tr>`)}</tbody></table></div></figure>`;
}

/**
 * A table that scrolls inside itself where it is too wide: `heads` are texts, or [text, "num"] above numbers. `label`
 * says what it holds, to those who listen unless it `isLabelled`.
 */
export function Table({ label, heads, kind = "data", isLabelled = false, children }) {
  const head = ([text, shape], index) => html`<th key=${index} scope="col" class=${shape}>${text}</th>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table class=${kind}>
    <caption class=${isLabelled ? "" : "unseen"}>${label}</caption>
    <thead><tr>${heads.map((one) => [one].flat()).map(head)}</tr></thead><tbody>${children}</tbody></table></div>`;
}

/** A table of chances, shaded: `rows` are [{key, head, values}] with values from 0 to 1, `heads` the columns. */
export function Heat({ heads, rows, caption, corner = "" }) {
  return html`<${Table} kind="heat" label=${caption} heads=${[corner, ...heads]}>
    ${rows.map(({ key, head, values }) => html`<tr key=${key}><th scope="row">${head}</th>
      ${values.map((value, index) => html`<td key=${index}><span class="cell">
      <svg aria-hidden="true"><rect width="100%" height="100%" opacity=${(0.55 * value).toFixed(3)} /></svg>
        <span>${percent(value)}</span></span></td>`)}</tr>`)}</${Table}>`;
}

/** A chance as a percentage; what is certain or impossible is told from what nearly is. */
export function percent(value) {
  if (value === 0) return t("0 %");
  if (value === 1) return t("100 %");
  if (value < 0.005) return t("< 1 %");
  if (value > 0.995) return t("> 99 %");
  return t("{n} %", { n: Math.round(100 * value) });
}
