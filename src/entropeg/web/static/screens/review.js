// The screen review.

import { html } from "../vendor/ui.js";

export default function Review() {
  return html`<div class="screen"></div>`;
}
