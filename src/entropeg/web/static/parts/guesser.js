// A board on which one makes a guess: its rows, the row that is made, the pegs to choose from, and why a guess is
// refused.

import { html, useRef, useState } from "../vendor/ui.js";
import { say } from "../announce.js";
import { codeText, hasNames } from "../codes.js";
import { t } from "../texts.js";
import { Board } from "./board.js";
import { after, clear, drop, emptyDraft, fill, isFull, keyed, moveTo, pasted, put } from "./draft.js";
import { useDrag } from "./drag.js";
import { Dock, Palette, keepRow } from "./palette.js";
import { useWhen } from "./when.js";

/**
 * `onGuess(text)` is called with a whole row and resolves to true once the row is used up: else it stays, with
 * `refusal` under it. `label` names the button. `onHint` hears the key H. What else stands in the board are props of
 * Board.
 */
export function Guesser({ rules, turns, onGuess, label, busy = false, refusal = null, onHint = null, isFocused = false,
  children = null, ...board }) {
  const [draft, setDraft] = useState(() => emptyDraft(rules));
  const [lacking, setLacking] = useState(null);
  const box = useRef(null);
  const change = (made) => {
    setLacking(null);
    setDraft(made);
  };
  useWhen(() => {
    if (!isFocused) return;
    // What is asked stands above the row: both are to be seen.
    (box.current.closest("section") ?? box.current).scrollIntoView({ block: "start" });
    box.current.querySelector(".hole-button.cursor")?.focus({ preventScroll: true });
  }, []);
  useDrag(box, (color, place, from) => change((now) => drop(now, color, place, from)));
  const submit = async () => {
    if (busy) return;
    if (!isFull(draft)) {
      const sentence = hasNames(rules) ? t("Choose a question first.")
        : t("Peg {n} is empty: a guess has {pegs}.", { n: draft.pegs.indexOf(null) + 1, pegs: rules.pegs });
      setLacking(sentence);
      setDraft((now) => moveTo(now, now.pegs.indexOf(null)));
      say(sentence);
      return;
    }
    if (await onGuess(codeText(draft.pegs, rules))) setDraft(after);
  };
  const pressed = (event) => {
    const control = event.target.closest("button, a, input, select, textarea, summary");
    const isHole = control?.classList.contains("hole-button");
    if (control && !isHole && (control.matches("input, select, textarea") || [...event.key].length > 1
      || event.key === " ")) return;
    const made = keyed(draft, event, rules);
    if (made === null || made === "help") return;
    event.preventDefault();
    if (made === "submit") submit();
    else if (made === "hint") onHint?.();
    else if (made === "copy") { if (turns.length > 0 && !turns.at(-1).pegs.includes(null))
      change((now) => fill(now, turns.at(-1).pegs)); }
    else change(made);
  };
  const paste = (event) => {
    if (event.target.closest("input, textarea")) return;
    const made = pasted(draft, event.clipboardData?.getData("text") ?? "", rules);
    if (made) { event.preventDefault(); change(made); }
  };
  const told = lacking ?? refusal;
  return html`<div class="guesser stack" ref=${box} onMouseDown=${keepRow} onKeyDown=${pressed} onPaste=${paste}>
    <${Board} ...${board} rules=${rules} turns=${turns} draft=${draft}
      onPlace=${(place) => change((now) => moveTo(now, place))}
      onUse=${(index) => { if (!turns[index].pegs.includes(null)) change((now) => fill(now, turns[index].pegs)); }} />
    ${told && html`<p class="note bad" role=${lacking ? undefined : "alert"}>${told}</p>`}
    <${Dock}><${Palette} rules=${rules} onColor=${(color) => change((now) => put(now, color))} />
      <div class="actions"><button type="button" class="main" aria-disabled=${busy ? "true" : undefined}
        onClick=${submit}>${label}</button>
        <button type="button" onClick=${() => change(clear)}>${t("Empty the row")}</button>${children}</div>
          </${Dock}></div>`;
}
