// Shows the boards that are kept, and takes a board out as a link or as text.

import { html } from "../vendor/ui.js";
import { addressOf } from "../sharing.js";
import { t } from "../texts.js";
import { toLink } from "../link.js";
import { Button } from "../parts/button.js";
import { Field } from "../parts/field.js";
import { ShareBox } from "../parts/sharebox.js";
import { titleOf } from "./boards.js";
import { notesText } from "./told.js";

/** Chooses among the boards; names, begins and removes one. */
export function Shelf({ boards, onNew, onRemove }) {
  const { id, board, all } = boards;
  const isKept = all.some((one) => one.id === id);
  return html`<div class="shelf">
    <${Field} label=${t("Board")}><select value=${id} onChange=${(event) => boards.open(event.currentTarget.value)}>
      ${!isKept && html`<option value=${id}>${titleOf(board)}</option>`}
      ${all.map((one) => html`<option key=${one.id} value=${one.id}>${titleOf(one.board)}</option>`)}
        </select></${Field}>
    <${Field} label=${t("Its name")}><input value=${board.name} maxlength="60" autocomplete="off"
      placeholder=${t("none yet")}
      onInput=${(event) => boards.change({ name: event.currentTarget.value })} /></${Field}>
    <button onClick=${onNew}>${t("New board")}</button>
    <${Button} onClick=${onRemove} isOff=${!isKept}>${t("Delete this board")}</${Button}></div>`;
}

/** The board as a link, and as text that the command line reads. */
export function TakeOut({ board }) {
  const fragment = `g/${toLink({ rules: board.rules, turns: board.rows.map(({ guess, marks }) => [guess, marks]) })}`;
  const isWhole = board.rows.length > 0 && board.rows.every(({ guess, marks }) => !guess.includes("?")
    && !/[?≥]/.test(marks));
  return html`<details class="card"><summary>${t("Share or take along")}</summary><div class="stack">
    <${ShareBox} label=${t("As link")} copyLabel=${t("Copy as link")} text=${addressOf(`#/assist/${fragment}`)}
      instead=${notesText(board.rules, board.rows)} />
    <${ShareBox} label=${t("As text, for “entropeg assist”")} copyLabel=${t("Copy as text")}
      text=${notesText(board.rules, board.rows)} />
    ${isWhole && html`<p><a class="button" href=${`#/review/${fragment}`}>${t("Review it")}</a></p>`}</div></details>`;
}

/** A field for whole notes, a log, or rows in any notation. */
export function Paste({ busy, error, onPaste, rows, isOpen, text, setText, setOpen }) {
  return html`<details class="card" open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${t("Paste notes or a log")}</summary>
    <${Field} label=${t("Rows, one a line")} wrong=${error?.message}
      hint=${t("As «1. aabb -> 1b 1w», emoji too; notes and saved games of entropeg with their rules")}>
      <textarea class="mono" rows="6" value=${text} spellcheck="false" autocapitalize="off"
        onInput=${(event) => setText(event.currentTarget.value)} /></${Field}>
    <p class="row"><${Button} isOff=${busy || !text.trim()} onClick=${() => onPaste(text, true)}>
      ${rows > 0 ? t("Replace the rows by these") : t("Read them")}</${Button}>
      ${rows > 0 && html`<${Button} isOff=${busy || !text.trim()} onClick=${() => onPaste(text, false)}>
        ${t("Add them")}</${Button}>`}
      ${busy && html`<span class="busy">${t("Reading")}</span>`}</p></details>`;
}
