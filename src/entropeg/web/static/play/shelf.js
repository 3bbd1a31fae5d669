// Shows what is kept: the daily puzzle and those of past days, games that are not over, and what all of them came to.

import { html, useEffect, useState } from "../vendor/ui.js";
import { allGames, dateOf, drop, isOver, isWon, ofDate, unfinished } from "../games.js";
import { Bars } from "../parts/charts.js";
import { Field } from "../parts/field.js";
import { nameOf } from "../sharing.js";
import { boards, numbers, streaks } from "../statistics.js";
import { subscribe } from "../store.js";
import { language, number, t, tn } from "../texts.js";

const DAYS = 35;

/** The games that are kept, as they change. */
export function useGames() {
  const [games, setGames] = useState(allGames);
  useEffect(() => {
    let waiting = 0;
    const end = subscribe((key) => {
      if (key !== "" && !key.startsWith("game/")) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => setGames(allGames()), 150);
    });
    return () => {
      clearTimeout(waiting);
      end();
    };
  }, []);
  return games;
}

const shownDate = (date) => new Intl.DateTimeFormat(language(), { weekday: "short", day: "numeric", month: "long" }).format(new Date(`${date}T12:00`));

function resultOf(game) {
  if (game === null) return t("not played");
  if (isWon(game)) return tn("found in {n}", "found in {n}", game.turns.length);
  if (isOver(game)) return t("not found");
  return game.turns.length > 0 ? tn("{n} guess so far", "{n} guesses so far", game.turns.length) : t("not played");
}

/** The puzzle of today, and those of the days before. */
export function Dailies({ games }) {
  const today = dateOf();
  const { now, most } = streaks(games);
  const mine = ofDate(games, today);
  const days = Array.from({ length: DAYS }, (_, index) => dateOf(index + 1));
  return html`<section class="card" aria-labelledby="daily-head"><h2 id="daily-head">${t("Puzzle of the day")}</h2>
    <div class="row spread"><a class="button" href=${`#/play/daily/${today}`}>${mine && mine.turns.length > 0 && !isOver(mine) ? t("Go on") : mine && isOver(mine) ? t("See today's again") : t("Play today's")}</a>
      <span class="muted small">${t("{day}: {result}", { day: shownDate(today), result: resultOf(mine) })}</span></div>
    ${most > 0 && html`<p class="small">${tn("{n} day in a row", "{n} days in a row", now)}, ${tn("{n} at most", "{n} at most", most)}</p>`}
    <details><summary>${t("Past days")}</summary><ul class="days">${days.map((date) => {
    const game = ofDate(games, date);
    return html`<li key=${date}><a href=${`#/play/daily/${date}`}>${shownDate(date)}</a><span class=${`small ${game && isWon(game) ? "good" : "muted"}`}>${resultOf(game)}</span></li>`;
  })}</ul></details></section>`;
}

/** Games that were begun and are not over. */
export function Unfinished({ games, currentId }) {
  const open = unfinished(games).filter(({ id }) => id !== currentId);
  if (open.length === 0) return null;
  return html`<section class="card" aria-labelledby="open-head"><h2 id="open-head">${t("Games to go on with")}</h2>
    <ul class="days">${open.slice(0, 30).map((game) => html`<li key=${game.id}><a href=${`#/play/game/${game.id}`}>${nameOf(game)}</a>
      <span class="muted small">${resultOf(game)}</span><button type="button" class="tiny quiet" aria-label=${t("Forget {game}", { game: nameOf(game) })} onClick=${() => drop(game.id)}>×</button></li>`)}</ul>
    ${open.length > 30 && html`<p class="muted small">${tn("and {n} more", "and {n} more", open.length - 30)}</p>`}</section>`;
}

/** Numbers over all games, or those of one board. */
export function Statistics({ games }) {
  const [board, setBoard] = useState("");
  const all = boards(games);
  if (all.length === 0) return null;
  const chosen = all.some(([name]) => name === board) ? board : null;
  const told = numbers(games, chosen);
  return html`<details class="card"><summary>${t("Statistics")}</summary>
    ${all.length > 1 && html`<${Field} label=${t("Board")}><select value=${chosen ?? ""} onChange=${(event) => setBoard(event.currentTarget.value)}>
      <option value="">${t("all boards")}</option>${all.map(([name, count]) => html`<option key=${name} value=${name}>${name} (${count})</option>`)}</select></${Field}>`}
    <p>${tn("{n} game", "{n} games", told.games)}, ${tn("{n} found", "{n} found", told.won)}${told.mean === null ? "" : `, ${t("{mean} on average", { mean: number(told.mean, 2) })}`}${told.strict > 0 ? `, ${tn("{n} strict", "{n} strict", told.strict)}` : ""}${told.helped > 0 ? `, ${tn("{n} with help", "{n} with help", told.helped)}` : ""}</p>
    <${Bars} label=${t("Games by number of guesses")} items=${told.bars.map(([guesses, count]) => ({ key: String(guesses), name: guesses === null ? t("not found") : tn("{n} guess", "{n} guesses", guesses), value: count, shown: String(count) }))} />
  </details>`;
}
