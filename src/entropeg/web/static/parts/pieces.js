// Shows sentences in which codes stand as pegs.

import { html } from "../vendor/ui.js";
import { readCode } from "../codes.js";
import { Code } from "./pegs.js";

/** `said` is {says, codes}: the codes are drawn where the sentence names them. */
/** @param {{said: Api["ToldSentence"], rules: Api["RulesShown"]}} props */
export function Pieces({ said, rules }) {
  const names = [...said.codes].sort((one, other) => other.length - one.length).map((code) => code.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pieces = names.length > 0 ? said.says.split(new RegExp(`(?<!\\w)(${names.join("|")})(?!\\w)`)) : [said.says];
  return pieces.map((piece, index) => (index % 2 ? html`<${Code} key=${index} pegs=${readCode(piece, rules)} rules=${rules} />` : html`<span key=${index}>${piece}</span>`));
}
