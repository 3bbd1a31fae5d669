// Takes the marks of a row: by buttons, or as text in any notation.

import { html } from "../vendor/ui.js";
import { hasNames } from "../codes.js";
import { t } from "../texts.js";
import { Button } from "../parts/button.js";
import { Field } from "../parts/field.js";
import { Dot, answerInWords, isByPeg, readTold } from "../parts/marks.js";
import { toldInWords, writeTold } from "./told.js";

const MOST_BUTTONS = 16;
const FACES = { "-1": "?", 0: "·", 1: "○", 2: "●" };

/** `value` is the text of the marks; `onChange(text)` when it changes, `onEnter()` for Enter in the field. */
export function MarksEntry({ rules, value, onChange, onEnter, wrong, field }) {
  const told = value.trim() === "" ? undefined : readTold(value, rules);
  const set = (next) => onChange(writeTold(next, rules));
  const hint = hasNames(rules) ? t("One of the answers of the game; ? where it is not known")
    : isByPeg(rules) ? t("X in place, O elsewhere, . not in it, ? unknown: one for each peg")
    : t("As XXO or 2 1, - for none; 1 ? where white is unknown, XO? for at least that, ? for nothing told");
  return html`<fieldset class="marks-entry"><legend>${t("What it got")}</legend>
    ${hasNames(rules) ? html`<${Named} rules=${rules} told=${told} set=${set} />`
    : isByPeg(rules) ? rules.pegs <= MOST_BUTTONS && html`<${PegMarks} rules=${rules} told=${told} set=${set} />`
    : html`<${Counts} rules=${rules} told=${told} set=${set} />`}
    <${Field} label=${hasNames(rules) ? t("Answer as text") : t("Marks as text")} wrong=${wrong} hint=${hint}>
      <input class="mono" ref=${field} value=${value} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => onChange(event.currentTarget.value)}
        onKeyDown=${(event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onEnter();
  }} /></${Field}>
    <p class="small muted marks-told">${told === undefined ? "" : toldInWords(told, rules)}</p></fieldset>`;
}

/** The answers of a table as buttons; where there are many they are written. */
function Named({ rules, told, set }) {
  const { answers } = rules.answers;
  if (answers.length > MOST_BUTTONS) return null;
  return html`<div class="row">${answers.map((answer, at) => html`<button type="button" key=${answer}
    aria-pressed=${told?.ranges[0][0] === at ? "true" : "false"} onClick=${() => set({ ranges: [[at, at]] })}>
    ${answerInWords(at, rules)}</button>`)}</div>`;
}

function Counts({ rules, told, set }) {
  const kinds = rules.numbers;
  const ranges = told?.ranges ?? kinds.map(() => [0, 0]);
  const sum = ranges.reduce((all, [least]) => all + least, 0);
  const isOpen = Boolean(told) && ranges.every(([, most]) => most === null);
  const step = (at, by) => set({ ranges: ranges.map(([least, most], index) => {
    if (index !== at) return [least, most];
    const next = Math.max(0, least + by);
    return [next, most === null && isOpen ? null : next];
  }) });
  const open = () => set({ ranges: ranges.map(([least]) => [least, isOpen ? least : null]) });
  const nameOf = (kind) => ({ black: t("Black"), white: t("White"), blue: t("Blue") })[kind];
  return html`<div class="row">
    ${kinds.map((kind, at) => html`<div key=${kind} class="stepper" role="group" aria-label=${nameOf(kind)}>
      <span class="stepper-name"><${Dot} kind=${kind} />${nameOf(kind)}</span>
      <${Button} aria-label=${t("One {mark} less", { mark: nameOf(kind).toLowerCase() })} isOff=${ranges[at][0] === 0}
        onClick=${() => step(at, -1)}>−</${Button}>
      <output class="number">${told ? ranges[at][1] === null ? (ranges[at][0] ? `≥${ranges[at][0]}` : "?")
        : ranges[at][0] : told === null ? "?" : ""}</output>
      <${Button} aria-label=${t("One {mark} more", { mark: nameOf(kind).toLowerCase() })} isOff=${sum >= rules.pegs}
        onClick=${() => step(at, 1)}>+</${Button}></div>`)}
    <button type="button" aria-pressed=${told && sum === 0 && !isOpen ? "true" : "false"}
      onClick=${() => set({ ranges: kinds.map(() => [0, 0]) })}>${t("No marks")}</button>
    <button type="button" aria-pressed=${isOpen ? "true" : "false"} onClick=${open}>${t("At least")}</button></div>`;
}

function PegMarks({ rules, told, set }) {
  const ranges = told?.ranges ?? Array.from({ length: rules.pegs }, () => [0, null]);
  const valueOf = ([least, most]) => (most === null ? -1 : least);
  const turn = (at) => set({ ranges: ranges.map((range, index) => {
    if (index !== at) return range;
    const next = valueOf(range) === 2 ? -1 : valueOf(range) + 1;
    return next === -1 ? [0, null] : [next, next];
  }) });
  const nameOf = (value) => ({ "-1": t("unknown"), 0: t("not in it"), 1: t("elsewhere"), 2: t("in place") })[value];
  return html`<div class="row" role="group" aria-label=${t("A mark for each peg")}>
    ${ranges.map((range, at) => html`<button key=${at} type="button"
    class=${`mark-turn mark${valueOf(range)}`}
    aria-label=${t("Peg {n}: {mark}", { n: at + 1, mark: nameOf(valueOf(range)) })} onClick=${() => turn(at)}>
    ${FACES[valueOf(range)]}</button>`)}</div>`;
}
