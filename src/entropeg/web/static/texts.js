// The page's texts in English and French: the English text is the key, the catalogue of other languages comes from the
// server.

export const LANGUAGES = { en: "English", fr: "Français" };

const KEPT = "entropeg/language";
const catalogues = new Map([["en", {}]]);
const heard = new Set();
let now = "en";
let plurals = new Intl.PluralRules(now);

/** Whether there is no server: the texts lie beside the page. */
const isAlone = typeof document === "object"
  && document.querySelector('meta[name="entropeg"]')?.getAttribute("content") === "alone";

async function chosen() {
  const listed = [stored(), ...(navigator.languages ?? [navigator.language ?? ""])];
  const found = listed.map((tag) => String(tag).slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return found ?? (isAlone ? "en" : (await (await fetch("/api/about")).json()).language);
}

function stored() {
  try { return localStorage.getItem(KEPT); } catch { return null; }
}

/** The language of the page: `en` or `fr`. */
export const language = () => now;

/** “1, 2 and 3”: as the laboratory lists, without a comma before the last. */
export const listed = (items) => new Intl.ListFormat(now === "en" ? "en-GB" : now, { type: "conjunction" })
  .format(items);

/** Calls a function with the language whenever it changes; returns what ends that. */
export function onLanguage(function_) {
  heard.add(function_);
  return () => heard.delete(function_);
}

/**
 * Changes the language, and keeps the choice in this browser; resolves once the texts are there, or another was chosen.
 */
export async function setLanguage(tag) {
  if (!(await take(tag))) return;
  try { localStorage.setItem(KEPT, tag); } catch { /* it holds for this tab */ }
}

let wished = null; // the language that was chosen last: texts that come later than its own mean nothing any more

async function asked(tag) {
  const answer = await fetch(`/api/texts/${tag}`);
  if (!answer.ok) throw new Error(`texts/${tag}: ${answer.status}`);
  return answer.json();
}

/** Whether the language was taken; false where another was chosen while its texts were on the way. */
async function take(tag) {
  wished = tag;
  if (!catalogues.has(tag)) {
    catalogues.set(tag, isAlone ? await globalThis.entropeg.data(`texts.${tag}`) : await asked(tag));
  }
  if (wished !== tag) return false;
  now = tag;
  plurals = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
  for (const function_ of [...heard]) function_(tag);
  return true;
}

if (typeof addEventListener === "function") {
  // What is chosen in another tab holds here too.
  addEventListener("storage", ({ key, newValue }) => { if (key === KEPT && newValue in LANGUAGES && newValue !== now)
    take(newValue).catch(() => {}); });
}

/** Resolves once the first texts are there; where they cannot be had, the page speaks English. */
export const ready = chosen().then(take).catch(() => take("en"));

// `{n|code|codes}` in a translation is the word for the number of a field.
const fill = (text, values) => text.replace(/\{(\w+)((?:\|[^{}|]*)*)\}/g, (whole, name, forms) => {
  if (!(name in values)) return whole;
  return forms ? forms.slice(1).split("|").at(plurals.select(Math.abs(values[name])) === "one" ? 0 : -1)
    : shown(values[name]);
});
const shown = (value) => (typeof value === "number" ? number(value) : String(value));

let namesSecrets = false;

/** From here on what is looked for is called as by these rules: in a table of answers a secret, else a code. */
export const nameBy = (rules) => { namesSecrets = /^\s*table:/i.test(rules ?? ""); };

/** English and French have the same two words for it. Fields, and texts that tell both apart, stay. */
const byTheGame = (text) => (!namesSecrets || /secret/i.test(text) ? text
  : text.replace(/\{\w*[^{}|]*|\b([Cc])ode(s?)\b/g, (whole, first, end) => (first
    ? `${first === "C" ? "S" : "s"}ecret${end}` : whole)));

/** The text in the language of the page, its fields filled: `t("Row {n}", {n: 2})`. The first argument is a literal. */
export function t(text, values = {}) {
  const said = catalogues.get(now)?.[text];
  return fill(byTheGame(typeof said === "string" ? said : text), values);
}

/** One of two texts by a number, which is the field `{n}`: `tn("{n} code", "{n} codes", 3)`. Both are literals. */
export function tn(one, other, n, values = {}) {
  const said = catalogues.get(now)?.[one];
  const forms = Array.isArray(said) ? said : [one, other];
  return fill(byTheGame(plurals.select(Math.abs(n)) === "one" ? forms[0] : forms[1]), { ...values, n });
}

/** A number as the language writes it, with so many digits after the point where it has any. */
export function number(value, digits = 2) {
  return new Intl.NumberFormat(now, Number.isInteger(value) ? {} : { minimumFractionDigits: digits,
    maximumFractionDigits: digits }).format(value);
}

/** A count in full, or by its power of ten where it is long: an estimate sooner. */
export function shownCount(count, isExact = true) {
  return count < (isExact ? 1e7 : 1e5) ? number(Math.round(count)) : new Intl.NumberFormat(now,
    { notation: "scientific", maximumFractionDigits: 1 }).format(count);
}
