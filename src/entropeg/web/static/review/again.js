// Plays on from a turn of a reviewed game, against the same secret where it is known, and compares the results.

import { html, useRef, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { toLink } from "../link.js";
import { t, tn } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Board } from "../parts/board.js";
import { Guesser } from "../parts/guesser.js";
import { turnOf } from "../parts/marks.js";
import { codesLeft } from "./board.js";
import { useWhen } from "../parts/when.js";

const pairs = (rows) => rows.map(({ guess, marks }) => [guess, marks]);

/** The secret of a game as text: told, or the guess that won; null where nobody knows it. */
const secretOf = (game) => game.secret ?? (game.won ? game.turns.at(-1)[0] : null);

/** Whether one can play on: the secret is known, or the codemaker's sealed token is there. */
const canPlayOn = (game) => secretOf(game) !== null || Boolean(game.token);

/**
 * The game from a turn on: {turns, over, busy, refusal, play(texts)}. `over` is how it ended, or null; `play` asks for
 * the answers to guesses and resolves to false where one was refused.
 */
function useAgain({ rules, game, from, onRows, onEnd }) {
  const [state, ask] = useAsk();
  const [rows, setRows] = useState([]);
  const [over, setOver] = useState(null);
  const [refused, setRefused] = useState(null);
  const sealed = useRef(null);
  const start = game.rows.slice(0, from);
  const tokenOf = async (options) => {
    const secret = secretOf(game);
    const known = secret === null ? { token: game.token } : { secret };
    sealed.current ??= (await post("games", { rules: game.rules, ...known }, options)).token;
    return sealed.current;
  };
  const answerTo = async (guess, made, options) => {
    const asked = { rules: game.rules, turns: pairs([...start, ...made]), guess, token: await tokenOf(options),
      count: true };
    try {
      return await post("answers", asked, options);
    } catch (error) {
      if (error.status === 422) setRefused(error.message);
      throw error;
    }
  };
  const play = async (texts, before = rows) => {
    setRefused(null);
    const found = await ask(async (options) => {
      let made = before;
      let answer = null;
      for (const text of texts) {
        answer = await answerTo(text, made, options);
        made = [...made, { ...turnOf(answer.turn, rules), left: answer.left }];
        if (answer.state !== "open") break;
      }
      return { made, answer };
    });
    if (!found) return false;
    setRows(found.made);
    onRows(found.made.map(({ guess }) => guess));
    say(found.answer.says);
    if (found.answer.state !== "open") {
      setOver(found.answer.state);
      onEnd();
    }
    return true;
  };
  return { turns: [...start, ...rows], over, busy: state.busy, refusal: refused ?? state.error?.message ?? null, play };
}

/**
 * `from` is the turn that is played again, from 0; `first` are guesses made before a reload, `onRows(texts)` hears of
 * all.
 */
export function Again({ rules, game, from, first = [], onRows, onClose }) {
  const head = useRef(null);
  const end = useRef(null);
  const { turns, over, busy, refusal, play } = useAgain({
    rules, game, from, onRows, onEnd: () => setTimeout(() => end.current?.focus(), 0),
  });
  useWhen(() => {
    if (!canPlayOn(game)) head.current?.focus();
    else if (first.length > 0) play(first, []);
  }, []);
  const columns = [{ key: "left", head: t("Codes left"), isNumber: true,
    cell: (turn) => (turn.left ? codesLeft(turn.left.count) : "") }];
  const board = { rules, turns, columns, caption: t("The game, played again from guess {n}", { n: from + 1 }) };
  return html`<section class="stack again" aria-labelledby="again-head"><h2 id="again-head" tabindex="-1" ref=${head}>
    ${t("Again, from guess {n}", { n: from + 1 })}</h2>
    ${!canPlayOn(game)
    ? html`<p class="note warn">
      ${t("One cannot play on from here: the game was not won, and its secret is not known. Say it in a line before the game, as “secret: ABCD”.")}</p>`
    : over === null
      ? html`<div class="with-heads"><${Guesser} ...${board} busy=${busy} onGuess=${(text) => play([text])}
        refusal=${refusal} label=${t("Guess")}
          isFocused=${true} rowClass=${(_, index) => (index < from ? "earlier" : "")} /></div>`
      : html`<div class="with-heads"><${Board} ...${board} /></div>
        <div class="note info stack" tabindex="-1" ref=${end} role="group" aria-label=${t("Result")}>
          <p><strong>${compared(game, turns, over)}</strong></p>
          <p><a href=${`#/review/g/${toLink({ rules: game.rules, codemaker: "honest", turns: pairs(turns) })}`}>
            ${t("Review this attempt")}</a></p></div>`}
    <div class="row"><button type="button" onClick=${onClose}>${t("Back to the review")}</button></div></section>`;
}

function compared(game, turns, over) {
  const here = over === "won" ? tn("Found in {n} guess.", "Found in {n} guesses.", turns.length)
    : t("Not found within the limit.");
  const before = game.won ? tn("In the game it took {n} guess.", "In the game it took {n} guesses.", game.turns.length)
    : t("In the game it was not found.");
  return `${here} ${before}`;
}
