// Breaks a code that the laboratory hides.

import { html } from "../vendor/ui.js";

export default function Play() {
  return html`<div class="screen"></div>`;
}
