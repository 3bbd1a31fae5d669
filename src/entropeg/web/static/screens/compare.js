// The screen compare.

import { html } from "../vendor/ui.js";

export default function Compare() {
  return html`<div class="screen"></div>`;
}
