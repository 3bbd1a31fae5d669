// Asks for something better than a mistake of one's own before it tells: the position is shown, and any good guess solves it.

import { html, useRef, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Guesser } from "../parts/guesser.js";
import { Code } from "../parts/pegs.js";
import { Pieces } from "../parts/pieces.js";
import { told } from "../parts/told.js";
import { Best } from "./turn.js";
import { pairs } from "./sources.js";

const MARKS = ["mistake", "blunder", "wasted"];

/** The turns that are worth another look, from 0: those that lost much for certain. */
export const mistakesOf = (review) => review.turns.flatMap((turn, index) => (MARKS.includes(turn.mark) && turn.loss.sign === "=" ? [index] : []));

/** `index` is the turn of the mistake; `onNext` goes to the next one, or is null where there is none. */
export function NextMistake({ rules, game, review, index, onNext, onClose }) {
  const [state, ask] = useAsk();
  const [tries, setTries] = useState([]);
  const [isTold, setTold] = useState(false);
  const end = useRef(null);
  const turn = review.turns[index];
  const isSolved = tries.some((one) => one.solved);
  const isOver = isSolved || isTold;
  const guess = async (text, pegs) => {
    const puzzle = { learn: { rules: game.rules, turns: pairs(game).slice(0, index + 1) } };
    const judged = await ask((options) => post("puzzles/judge", { puzzle, guess: text }, options));
    if (!judged) return false;
    setTries((now) => [...now, { text, pegs, ...judged }]);
    say(`${judged.solved ? t("Solved.") : t("Not yet.")} ${judged.says}`);
    if (judged.solved) setTimeout(() => end.current?.focus(), 0);
    return true;
  };
  const tell = () => {
    setTold(true);
    say(t("The best guess is {code}.", { code: turn.best }));
    setTimeout(() => end.current?.focus(), 0);
  };
  return html`<section class="stack mistake" aria-labelledby="mistake-head">
    <h2 id="mistake-head" tabindex="-1">${t("Find something better")}</h2>
    <p><${Code} pegs=${game.turns[index].pegs} rules=${rules} label=${game.turns[index].guess} /> ${t("was played here as guess {n}, which lost {loss} guesses. What is better?", { n: index + 1, loss: told(turn.loss) })}</p>
    ${isOver
    ? html`<${Tries} tries=${tries} rules=${rules} /><div tabindex="-1" ref=${end} class="stack" aria-label=${t("Solution")} role="group">
        <p class=${`note ${isSolved ? "good" : "info"}`}><strong>${isSolved ? t("Solved.") : t("Solution")}</strong></p>
        <${Best} turn=${turn} rules=${rules} /></div>`
    : html`<${Guesser} rules=${rules} turns=${game.turns.slice(0, index)} caption=${t("The position before guess {n}", { n: index + 1 })} onGuess=${guess} busy=${state.busy}
        refusal=${state.error?.message ?? null} label=${t("Try it")} isFocused=${true}><button type="button" onClick=${tell}>${t("Solution")}</button></${Guesser}>
        <${Tries} tries=${tries} rules=${rules} />`}
    <div class="row">${isOver && onNext && html`<button type="button" class="main" onClick=${onNext}>${t("Next mistake")}</button>`}
      <button type="button" onClick=${onClose}>${t("Back to the review")}</button></div></section>`;
}

function Tries({ tries, rules }) {
  return html`<ul class="tries" aria-label=${t("Guesses tried")}>${tries.map((one, index) => html`<li key=${index} class=${`note ${one.solved ? "good" : "warn"}`}>
    ${one.solved && html`<${Code} pegs=${one.pegs} rules=${rules} label=${one.text} />`} <span><${Pieces} pieces=${one.pieces} rules=${rules} /></span></li>`)}</ul>`;
}
