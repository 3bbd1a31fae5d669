// Shows notes: a table of colors and pegs that marks itself from the answers, or is marked by hand.

import { html } from "../vendor/ui.js";
import { post } from "../api.js";
import { colorsOfSecrets, symbolName, symbolText } from "../codes.js";
import { noteOf } from "../games.js";
import { useAsk } from "../parts/ask.js";
import { Refusal } from "../parts/field.js";
import { Peg } from "../parts/pegs.js";
import { t } from "../texts.js";
import { useWhen } from "../parts/when.js";

const SIGNS = { "": "·", out: "×", in: "✓" };
const MOST_CELLS = 2000;

const nameOf = (state) => ({ "": t("possible"), out: t("ruled out"), in: t("certain") })[state];

/** What is known of a color from a table of chances, a row a peg. */
function fromChances(marginals, symbol, place) {
  const chance = marginals?.[place][symbol];
  if (chance === 0) return "out";
  return chance === 1 ? "in" : "";
}

/** What the palette shows of a color: crossed out where no peg can be of it, marked where one is. */
export function knownOf(rules, cellOf) {
  return (color) => {
    const places = Array.from({ length: rules.pegs }, (_, place) => cellOf(color, place));
    if (places.every((state) => state === "out")) return "out";
    return places.includes("in") ? "in" : "";
  };
}

/** What the letters of words have shown so far: the best mark of each. */
export function learned(rows) {
  const best = new Map();
  for (const { pegs, feedback } of rows) {
    feedback?.marks?.forEach((mark, place) => best.set(pegs[place], Math.max(mark, best.get(pegs[place]) ?? 0)));
  }
  return (color) => ["out", "in", "placed"][best.get(color)] ?? "";
}

/** The cells of the notes: a function of color and place, and the state of the question behind it. */
export function useNotes(session, mode) {
  const { game, rules } = session;
  const [state, ask] = useAsk();
  const turns = game?.turns.length ?? 0;
  useWhen(() => {
    if (mode === "auto" && rules && turns > 0)
      ask((options) => post("positions", { rules: game.rules, turns: game.turns }, options));
  }, [mode, rules !== null, turns]);
  const marginals = turns > 0 ? state.data?.marginals ?? null : null;
  const cellOf = mode === "hand" ? (color, place) => noteOf(game, color, place)
    : (color, place) => fromChances(marginals, symbolText(color, rules), place);
  return { cellOf, busy: state.busy, error: state.error, isKnown: mode === "hand" || turns === 0
    || marginals !== null };
}

/** The table, with what makes its marks. */
export function Notes({ session, mode, onMode, notes }) {
  const { game, rules, send } = session;
  const colors = colorsOfSecrets(rules);
  const places = Array.from({ length: rules.pegs }, (_, place) => place);
  const isShown = mode !== "off" && colors.length * places.length <= MOST_CELLS;
  return html`<section class="card" aria-labelledby="notes-head">
    <div class="row spread"><h2 id="notes-head">${t("Notes")}</h2>
      <select class="slim" aria-label=${t("How notes are taken")} value=${mode}
        onChange=${(event) => onMode(event.currentTarget.value)}>
        <option value="off">${t("off")}</option><option value="auto">${t("mark themselves")}</option>
          <option value="hand">${t("by hand")}</option></select></div>
    ${mode !== "off" && !isShown && html`<p class="muted">${t("This board is too large for a table of notes.")}</p>`}
    ${isShown && html`<div class="scroll" tabindex="0" role="region" aria-label=${t("Table of notes")}>
      <table class="notes">
      <caption class="unseen">${t("Which color can stand at which peg")}</caption>
      <thead><tr><td></td>
        ${places.map((place) =>
          html`<th key=${place} scope="col"><span class="unseen">${t("Peg {n}", { n: place + 1 })}</span>
            <span aria-hidden="true">${place + 1}</span></th>`)}</tr></thead>
      <tbody>${colors.map((color) =>
        html`<tr key=${color}><th scope="row"><span class="unseen">${symbolName(color, rules, t("blank"))}</span>
          <${Peg} color=${color} rules=${rules} /></th>
        ${places.map((place) =>
          html`<td key=${place}><${Cell} state=${notes.cellOf(color, place)} isHand=${mode === "hand"}
          label=${t("{color} at peg {n}", { color: symbolName(color, rules, t("blank")), n: place + 1 })}
          onMark=${() => send({ type: "noted", color, place })} /></td>`)}</tr>`)}</tbody></table></div>
      <p class="muted small">${t("× ruled out, ✓ certain, · possible.")}</p>
      ${mode === "auto" && notes.busy && html`<p class="busy">${t("Counting")}</p>`}`}
    ${mode === "auto" && html`<${Refusal} error=${notes.error} />`}
    ${mode === "hand" && Object.keys(game.notes).length > 0
      && html`<div class="row"><button type="button" class="quiet" onClick=${() => send({ type: "noted" })}>
        ${t("Clear the notes")}</button></div>`}
  </section>`;
}

function Cell({ state, isHand, label, onMark }) {
  if (isHand)
    return html`<button type="button" class=${`note-cell ${state}`} aria-label=${`${label}: ${nameOf(state)}`}
      onClick=${onMark}>${SIGNS[state]}</button>`;
  return html`<span class=${`note-cell ${state}`}><span class="unseen">${nameOf(state)}</span>
    <span aria-hidden="true">${SIGNS[state]}</span></span>`;
}
