// The board of Assist: rows that are noted, what can be done with each, and the row that is being made among them.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { hasNames } from "../codes.js";
import { t } from "../texts.js";
import { Button } from "../parts/button.js";
import { Board } from "../parts/board.js";
import { useDrag } from "../parts/drag.js";
import { drop, keyed, moveTo, pasted, put } from "../parts/draft.js";
import { drawable, isByPeg, readTold } from "../parts/marks.js";
import { Dock, Palette, keepRow } from "../parts/palette.js";
import { Suspect, inConflict, suspectsOf } from "./conflict.js";
import { readPart, toldInWords } from "./told.js";

/** The marks of a row as boards draw them; where a part is unknown as they are written, with their words. */
function faceOf(row, rules) {
  const told = readTold(row.marks, rules);
  const feedback = drawable(told, rules);
  if (feedback) return { feedback };
  const marks = told && isByPeg(rules) ? told.ranges.map(([least, most]) => (most === null ? null : least)) : null;
  return {
    feedback: marks && { marks },
    drawn: html`<span class="unseen">${toldInWords(told, rules)}</span>
      <span class="mono" aria-hidden="true">${row.marks}</span>`,
  };
}

/**
 * `entry` is {draft, setDraft, at, isEdit}; `actions` has edit, insert, move, sure, remove and mend; `opened` the row
 * whose actions are shown, `onOpen(index)`. `onSubmit`, `onCopy`, `onPasted(text)` answer keys, `isEverywhere` those
 * that are typed where nothing has the focus. Rows count as in `rows`.
 */
export function RowBoard(props) {
  const { rules, rows, entry, contradiction, opened, onOpen, actions, onUse, faults } = props;
  const box = useRef(null);
  const { draft, setDraft, at, isEdit } = entry;
  useDrag(box, (color, place, from) => setDraft((now) => drop(now, color, place, from)));
  // Keys come sooner than effects run: each finds the row that the one before it has made.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const typed = (event) => {
      if (latest.current.isEverywhere && event.target === document.body) onKey(event, latest.current);
    };
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
  }, []);
  // The row that is edited is not shown twice.
  const shown = rows.map((row, index) => ({ row, index, pegs: readPart(row.guess, rules) ?? Array(rules.pegs)
    .fill(null), ...faceOf(row, rules) }))
    .filter(({ index }) => !(isEdit && index === at));
  const suspects = suspectsOf(contradiction, rows);
  const conflicting = inConflict(contradiction);
  const change = { key: "change", head: t("Change"),
    cell: ({ index, row }) =>
    html`<span class="row-change">
      ${row.sure
        && html`<span class="sure" title=${t("Marked as sure")}>✓<span class="unseen"> ${t("sure")}</span></span>`}
    <button class="tiny" id=${`assist-row-${index}`} aria-expanded=${opened === index ? "true" : "false"}
      aria-label=${t("Change row {n}", { n: index + 1 })}
      onClick=${() => onOpen(opened === index ? null : index)}>⋯</button></span>` };
  const note = ({ index, row }) => {
    const rank = suspects.findIndex((suspect) => suspect.row === index);
    const fault = faults?.get(index);
    if (rank < 0 && !fault && opened !== index) return null;
    return html`<div class="stack">${fault && html`<p class="bad">${fault}</p>`}
      ${rank >= 0 && html`<${Suspect} suspect=${suspects[rank]} rank=${rank} rows=${rows} rules=${rules}
        onMend=${actions.mend} />`}
      ${opened === index && html`<${RowActions} index=${index} row=${row} count=${rows.length} actions=${actions} />`}
        </div>`;
  };
  return html`<div class="entry" ref=${box} onMouseDown=${keepRow} onKeyDown=${(event) => onKey(event, props)}
    onPaste=${(event) => onPaste(event, props)}>
    <${Board} rules=${rules} turns=${shown} draft=${draft} draftAt=${at ?? shown.length} columns=${[change]}
      caption=${t("Rows that are noted")}
      onPlace=${(place) => setDraft((now) => moveTo(now, place))} onUse=${(index) => onUse(shown[index].row.guess)}
      rowClass=${({ index }) => (faults?.has(index) ? "wrong" : conflicting.includes(index) ? "suspect" : "")}
      rowNote=${note}
      draftCells=${html`<span class="small muted">${isEdit ? t("edited") : t("new")}</span>`} />
    <${Dock}><${Palette} rules=${rules} onColor=${(color) => setDraft((now) => put(now, color))} />
    <div class="actions"><button onClick=${() => setDraft((now) => put(now, null))}>
      ${hasNames(rules) ? t("Unknown question") : t("Unknown peg")} <kbd>?</kbd></button>
      <button onClick=${actions.clear}>${t("Empty the row")}</button></div></${Dock}></div>`;
}

function RowActions({ index, row, count, actions }) {
  return html`<div class="row" role="group" aria-label=${t("Row {n}", { n: index + 1 })}>
    <button onClick=${() => actions.edit(index)}>${t("Edit")}</button>
    <button onClick=${() => actions.insert(index)}>${t("Insert a row above")}</button>
    <${Button} isOff=${index === 0} onClick=${() => actions.move(index, -1)}>${t("Up")}</${Button}>
    <${Button} isOff=${index === count - 1} onClick=${() => actions.move(index, 1)}>${t("Down")}</${Button}>
    <button aria-pressed=${row.sure ? "true" : "false"} onClick=${() => actions.sure(index)}>
      ${t("I am sure of it")}</button>
    <button onClick=${() => actions.remove(index)}>${t("Delete")}</button></div>`;
}

function onKey(event, { rules, entry, onSubmit, onCopy }) {
  const { target } = event;
  if (event.defaultPrevented || target.closest("input, textarea, select, summary")) return;
  const isButton = target.closest("button, a") && !target.closest("tr.draft, .palette");
  if (isButton && (event.key === "Enter" || event.key === " ")) return;
  if (target.closest(".palette") && event.key === "Enter") return;
  const { draft, setDraft } = entry;
  const isUnknown = ["?", "*"].includes(event.key) && !event.ctrlKey && !event.metaKey
    && rules.symbols.every(({ text }) => text !== event.key);
  const done = isUnknown ? put(draft, null) : keyed(draft, event, rules);
  if (done === null || done === "help" || done === "hint") return;
  event.preventDefault();
  if (done === "submit") onSubmit();
  else if (done === "copy") onCopy();
  else setDraft(() => done);
}

function onPaste(event, { rules, entry, onPasted }) {
  if (event.target.closest("input, textarea")) return;
  const text = event.clipboardData?.getData("text") ?? "";
  if (!text.trim()) return;
  event.preventDefault();
  const done = pasted(entry.draft, text, rules);
  if (done) entry.setDraft(() => done);
  else onPasted(text);
}
