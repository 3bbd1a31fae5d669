// Shows sentences in which codes stand as pegs.

import { html } from "../vendor/ui.js";
import { Code } from "./pegs.js";

/** `pieces` are [{text} or {code, pegs}], or plain text. */
export function Pieces({ pieces, rules }) {
  if (typeof pieces === "string") return pieces;
  return pieces.map((piece, index) => (piece.pegs ? html`<${Code} key=${index} pegs=${piece.pegs} rules=${rules} />` : html`<span key=${index}>${piece.text}</span>`));
}
