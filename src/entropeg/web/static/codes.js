// Reads and writes codes in the symbols of some rules: lists of color indexes here, texts there.

/** Symbols by their text; where case tells nothing apart, by either case. */
function bySymbol(rules) {
  if (rules.lookup) return rules.lookup;
  const exact = new Map(rules.symbols.map((symbol) => [symbol.text, symbol.index]));
  const folded = new Map();
  for (const symbol of rules.symbols) {
    const key = symbol.text.toLowerCase();
    folded.set(key, folded.has(key) ? null : symbol.index);
  }
  if (rules.blank !== null && rules.blank !== undefined) exact.set("-", rules.blank).set(".", rules.blank).set("_", rules.blank);
  const lookup = { exact, folded };
  Object.defineProperty(rules, "lookup", { value: lookup, enumerable: false });
  return lookup;
}

/** The index of a symbol's text, or null. */
export function colorOf(text, rules) {
  const { exact, folded } = bySymbol(rules);
  return exact.get(text) ?? folded.get(text.toLowerCase()) ?? null;
}

/** Whether every symbol is one character, so that codes are written without separators. */
export const isPlain = (rules) => rules.symbols.every((symbol) => [...symbol.text].length === 1);

/** The text of a symbol; that of the blank is a hyphen. */
export const symbolText = (color, rules) => (color === rules.blank ? "-" : rules.symbols[color]?.text ?? "?");

/** What a symbol is called: its name where it has one ("red"), else its text. */
export const symbolName = (color, rules, blank) => (color === rules.blank ? blank : rules.symbols[color]?.name ?? symbolText(color, rules));

/** A code as text; null where a peg is missing. */
export function codeText(pegs, rules) {
  if (pegs.some((peg) => peg === null)) return null;
  return pegs.map((peg) => symbolText(peg, rules)).join(isPlain(rules) ? "" : " ");
}

/** Reads a typed or pasted code; null where it is none. Spaces, commas and hyphens between longer symbols do not count. */
export function readCode(text, rules) {
  const trimmed = text.trim();
  const parts = /[\s,;]/.test(trimmed) || !isPlain(rules) ? trimmed.split(/[\s,;]+/) : [...trimmed];
  const pegs = parts.flatMap((part) => {
    const color = colorOf(part, rules);
    return color !== null || !isPlain(rules) ? [color] : [...part].map((char) => colorOf(char, rules));
  });
  return pegs.length === rules.pegs && pegs.every((peg) => peg !== null) ? pegs : null;
}
