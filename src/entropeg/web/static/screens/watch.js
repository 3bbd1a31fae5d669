// The screen watch.

import { html } from "../vendor/ui.js";

export default function Watch() {
  return html`<div class="screen"></div>`;
}
