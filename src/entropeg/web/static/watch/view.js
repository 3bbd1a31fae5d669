// Shows a watched game up to a turn: its board, and the partition of the turn that was played last.

import { html } from "../vendor/ui.js";
import { t, tn } from "../texts.js";
import { Board } from "../parts/board.js";
import { Bars } from "../parts/charts.js";
import { Code } from "../parts/pegs.js";
import { barsOf, columnOf, endInWords, shareInWords, turnsOf } from "./game.js";

const MOST_WAITING = 10;

/** `at`: turns that are shown; `rows`: rows for which there is room. */
export function Game({ game, rules, at, rows, isSecretShown }) {
  const turns = turnsOf(game, rules);
  const shown = turns.slice(0, at);
  const isOver = at >= turns.length;
  const found = game.state === "won" ? turns.length - 1 : -1;
  return html`<section class="watched" aria-label=${game.codebreaker}><h2>${game.codebreaker}</h2>
    <${Board} rules=${rules} turns=${shown} columns=${[columnOf(turns, found)]}
      waiting=${Math.min(rows, MOST_WAITING) - shown.length}
      caption=${t("The game of {player}", { player: game.codebreaker })}
      rowClass=${(_, index) => (index === shown.length - 1 ? "now" : "")} />
    <p class="watched-end"><strong>${isOver ? endInWords(game) : ""}</strong></p>
    ${isSecretShown
      && html`<p class="row small">
        ${game.secret ? html`<span>${t("Secret")}</span><${Code} text=${game.secret} rules=${rules} />`
          : t("This codemaker keeps no secret.")}</p>`}</section>`;
}

/** What each answer to the guess of a turn would have left; the one that came is lit. */
export function TurnSplit({ game, rules, at }) {
  const turns = turnsOf(game, rules);
  const index = Math.min(at, turns.length) - 1;
  if (index < 0)
    return html`<div class="card split"><h3>${game.codebreaker}</h3>
      <p class="small muted">${t("Nothing is played yet.")}</p></div>`;
  const turn = turns[index];
  const { items, more } = barsOf(turn, rules);
  return html`<section class="card split"
    aria-label=${t("{player}, guess {n}", { player: game.codebreaker, n: index + 1 })}>
    <h3>${t("{player}, guess {n}", { player: game.codebreaker, n: index + 1 })} <${Code} text=${turn.guess}
      rules=${rules} /></h3>
    <p>${turn.says}</p><p class="small">${shareInWords(turn)}</p>
    ${items.length > 1
      && html`<${Bars} items=${items} label=${t("Codes that each answer would have left, and its chance")} />`}
    ${more > 0 && html`<p class="small muted">${tn("and {n} answer more", "and {n} answers more", more)}</p>`}
      </section>`;
}
