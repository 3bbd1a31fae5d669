// Tells all of one turn, steps to the others, and shows the best guess when it is asked for.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { number, t } from "../texts.js";
import { Code } from "../parts/pegs.js";
import { GuessMark, areMixed, sentence, told } from "../parts/told.js";
import { explorerAt } from "../explore/address.js";
import { shortRules } from "../sharing.js";
import { codesLeft, rarity } from "./board.js";

/** @import { Api } from "../api.js" */

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Steps through turns by the arrow keys wherever the focus is, but in fields, rows that are made and what scrolls. */
export function useArrows(isOn, step) {
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    if (!isOn) return undefined;
    const pressed = (event) => {
      if (!(event.key in STEPS) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest?.("input, textarea, select, .draft, .scroll, .board.wide")) return;
      event.preventDefault();
      latest.current(STEPS[event.key]);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [isOn]);
}

/** `turn` is that of the review, `notes` its sentences, `isBest` whether the best guess is shown. */
export function TurnCard({ rules, game, turn, notes, at, onStep, isBest, onBest, onAgain, headRef }) {
  const last = game.turns.length - 1;
  return html`<section class="card turn-card" aria-labelledby="turn-head">
    <div class="row spread"><h2 id="turn-head" tabindex="-1" ref=${headRef}>
      ${t("Turn {n} of {total}", { n: at + 1, total: last + 1 })}</h2>
      <div class="row no-print" role="group" aria-label=${t("Turn by turn")}>
        <button type="button" aria-disabled=${at === 0 ? "true" : undefined} onClick=${() => onStep(-1)}
          aria-keyshortcuts="ArrowLeft">← ${t("Back")}</button>
        <button type="button" aria-disabled=${at === last ? "true" : undefined} onClick=${() => onStep(1)}
          aria-keyshortcuts="ArrowRight">${t("Next")} →</button></div></div>
    <div class="row"><${Code} text=${game.turns[at][0]} rules=${rules} />
      ${turn && html`<${GuessMark} mark=${turn.mark} />`}</div>
    <${Facts} turn=${turn} />
    ${turn && html`${notes.map((note) => html`<p key=${note} class="turn-note">${sentence(note)}</p>`)}
      ${isBest ? html`<${Best} turn=${turn} rules=${rules} />`
        : html`<div class="row no-print">
          <button type="button" onClick=${onBest}>${t("Show the best guess")}</button></div>`}
      <div class="row no-print"><button type="button" onClick=${onAgain}>${t("Try again from here")}</button>
        <a class="button" href=${explorerAt(shortRules(rules.text), game.turns.slice(0, at), game.turns[at][0])}>
          ${t("Explore this position")}</a></div>`}</section>`;
}

/** The numbers of a turn; points where they are still being found, so that nothing moves when they come. */
/** @param {{turn: Api["TurnReview"]}} props */
function Facts({ turn }) {
  if (!turn)
    return html`<${FactList} facts=${[t("Codes left"), t("Par to go"), t("With this guess"), t("Lost"), t("Luck"),
      t("Chance of this answer")].map((name) => [name, "…"])} />`;
  const rare = rarity(turn);
  const isAmong = areMixed([turn.value, turn.left, turn.expected, turn.loss, turn.luck]);
  const facts = [
    [t("Codes left"), `${codesLeft(turn.before)} → ${codesLeft(turn.after)}`],
    [t("Par to go"), `${told(turn.value, { isAmong })} → ${told(turn.left, { isAmong })}`],
    [t("With this guess"), told(turn.expected, { isAmong })],
    [t("Lost"), told(turn.loss, { isAmong })],
    [t("Luck"), `${told(turn.luck, { isSigned: true, isAmong })}${rare
      ? ` · ${t("an answer at least as good: {rarity}", { rarity: rare })}` : ""}`],
  ];
  if (turn.chance !== null && turn.chance !== undefined)
    facts.push([t("Chance of this answer"), t("{n} %", { n: number(100 * turn.chance, 1) })]);
  return html`<${FactList} facts=${facts} />`;
}

function FactList({ facts }) {
  return html`<dl class="turn-facts number">
    ${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The best guess of a turn, and the best of those that may be the secret. */
/** @param {{turn: Api["TurnReview"], rules: Api["RulesShown"]}} props */
export function Best({ turn, rules }) {
  return html`<div class="note info stack best-guess" tabindex="-1">
    <p>${t("Best:")} <${Code} text=${turn.best} rules=${rules} /> <code>${turn.best}</code> <span class="number">
      ${told(turn.best_expected)}</span></p>
    ${turn.best_possible && turn.best_possible !== turn.best
      && html`<p>${t("Best of the codes left:")} <${Code} text=${turn.best_possible} rules=${rules} /> <code>
        ${turn.best_possible}</code> <span class="number">${told(turn.best_possible_expected)}</span></p>`}
    <p class="small">${t("The number is how many more guesses are expected, this one included.")}</p></div>`;
}
