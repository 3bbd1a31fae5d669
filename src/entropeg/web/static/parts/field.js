// A labelled field whose mistakes are told at the field, to eyes and ears alike.

import { cloneElement, html, useEffect, useRef } from "../vendor/ui.js";
import { say } from "../announce.js";

let count = 0;

/**
 * `children` is one input, select or textarea. `wrong` is the sentence of what is wrong with it, `hint` what helps
 * before.
 */
export function Field({ label, hint = null, wrong = null, children }) {
  const id = useRef(null);
  id.current ??= `field-${(count += 1)}`;
  useHeard(wrong);
  const told = [wrong && `${id.current}-wrong`, hint && `${id.current}-hint`].filter(Boolean).join(" ");
  const input = [children].flat().find((child) => child && typeof child === "object");
  return html`<div class="field"><label for=${id.current}>${label}</label>
    ${cloneElement(input, { id: id.current, "aria-invalid": wrong ? "true" : undefined, "aria-describedby": told
      || undefined })}
    ${wrong && html`<p class="wrong" id=${`${id.current}-wrong`}>${wrong}</p>`}
    ${hint && html`<p class="hint" id=${`${id.current}-hint`}>${hint}</p>`}</div>`;
}

/** Says what is wrong when it turns out to be; what was wrong already when the field came is read with it. */
function useHeard(wrong) {
  const before = useRef(wrong);
  useEffect(() => {
    if (wrong && wrong !== before.current) say(wrong);
    before.current = wrong;
  }, [wrong]);
}

/** A box to tick, with what it does. */
export function Check({ label, hint = null, checked, onChange }) {
  const id = useRef(null);
  id.current ??= `field-${(count += 1)}`;
  return html`<div class="check"><input type="checkbox" id=${id.current} checked=${checked}
    aria-describedby=${hint ? `${id.current}-hint` : undefined}
    onChange=${(event) => onChange(event.currentTarget.checked)} />
    <div><label for=${id.current}>${label}</label>
      ${hint && html`<div class="muted small" id=${`${id.current}-hint`}>${hint}</div>`}</div></div>`;
}

/** What the laboratory refused, or why it did not answer; nothing where there is no error. */
export function Refusal({ error }) {
  return error ? html`<p class="note bad" role="alert">${error.message}</p>` : null;
}
