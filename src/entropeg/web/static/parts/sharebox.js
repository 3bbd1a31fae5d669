// Hands a text on: copied, shared, or shown to be copied by hand where the browser does neither.

import { html, useRef, useState } from "../vendor/ui.js";
import { say } from "../announce.js";
import { t } from "../texts.js";

/** Whether an address leads to the machine itself, whichever that is. */
const isOwnMachine = (text) => /^(https?:\/\/(127\.|localhost|\[::1\])|file:)/.test(text);

/**
 * `label` names the text; `isOpen` shows it from the start; `instead` is copied in place of a link that no other
 * machine can open.
 */
export function ShareBox({ label, text, copyLabel = t("Copy"), isOpen = true, instead = null }) {
  const [told, setTold] = useState(null);
  const [isShown, setShown] = useState(isOpen);
  const box = useRef(null);
  const copy = async () => {
    const isText = instead !== null && isOwnMachine(text);
    let said = isText ? t("Copied as text: only this machine can open the link.") : t("Copied.");
    try {
      await navigator.clipboard.writeText(isText ? instead : text);
    } catch {
      said = t("The browser would not copy it: it is marked here, so Ctrl+C does.");
      setShown(true);
      setTimeout(() => box.current?.focus(), 0); // which marks it
    }
    setTold(said);
    say(said);
  };
  const share = () => navigator.share({ text }).catch(() => {});
  const rows = Math.min(16, text.split("\n").length + Math.floor(text.length / 400));
  return html`<div class="stack">
    ${isShown && html`<textarea ref=${box} class="mono share-text" readonly rows=${rows} aria-label=${label}
      value=${text} onFocus=${(event) => event.currentTarget.select()} />`}
    <div class="row"><button type="button" onClick=${copy}>${copyLabel}</button>
      ${typeof navigator.share === "function" && html`<button type="button" onClick=${share}>${t("Share")}</button>`}
      ${told && html`<span class="small">${told}</span>`}</div>
    ${isOwnMachine(text) && told === null
      && html`<p class="small muted">${instead === null ? t("Only this machine can open this link.")
        : t("Only this machine can open this link: its text is copied instead.")}</p>`}</div>`;
}
