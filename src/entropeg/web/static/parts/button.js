// A button that keeps the focus while it cannot be used: it says so, and does nothing.

import { html } from "../vendor/ui.js";

/** `isOff` tells that it cannot be used now; else `onClick` is called. A form is not sent by one that is off. */
export function Button({ isOff = false, onClick = null, type = "button", children, ...rest }) {
  const clicked = (event) => {
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return html`<button ...${rest} type=${type} aria-disabled=${isOff ? "true" : undefined} onClick=${clicked}>
    ${children}</button>`;
}
