// Draws the history of a rating with its band; the numbers stand in words beside it.

import { html } from "../vendor/ui.js";
import { number, t } from "../texts.js";

const BOX = { width: 320, height: 120, left: 38, right: 8, top: 8, bottom: 8 };
const MOST = 100;

/** `history` are [{rating, deviation}], the oldest first; the last hundred are drawn. */
export function RatingCurve({ history }) {
  const shown = history.slice(-MOST);
  const low = Math.floor(Math.min(...shown.map(({ rating, deviation }) => rating - deviation)) / 50) * 50;
  const high = Math.ceil(Math.max(...shown.map(({ rating, deviation }) => rating + deviation)) / 50) * 50;
  const x = (index) => BOX.left + ((BOX.width - BOX.left - BOX.right) * index) / Math.max(1, shown.length - 1);
  const y = (value) => BOX.top + (BOX.height - BOX.top - BOX.bottom) * (1 - (value - low) / Math.max(1, high - low));
  const point = (index, value) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  const line = shown.map(({ rating }, index) => point(index, rating)).join("L");
  const band = [...shown.map(({ rating, deviation }, index) => point(index, rating + deviation)), ...shown.map(({ rating, deviation }, index) => point(index, rating - deviation)).reverse()].join("L");
  return html`<figure class="stack rating-curve"><svg class="curve" viewBox=${`0 0 ${BOX.width} ${BOX.height}`} aria-hidden="true">
      <path class="axis" fill="none" d=${`M${BOX.left} ${BOX.top}V${BOX.height - BOX.bottom}H${BOX.width - BOX.right}`} />
      <text x=${BOX.left - 4} y=${BOX.top + 8} text-anchor="end">${high}</text><text x=${BOX.left - 4} y=${BOX.height - BOX.bottom} text-anchor="end">${low}</text>
      <path class="band" d=${`M${band}Z`} /><path class="line" d=${`M${line}`} /></svg>
    <figcaption class="small muted">${t("From {first} to {last} over the last {n} puzzles.", { first: number(Math.round(shown[0].rating)), last: number(Math.round(shown.at(-1).rating)), n: shown.length })}</figcaption></figure>`;
}
