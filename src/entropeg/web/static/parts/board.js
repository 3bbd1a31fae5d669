// The board of all screens: a table of turns, first guess on top, and the row that is being made, a row of buttons.

import { html, useRef } from "../vendor/ui.js";
import { t } from "../texts.js";
import { hasNames, symbolName } from "../codes.js";
import { Peg, UnknownPeg } from "./pegs.js";
import { MOST_DRAWN, Marks, Tray, isByPeg, marksInWords } from "./marks.js";
import { useWhen } from "./when.js";

const MOST_WAITING = 12;
/** Boards of more pegs scroll inside themselves. */
const WIDE = 9;
/** Pegs that small windows have room for. */
const SHORT = 6;

/**
 * `turns`: [{pegs, feedback, ...}]; `drawn` in one stands in place of its marks. `draft`: {pegs, cursor, held} or null
 * where no row is made; `onPlace(place)` when a hole is chosen. `draftAt`: how many turns stand before it; all, unless
 * a row is edited or put in between. Pegs of turns that are null are unknown. `columns`: [{key, head, cell(turn,
 * index), isNumber}] after the marks. `rowClass(turn, index)`, `rowNote(turn, index)`: a class and a line under a row.
 * `onUse(index)`: copies a row into the draft, or whatever `nameOfUse(number)` and `titleOfUse` say that it does.
 * `current`: the row that is looked at. `secret`: pegs shown below. `draftCells`: what stands in the row that is made,
 * after its pegs; `draftNote`: the line under it, with the id `draft-note`. `waiting`: how many empty rows are drawn.
 * `children` stand under the table.
 */
export function Board(props) {
  const { rules, turns, draft = null, columns = [], caption, secret = null, waiting = 0 } = props;
  const at = Math.min(props.draftAt ?? turns.length, turns.length);
  const box = useRef(null);
  const isWide = rules.pegs >= WIDE;
  const isLong = rules.pegs > SHORT;
  useWhen(() => {
    // What is made or looked at stays in view on a board that scrolls inside itself, under what was played before;
    // where a phone is turned, too.
    const { current } = box;
    const sizes = new ResizeObserver(() => {
      const row = [...current.querySelectorAll("tr.draft, tr.draft-note, tr.current, tr.now")].at(-1);
      if (row) current.scrollTop = row.offsetTop + row.offsetHeight - current.clientHeight;
    });
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [turns.length, at, props.current, Boolean(props.draftNote)]);
  const places = Array.from({ length: rules.pegs }, (_, place) => place);
  const empty = Math.max(0, Math.min(waiting, MOST_WAITING));
  const turnRow = (turn, index) => html`<${TurnRow} key=${index} turn=${turn} index=${index}
    number=${index + (draft && index >= at ? 2 : 1)} places=${places} ...${props} />`;
  // The size of pegs follows from how many there are and the room that is left: see parts.css.
  const size = {
    "--pegs": rules.pegs, "--columns": columns.length, "--rows": turns.length + empty + (draft ? 1 : 0),
    "--dots": isInTiles(rules) ? 0 : Math.max(2, Math.ceil(rules.pegs / 2)), ...manyMarks(rules),
  };
  const isReached = isWide || (isLong && !draft && !props.onUse); // by Tab, to be scrolled, where nothing in it is
  const named = hasNames(rules) ? " named" : "";
  return html`<div class=${`board${named}${isLong ? " long" : ""}${isWide ? " wide" : ""}`} ref=${box} style=${size}
    tabindex=${isReached ? 0 : undefined}
      role=${isReached ? "region" : undefined} aria-label=${isReached ? caption : undefined}>
    <table><caption class="unseen">${caption}</caption>
      <thead class="unseen-head"><tr><th scope="col"><span class="unseen">${t("Guess")}</span></th>
        ${places.map((place) =>
          html`<th key=${place} scope="col"><span class="unseen">${hasNames(rules) ? t("Question")
            : t("Peg {n}", { n: place + 1 })}</span></th>`)}
        <th scope="col" class="row-marks"><span class="unseen">${hasNames(rules) ? t("Answer") : t("Marks")}</span></th>
        ${columns.map(({ key, head, isNumber }) =>
          html`<th key=${key} scope="col" class=${isNumber ? "extra num" : "extra"}>${head}</th>`)}</tr></thead>
      <tbody>
        ${turns.slice(0, at).map(turnRow)}
        ${draft && html`<${DraftRow} key="draft" number=${at + 1} places=${places} ...${props} />`}
        ${turns.slice(at).map((turn, index) => turnRow(turn, at + index))}
        ${Array.from({ length: empty },
          (_, index) => html`<${WaitingRow} key=${`waiting ${index}`} number=${turns.length + (draft ? 2 : 1) + index}
            places=${places} ...${props} />`)}
        ${secret && html`<tr key="secret" class="secret"><th scope="row">${t("Secret")}</th>
          ${places.map((place) => html`<${Place} key=${place} color=${secret[place]} rules=${rules} />`)}
          <td></td>${columns.map(({ key }) => html`<td key=${key}></td>`)}</tr>`}
      </tbody></table>${props.children}</div>`;
}

/** The width of marks that are not discs and rings in two lines: a tile for each peg, or numbers. */
const manyMarks = (rules) => (isByPeg(rules) ? !rules.symbols[0]?.tile && { "--many": `${20 * rules.pegs}px` }
  : rules.pegs > MOST_DRAWN && { "--many": "80px" });

/** Whether letters show their marks themselves. */
const isInTiles = (rules) => isByPeg(rules) && rules.symbols[0]?.tile === true;

function Place({ color, rules, mark = null }) {
  const name = color === null ? t("unknown") : symbolName(color, rules, t("blank"));
  return html`<td class="place" data-peg=${color ?? ""}><span class="unseen">${name}</span>
    ${color === null ? html`<${UnknownPeg} />` : html`<${Peg} color=${color} rules=${rules} mark=${mark} />`}</td>`;
}

function TurnRow({ turn, index, number, places, rules, columns = [], rowClass, rowNote, onUse = null, nameOfUse,
  titleOfUse, current = null }) {
  const note = rowNote?.(turn, index);
  const marks = turn.feedback?.marks ?? null;
  return html`<tr class=${`turn ${rowClass?.(turn, index) ?? ""}${index === current ? " current" : ""}`}
    aria-current=${index === current ? "true" : undefined}>
      <th scope="row" class="row-number">${onUse
    ? html`<button type="button" class="tiny quiet" title=${titleOfUse ?? t("Put this row into the new one")}
      aria-label=${nameOfUse?.(number) ?? t("Guess {n}: put it into the new row", { n: number })}
      onClick=${() => onUse(index)}>${number}</button>`
    : html`<span class="unseen">${t("Guess")} </span>${number}`}</th>
      ${places.map((place) => html`<${Place} key=${place} color=${turn.pegs[place] ?? null} rules=${rules}
        mark=${marks?.[place] ?? null} />`)}
      <td class="row-marks">
        ${turn.drawn
          ?? (turn.feedback
            ? html`<${Marks} feedback=${turn.feedback} pegs=${rules.pegs} isInTiles=${isInTiles(rules)} />`
            : html`<span class="muted">?</span>`)}</td>
      ${columns.map(({ key, cell, isNumber }) => html`<td key=${key} class=${isNumber ? "num" : ""}>
        ${cell(turn, index)}</td>`)}</tr>
    ${note && html`<tr class="row-note"><td></td><td colspan=${places.length + 1 + columns.length}>${note}</td></tr>`}`;
}

function DraftRow({ number, places, rules, draft, columns = [], onPlace, draftCells = null, draftNote = null }) {
  const cursor = useRef(null);
  const isFirst = useRef(true);
  useWhen(() => {
    // The focus follows the cursor where it is in the row already: typing moves on, Tab stays free.
    if (!isFirst.current && document.activeElement?.closest?.("tr.draft"))
      cursor.current?.focus({ preventScroll: rules.pegs < WIDE });
    // A wide board scrolls inside itself: the cursor stays in view, whatever has moved it.
    if (!isFirst.current && rules.pegs >= WIDE) cursor.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    isFirst.current = false;
  }, [draft.cursor]);
  return html`<tr class="draft"><th scope="row" class="row-number"><span class="unseen">${t("Guess")} </span>
    ${number}</th>
    ${places.map((place) =>
      html`<td key=${place} class="place"><${Hole} place=${place} rules=${rules} color=${draft.pegs[place]}
        isHeld=${Boolean(draft.held?.[place])}
      isCursor=${place === draft.cursor} isDescribed=${Boolean(draftNote)} cursor=${cursor}
      onPlace=${onPlace} /></td>`)}
    <td class="row-marks" colspan=${1 + columns.length}>${draftCells}</td></tr>
    ${draftNote
      && html`<tr class="row-note draft-note"><td></td><td colspan=${places.length + 1 + columns.length}>
        <div id="draft-note">${draftNote}</div></td></tr>`}`;
}

function Hole({ place, rules, color, isHeld, isCursor, isDescribed, cursor, onPlace }) {
  const name = color === null ? t("empty") : symbolName(color, rules, t("blank"));
  const label = hasNames(rules) ? t("Question: {name}", { name })
    : isHeld ? t("Peg {n}: {color}, held", { n: place + 1, color: name })
      : t("Peg {n}: {color}", { n: place + 1, color: name });
  return html`<button type="button" ref=${isCursor ? cursor : null}
    class=${`hole-button${isCursor ? " cursor" : ""}${isHeld ? " held" : ""}`}
    data-place=${place} data-peg=${color ?? ""} aria-label=${label} aria-current=${isCursor ? "true" : undefined}
    aria-describedby=${isCursor && isDescribed ? "draft-note" : undefined} tabindex=${isCursor ? 0 : -1}
    onClick=${() => onPlace?.(place)}><${Peg} key=${color} color=${color} rules=${rules} /></button>`;
}

function WaitingRow({ number, places, rules, columns = [] }) {
  return html`<tr class="waiting" aria-hidden="true"><td class="row-number">${number}</td>
    ${places.map((place) => html`<td key=${place} class="place"><${Peg} color=${null} rules=${rules} /></td>`)}
    <td class="row-marks">
      ${hasNames(rules) || isByPeg(rules) || rules.pegs > MOST_DRAWN ? null : html`<${Tray} pegs=${rules.pegs} />`}</td>
      ${columns.map(({ key }) => html`<td key=${key}></td>`)}</tr>`;
}

/** A turn as one sentence: «Guess 3: A A B C, 1 black, 2 white». */
export function turnInWords(turn, index, rules) {
  const code = turn.pegs.map((peg) => symbolName(peg, rules, t("blank"))).join(" ");
  return t("Guess {n}: {code}, {marks}",
    { n: index + 1, code, marks: turn.feedback ? marksInWords(turn.feedback) : "?" });
}
