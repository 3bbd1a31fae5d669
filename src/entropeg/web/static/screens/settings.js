// The screen settings.

import { html } from "../vendor/ui.js";

export default function Settings() {
  return html`<div class="screen"></div>`;
}
