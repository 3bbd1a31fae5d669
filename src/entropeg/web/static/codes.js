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
  if (hasBlank(rules)) exact.set("-", rules.blank).set(".", rules.blank).set("_", rules.blank);
  const lookup = { exact, folded };
  Object.defineProperty(rules, "lookup", { value: lookup, enumerable: false });
  return lookup;
}

/** Whether codes are the names of a table of answers: questions and secrets, in the place of pegs. */
export const hasNames = (rules) => Boolean(rules?.answers);

/** The names that may be asked for, {questions, secrets}, as symbols. */
export function askedNames(rules) {
  const { secrets, naming } = rules.answers;
  return { questions: rules.symbols.slice(secrets.length), secrets: naming ? rules.symbols.slice(0, secrets.length)
    : [] };
}

/** Whether a hole may be left empty. */
export const hasBlank = (rules) => rules.blank !== null && rules.blank !== undefined;

/** The colors that a secret may have: the blank too, where secrets may have holes. */
export const colorsOfSecrets = (rules) => [...rules.symbols.map(({ index }) => index),
  ...(hasBlank(rules) && rules.blanks === "both" ? [rules.blank] : [])];

/** Whether a number is one of the colors, or the blank. */
export const isColor = (color, rules) => Number.isInteger(color) && color >= 0
  && (color < rules.colors || (hasBlank(rules) && color === rules.blank));

/** Symbols beyond those that are described one by one are numbers: the first of them, or null. */
const firstNumber = (rules) => (rules.colors > rules.symbols.length && /^\d+$/.test(rules.symbols[0]?.text ?? "")
  ? Number(rules.symbols[0].text) : null);

/** The index of a symbol's text, or null. */
export function colorOf(text, rules) {
  const { exact, folded } = bySymbol(rules);
  const found = exact.get(text) ?? folded.get(text.toLowerCase()) ?? null;
  const first = firstNumber(rules);
  if (found !== null || first === null || !/^\d{1,6}$/.test(text)) return found;
  const color = Number(text) - first;
  return color >= 0 && color < rules.colors ? color : null;
}

/** Whether every symbol is one character, so that codes are written without separators. */
export const isPlain = (rules) => rules.symbols.every((symbol) => [...symbol.text].length === 1);

/** The text of a symbol; that of the blank is a point. */
export function symbolText(color, rules) {
  if (color === rules.blank) return ".";
  const first = firstNumber(rules);
  return rules.symbols[color]?.text ?? (first === null ? "?" : String(color + first));
}

/** What a symbol is called: its text, and what is given for the blank. */
export const symbolName = (color, rules, blank) => (color === rules.blank ? blank : symbolText(color, rules));

/** What stands for a peg that is not known. */
export const unknownMark = (rules) => ["?", "*"].find((mark) => rules.symbols.every(({ text }) => text !== mark))
  ?? "¿";

/** A code as text, pegs that are not known (null) as `?`; longer symbols stand between hyphens. */
export const codeText = (pegs, rules) => pegs.map((peg) => (peg === null ? unknownMark(rules) : symbolText(peg, rules)))
  .join(isPlain(rules) ? "" : "-");

/** Reads a typed or pasted code; null where it is none. Spaces, commas and hyphens between symbols do not count. */
export function readCode(text, rules) {
  if (hasNames(rules)) {
    const name = colorOf(text.trim(), rules);
    return name === null ? null : [name];
  }
  for (const separator of [/[\s,;]+/, /[\s,;-]+/]) {
    const parts = text.trim().split(separator).filter((part) => part !== "");
    const pegs = parts.flatMap((part) => {
      const color = colorOf(part, rules);
      return color !== null || !isPlain(rules) ? [color] : [...part].map((char) => colorOf(char, rules));
    });
    if (pegs.length === rules.pegs && pegs.every((peg) => peg !== null)) return pegs;
  }
  return null;
}
