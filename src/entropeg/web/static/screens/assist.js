// The screen assist.

import { html } from "../vendor/ui.js";

export default function Assist() {
  return html`<div class="screen"></div>`;
}
