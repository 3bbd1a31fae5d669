// Says that something is being computed: at once, with a clock, and with a way out for what takes longer than a second.

import { html, useEffect, useState } from "../vendor/ui.js";
import { t, tn } from "../texts.js";

/** `says` is what is done; `seconds` about how long it may take, or null; `done` and `total` where there are steps. */
export function Busy({ says, seconds = null, done = null, total = null, onCancel = null }) {
  const [since, setSince] = useState(0);
  useEffect(() => {
    const began = Date.now();
    const clock = setInterval(() => setSince(Math.floor((Date.now() - began) / 1000)), 1000);
    return () => clearInterval(clock);
  }, []);
  const clock = since < 1 ? "" : seconds === null ? tn("{n} second", "{n} seconds", since)
    : t("{n} of about {total} seconds", { n: since, total: seconds });
  return html`<div class="busy-line"><span class="busy">${says}</span>
    ${total !== null && total > 1 && html`<progress value=${done} max=${total} aria-label=${says}></progress>`}
    <span class="muted small number">${clock}</span>
    ${onCancel && html`<button type="button" onClick=${onCancel}>${t("Stop")}</button>`}</div>`;
}
