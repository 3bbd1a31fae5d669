// Hears the keys of the game wherever the focus is, but for fields that are typed into and buttons that are pressed.

import { useEffect, useRef } from "../vendor/ui.js";

const TYPED = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input, [role=button]";

/** Whether the focus is on a hole of the row; the other buttons in it are buttons. */
const isInRow = (target) => Boolean(target.closest?.("tr.draft .hole-button"));

/** `isEverywhere` hears letters outside of the board too. */
export function usePlayKeys(given) {
  const latest = useRef(given);
  latest.current = given;
  const copiedFrom = useRef(null);
  useEffect(() => {
    const down = (event) => {
      const { isOn, isEverywhere, rules, session, rows, onHint, onHelp, keyed, hold } = latest.current;
      const { target } = event;
      if (event.defaultPrevented || event.isComposing || target.closest?.(TYPED)) return;
      if (!isOn) {
        if (event.key === "?" && isEverywhere) onHelp();
        return;
      }
      const inRow = isInRow(target);
      if (!isEverywhere && !inRow && !target.closest?.(".stage")) return;
      const isPressed = !inRow && target.closest?.(PRESSED);
      if (isPressed && (event.key === "Enter" || event.key === " ")) return;
      if (event.key === " " && !(inRow || target === document.body || target.id === "main")) return;
      if (!inRow && ["ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)
        && target.closest?.("[role=region], table, ul")) return;
      if (event.key === "ArrowUp" && !event.ctrlKey && !event.metaKey && !event.altKey && rows.length === 0) return;
      const done = event.key === " " && !event.ctrlKey && session.latest().typed === "" ? "hold"
        : keyed(session.latest(), event, rules);
      if (done === null) return;
      event.preventDefault();
      // A key that stays down asks once.
      if (event.repeat && ["submit", "hint", "help"].includes(done)) return;
      if (done !== "copy") copiedFrom.current = null;
      if (done === "submit") session.submit();
      else if (done === "hint") onHint();
      else if (done === "help") onHelp();
      else if (done === "hold") hold();
      else if (done === "copy") {
        const from = copiedFrom.current === null || copiedFrom.current > rows.length ? rows.length - 1
          : (copiedFrom.current - 1 + rows.length) % rows.length;
        copiedFrom.current = from;
        session.use(rows[from].pegs);
      } else session.change(done);
    };
    const paste = (event) => {
      const { isOn, session } = latest.current;
      if (!isOn || event.target.closest?.(TYPED)) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.trim() === "") return;
      event.preventDefault();
      session.paste(text);
    };
    document.addEventListener("keydown", down);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("keydown", down);
      document.removeEventListener("paste", paste);
    };
  }, []);
}
