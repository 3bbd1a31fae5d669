// Shows what is kept: the daily puzzle and those of past days, games that are not over, and what all of them came to.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/ui.js";
import { allGames, dateOf, drop, finished, isOver, isWon, keep, ofDate, unfinished } from "../games.js";
import { Bars } from "../parts/charts.js";
import { Field } from "../parts/field.js";
import { boardInWords, dayInWords, nameOf } from "../sharing.js";
import { boards, numbers, streaks } from "../statistics.js";
import { subscribe } from "../store.js";
import { number, t, tn } from "../texts.js";

const DAYS = 35;
const MOST_LISTED = 30;

/** The games that are kept, as they change. */
export function useGames() {
  const [games, setGames] = useState(allGames);
  useLayoutEffect(() => {
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

function resultOf(game) {
  if (game === null) return t("not played");
  if (isWon(game)) return tn("found in {n}", "found in {n}", game.turns.length);
  if (isOver(game)) return t("not found");
  return game.turns.length > 0 ? tn("{n} guess so far", "{n} guesses so far", game.turns.length) : t("not played");
}

/** The puzzle of today, and those of the days before. */
export function Dailies({ games, current }) {
  const today = dateOf();
  const { now, most } = streaks(games);
  const mine = ofDate(games, today);
  const days = Array.from({ length: DAYS }, (_, index) => dateOf(index + 1));
  const past = html`<ul class="days">${days.map((date) => {
    const game = ofDate(games, date);
    return html`<li key=${date}><a href=${`#/play/daily/${date}`}>${dayInWords(date)}</a>
      <span class=${`small ${game && isWon(game) ? "good" : "muted"}`}>${resultOf(game)}</span></li>`;
  })}</ul>`;
  const row = most > 0
    && html`<p class="small">${tn("{n} day in a row", "{n} days in a row", now)}, ${tn("{n} at most", "{n} at most",
      most)}</p>`;
  // Beside the puzzle of today itself there are those of other days.
  if (current?.date === today && !isOver(current))
    return html`<details class="card"><summary>${t("Past days")}</summary>${row}${past}</details>`;
  return html`<section class="card" aria-labelledby="daily-head"><h2 id="daily-head">${t("Puzzle of the day")}</h2>
    <div class="row spread">
      ${current?.date !== today
        && html`<a class="button" href=${`#/play/daily/${today}`}>
          ${mine && mine.turns.length > 0 && !isOver(mine) ? t("Go on") : mine && isOver(mine) ? t("See today's again")
            : t("Play today's")}</a>`}
      <span class="muted small">${t("{day}: {result}", { day: dayInWords(today), result: resultOf(mine) })}</span></div>
        ${row}
    <details><summary>${t("Past days")}</summary>${past}</details></section>`;
}

/**
 * Games but the one that is played; null where there never were any: the last one that was forgotten can be put back.
 */
function useOthers(games, currentId) {
  const hadAny = useRef(false);
  const others = games.filter(({ id }) => id !== currentId);
  hadAny.current ||= others.length > 0;
  return hadAny.current ? others : null;
}

/** Games that were begun and are not over. */
export function Unfinished({ games, currentId }) {
  const open = useOthers(unfinished(games), currentId);
  return open && html`<section class="card" aria-labelledby="open-head">
    <h2 id="open-head">${t("Games to go on with")}</h2><${List} games=${open} /></section>`;
}

/** Games that are over, to be looked at again or forgotten. */
export function Finished({ games, currentId }) {
  const over = useOthers(finished(games), currentId);
  return over && html`<details class="card"><summary>${t("Games played")}</summary><${List} games=${over} /></details>`;
}

/** Games with what came of them; one that is forgotten can be put back as long as the list is shown. */
function List({ games }) {
  const [gone, setGone] = useState(null);
  const back = useRef(null);
  useEffect(() => {
    if (gone !== null) back.current?.focus();
  }, [gone]);
  const forgotten = (game) => {
    drop(game.id);
    setGone(game);
  };
  const putBack = () => {
    keep(gone, 0);
    setGone(null);
  };
  return html`${gone && html`<p class="row small"><span>${t("{game} is forgotten.", { game: nameOf(gone) })}</span>
    <button type="button" class="tiny" ref=${back} onClick=${putBack}>${t("Put it back")}</button></p>`}
    <ul class="days">
      ${games.slice(0, MOST_LISTED)
        .map((game) => html`<li key=${game.id}><a href=${`#/play/game/${game.id}`}>${nameOf(game)}</a>
      <span class="muted small">${resultOf(game)}</span>
        <button type="button" class="tiny quiet" aria-label=${t("Forget {game}", { game: nameOf(game) })}
          onClick=${() => forgotten(game)}>×</button></li>`)}</ul>
    ${games.length > MOST_LISTED
      && html`<p class="muted small">${tn("and {n} more", "and {n} more", games.length - MOST_LISTED)}</p>`}`;
}

/** Numbers over all games, or those of one board. */
export function Statistics({ games }) {
  const [board, setBoard] = useState("");
  const all = boards(games);
  if (all.length === 0) return null;
  const chosen = all.some(([name]) => name === board) ? board : null;
  const told = numbers(games, chosen);
  return html`<details class="card"><summary>${t("Statistics")}</summary>
    ${all.length > 1
      && html`<${Field} label=${t("Board")}>
        <select value=${chosen ?? ""} onChange=${(event) => setBoard(event.currentTarget.value)}>
      <option value="">${t("all boards")}</option>
        ${all.map(([name, count]) => html`<option key=${name} value=${name}>${boardInWords(name)} (${count})</option>`)}
          </select></${Field}>`}
    <p>${tn("{n} game", "{n} games", told.games)}, ${tn("{n} found", "{n} found", told.won)}
      ${told.mean === null ? "" : `, ${t("{mean} on average", { mean: number(told.mean, 2) })}`}
        ${told.strict > 0 ? `, ${tn("{n} strict", "{n} strict", told.strict)}` : ""}
          ${told.helped > 0 ? `, ${tn("{n} with help", "{n} with help", told.helped)}` : ""}</p>
    <${Bars} label=${t("Games by number of guesses")}
      items=${told.bars.map(([guesses, count]) => ({ key: String(guesses), name: guesses === null ? t("not found")
        : tn("{n} guess", "{n} guesses", guesses), value: count, shown: String(count) }))} />
  </details>`;
}
