// Shows the rating of whoever trains here: the number, how sure it is, its curve, and puzzles solved in a row.

import { html } from "../vendor/ui.js";
import { number, t, tn } from "../texts.js";
import { Curve } from "../parts/charts.js";
import { Confirmed } from "../parts/confirmed.js";
import { RATED } from "./record.js";

const MOST = 100;

/** The curve of a rating, with the band in which it stands two times in three. */
function History({ history }) {
  const values = history.map(({ rating }) => rating);
  const band = [-1, 1].map((side) => history.map(({ rating, deviation }) => rating + side * deviation));
  const shown = values.map((value) => number(Math.round(value)));
  const told = t("From {first} to {last} over the last {n} puzzles.",
    { first: shown[0], last: shown.at(-1), n: history.length });
  return html`<${Curve} title=${t("Rating")} axis=${told} over=${t("Puzzle")}
    labels=${values.map((_, index) => String(index + 1))}
    from=${Math.floor(Math.min(...band[0]) / 50) * 50} to=${Math.ceil(Math.max(...band[1]) / 50) * 50}
    band=${band} series=${[{ name: t("Rating"), values, shown }]} />`;
}

/** `onForget()` clears the rating, after it was asked twice. */
export function RatingCard({ record, onForget }) {
  const { player, history, streak, longest, puzzles, solved } = record;
  const value = Math.round(player.rating);
  const error = Math.round(1.96 * player.deviation);
  return html`<section class="card rating" aria-labelledby="rating-head"><h2 id="rating-head">${t("Rating")}</h2>
    ${puzzles === 0
    ? html`<p class="muted">
      ${t("Not rated yet. Each puzzle counts once, hints and wrong attempts lower what it counts.")}</p>`
    : puzzles < RATED
    ? html`<p class="muted">
      ${tn("{n} puzzle more until there is a rating.", "{n} puzzles more until there is a rating.",
        RATED - puzzles)}</p>`
    : html`<p><strong class="rating-value number">≈ ${number(value)}</strong> <span class="muted number">
      ${t("± {n}, in 19 of 20 cases", { n: error })}</span></p>
      ${history.length > 1 && html`<${History} history=${history.slice(-MOST)} />`}
      <p class="small number">
        ${tn("{n} puzzle", "{n} puzzles", puzzles)}, ${t("{n} solved",
          { n: solved })}. ${t("At once in a row: {n}, at most {most}.", { n: streak, most: longest })}</p>
      <details><summary class="small">${t("How it is made")}</summary>
        <p class="small">
          ${t("By Glicko-2, as at chess sites: whoever is rated 1500 solves as many puzzles as the laboratory’s seven codebreakers do on average. It is kept in this browser alone.")}</p>
        <${Confirmed} class="quiet" label=${t("Begin anew")} question=${t("The rating and its history are forgotten.")}
          yes=${t("Forget them")} no=${t("Keep them")} onYes=${onForget} /></details>`}</section>`;
}
