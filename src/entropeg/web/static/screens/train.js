// The screen train.

import { html } from "../vendor/ui.js";

export default function Train() {
  return html`<div class="screen"></div>`;
}
