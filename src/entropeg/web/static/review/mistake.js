// Asks for something better than a mistake of one's own before it tells: the position is shown, and any good guess
// solves it.

import { html, useRef, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Guesser } from "../parts/guesser.js";
import { Code, Pieces } from "../parts/pegs.js";
import { told } from "../parts/told.js";
import { Best } from "./turn.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

const MARKS = ["mistake", "blunder", "wasted"];

/** The turns that are worth another look, from 0: those that lost much for certain. */
/** @param {Api["Review"]} review */
export const mistakesOf = (review) => review.turns.flatMap((turn, index) => (MARKS.includes(turn.mark)
  && turn.loss.sign === "=" ? [index] : []));

/**
 * `index` is the turn of the mistake; `onNext` goes to the next one, or is null where there is none. `first` are
 * guesses tried before a reload, `isShown` whether the solution was; `onRows(texts, isShown)` hears of both.
 */
export function NextMistake({ rules, game, review, index, first = [], isShown = false, onRows, onNext, onClose }) {
  const [state, ask] = useAsk();
  const [tries, setTries] = useState([]);
  const [isTold, setTold] = useState(isShown);
  const end = useRef(null);
  const turn = review.turns[index];
  const isSolved = tries.some((one) => one.solved);
  const isOver = isSolved || isTold;
  /** Asks for what is said of guesses, after those that were tried; false where one was refused. */
  const judge = async (texts, before) => {
    const puzzle = { learn: { rules: game.rules, turns: game.turns.slice(0, index + 1) } };
    const judged = await ask((options) =>
      Promise.all(texts.map((guess) => post("puzzles/judge", { puzzle, guess }, options))));
    if (!judged) return false;
    const now = [...before, ...judged.map((one, place) => ({ text: texts[place], ...one }))];
    setTries(now);
    onRows(now.map(({ text }) => text), isTold);
    const last = judged.at(-1);
    say(`${last.solved ? t("Solved.") : t("Not yet.")} ${last.says}`);
    if (last.solved) setTimeout(() => end.current?.focus(), 0);
    return true;
  };
  useWhen(() => { if (first.length > 0) judge(first, []); }, []);
  const tell = () => {
    setTold(true);
    onRows(tries.map(({ text }) => text), true);
    say(t("The best guess is {code}.", { code: turn.best }));
    setTimeout(() => end.current?.focus(), 0);
  };
  return html`<section class="stack mistake" aria-labelledby="mistake-head">
    <h2 id="mistake-head" tabindex="-1">${t("Find something better")}</h2>
    <p><${Code} text=${turn.guess}
      rules=${rules} /> ${t("was played here as guess {n}, which lost {loss} guesses. What is better?",
        { n: index + 1, loss: told(turn.loss) })}</p>
    ${isOver
    ? html`<${Tries} tries=${tries} rules=${rules} />
      <div tabindex="-1" ref=${end} class="stack" aria-label=${t("Solution")} role="group">
        <p class=${`note ${isSolved ? "good" : "info"}`}><strong>${isSolved ? t("Solved.") : t("Solution")}</strong></p>
        <${Best} turn=${turn} rules=${rules} /></div>`
    : html`<${Guesser} rules=${rules} turns=${game.rows.slice(0, index)}
      caption=${t("The position before guess {n}", { n: index + 1 })} onGuess=${(text) => judge([text], tries)}
      busy=${state.busy}
        refusal=${state.error?.message ?? null} label=${t("Try it")} isFocused=${true}>
        <button type="button" onClick=${tell}>${t("Solution")}</button></${Guesser}>
        <${Tries} tries=${tries} rules=${rules} />`}
    <div class="row">
      ${isOver && onNext && html`<button type="button" class="main" onClick=${onNext}>${t("Next mistake")}</button>`}
      <button type="button" onClick=${onClose}>${t("Back to the review")}</button></div></section>`;
}

function Tries({ tries, rules }) {
  return html`<ul class="tries" aria-label=${t("Guesses tried")}>
    ${tries.map((one, index) => html`<li key=${index} class=${`note ${one.solved ? "good" : "warn"}`}>
    ${one.solved && html`<${Code} text=${one.text} rules=${rules} />`} <span>
      <${Pieces} said=${one} rules=${rules} /></span></li>`)}</ul>`;
}
