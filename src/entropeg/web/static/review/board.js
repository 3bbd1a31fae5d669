// Shows a reviewed game on its board: beside each turn its mark, what it lost, what luck gave, and the codes left.

import { html } from "../vendor/ui.js";
import { shownCount, t, tn } from "../texts.js";
import { Board } from "../parts/board.js";
import { useMedia } from "../parts/media.js";
import { GuessMark, luckInWords, markName, told } from "../parts/told.js";

/** @import { Api } from "../api.js" */

const MOST_BESIDE = 5;

/** How rare an answer at least as good was, in words; nothing where luck was not good. */
/** @param {Api["TurnReview"]} turn */
export function rarity(turn) {
  if (turn.rarity === null || turn.rarity === undefined || !turn.luck || (turn.luck.value ?? 0) < 0.005) return null;
  const times = 1 / turn.rarity;
  return times >= 2 ? t("1 in {n}", { n: Math.round(times) }) : t("{n} %", { n: Math.round(100 * turn.rarity) });
}

/** How many codes were left, or `?` where nobody can count them. */
export const codesLeft = (count) => (count === null || count === undefined ? "?" : shownCount(count));

/** The numbers of a turn in one sentence, for those who listen and for narrow screens. */
/** @param {Api["TurnReview"]} turn */
export function turnSentence(turn) {
  const rare = rarity(turn);
  const luck = rare ? `${luckInWords(turn.luck)} (${rare})` : luckInWords(turn.luck);
  const left = turn.after === null ? t("nobody can count the codes left") : tn("{n} code left", "{n} codes left",
    turn.after);
  return [turn.mark ? markName(turn.mark) : null, t("lost {loss}", { loss: told(turn.loss) }), luck,
    left].filter(Boolean).join(", ");
}

/** `at` is the turn that is looked at, from 0; `turns` are those of the review, or null until it is there. */
export function ReviewBoard({ rules, game, turns, at, onTurn, secret = null }) {
  const isWide = useMedia("(min-width: 620px), print");
  // Beside estimates, with their errors, and beside more pegs there is no room: there the numbers stand under the row.
  const isBroad = isWide && rules.pegs <= MOST_BESIDE
    && (turns === null || turns.every((turn) => turn.loss.sign === "=" && turn.luck.sign === "="));
  const columns = isBroad ? [
    { key: "left", head: t("Codes left"), isNumber: true,
      cell: (_, index) => (turns?.[index] ? codesLeft(turns[index].after) : "…") },
    { key: "mark", head: t("Mark"),
      cell: (_, index) => (turns?.[index] ? html`<${GuessMark} mark=${turns[index].mark} />` : "…") },
    { key: "loss", head: t("Lost"), isNumber: true,
      cell: (_, index) => (turns?.[index] ? told(turns[index].loss) : "…") },
    { key: "luck", head: t("Luck"), isNumber: true,
      cell: (_, index) => (turns?.[index] ? html`${told(turns[index].luck, { isSigned: true })}
        ${rarity(turns[index]) && html`<span class="rare">${rarity(turns[index])}</span>`}` : "…") },
  ] : [];
  const note = (_, index) => turns?.[index] && html`<${GuessMark} mark=${turns[index].mark} /> <span class="number">
    ${turnSentence({ ...turns[index], mark: null })}</span>`;
  return html`<div class=${`reviewed-board${isBroad ? " with-heads" : ""}`}>
    <${Board} rules=${rules} turns=${game.rows} columns=${columns} secret=${secret}
    caption=${t("The game, with what is said of each guess")} current=${at} onUse=${onTurn}
    nameOfUse=${(n) => t("Turn {n}: look at it", { n })} titleOfUse=${t("Look at this turn")}
    rowNote=${isBroad ? undefined : note} /></div>`;
}
