// Explains the keys and the game, inline.

import { html, useRef } from "../vendor/ui.js";
import { Dot } from "../parts/marks.js";
import { t } from "../texts.js";
import { useWhen } from "../parts/when.js";

/** What the marks mean. */
export function Legend({ rules }) {
  if (rules.legend.every(({ mark }) => !mark))
    return html`<p class="legend small muted">${rules.legend.map(({ says }) => says)}</p>`;
  return html`<ul class="legend small muted">
    ${rules.legend.map(({ mark, says }) => html`<li key=${mark}><${Dot} kind=${mark} /> ${says}</li>`)}</ul>`;
}

/** Pairs of keys and what they do. */
const keysList = () => [
  [t("letters, digits"), t("set the peg and move on")],
  [t("Backspace"), t("take the last peg away")],
  ["← →", t("move")],
  [t("Enter"), t("submit the guess; after an error, try again")],
  ["Ctrl+Z", t("take back within the row")],
  ["↑", t("copy the row above; again: the one before")],
  [t("Space"), t("hold the peg for the rows to come")],
  ["Ctrl+V", t("paste a guess")],
  [t("H (Alt+H where H is a peg)"), t("next step of help")],
  ["?", t("show or hide this list")],
];

export function Keys({ heading = "h2", isFocused = false }) {
  const head = useRef(null);
  useWhen(() => {
    if (isFocused) head.current?.focus();
  }, []);
  return html`<div class="keys"><${heading} id="keys-head" ref=${head} tabindex="-1">${t("Keys")}</${heading}>
    <dl>${keysList().map(([key, does]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="small muted">
      ${t("Everything works with the mouse or by touch too: click a hole and a peg, drag a peg from the palette, or with the mouse from any row.")}</p></div>`;
}
