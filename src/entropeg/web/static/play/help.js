// Explains the keys and the game, inline.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { Dot } from "../parts/marks.js";
import { t } from "../texts.js";

/** What the marks mean, for rules with black and white ones. */
export function Legend({ rules }) {
  if (rules.feedback === "positional") {
    return html`<p class="legend small muted">${rules.symbols[0]?.tile ? t("Line under a letter: right place; two points: another place; gray: not in the word (or not once more).") : t("● right place, ○ another place, · not in the secret (or not once more)")}</p>`;
  }
  return html`<ul class="legend small muted"><li><${Dot} kind="black" /> ${t("black: right color, right place")}</li>
    ${rules.feedback !== "black" && html`<li><${Dot} kind="white" /> ${rules.feedback === "membership" ? t("white: a color of the secret") : t("white: right color, other place")}</li>`}
    ${rules.shapes ? html`<li><${Dot} kind="blue" /> ${t("blue: color or shape is right, not both")}</li>` : ""}</ul>`;
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
  useEffect(() => {
    if (isFocused) head.current?.focus();
  }, []);
  return html`<div class="keys"><${heading} id="keys-head" ref=${head} tabindex="-1">${t("Keys")}</${heading}>
    <dl>${keysList().map(([key, does]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="small muted">${t("Everything works with the mouse or by touch too: click a hole and a peg, drag a peg from the palette, or with the mouse from any row.")}</p></div>`;
}
