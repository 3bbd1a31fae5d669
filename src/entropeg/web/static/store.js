// Keeps things in this browser: entries with a version and a revision, safe between tabs, exported as one file.

const PREFIX = "entropeg/";
const VERSION = 1;

const heard = new Set();
const memory = new Map(); // what the browser would not keep lives as long as the tab
const refused = new Map(); // and why it would not

/** The entry under a key as {data, rev, at}, or null; one that is damaged, or of a later version, counts as none. */
export function read(key) {
  const kept = memory.get(key) ?? null;
  const stored = usable(parsed(stringOf(key)));
  return kept !== null && (stored === null || stored.rev <= kept.rev) ? kept : stored;
}

function stringOf(key) {
  try { return localStorage.getItem(PREFIX + key); } catch { return null; }
}

/** Whether something is a moment that dates can be made of: milliseconds since 1970, no more than a Date holds. */
export const isMoment = (value) => Number.isFinite(value) && value >= 0 && value <= 8.64e15;

function parsed(text) {
  if (text === null) return null;
  try {
    const entry = JSON.parse(text);
    const isEntry = entry !== null && typeof entry === "object" && "data" in entry && Number.isInteger(entry.rev)
      && Number.isInteger(entry.v);
    // What was kept at a moment that there is not counts as the oldest.
    return isEntry ? { ...entry, at: isMoment(entry.at) ? entry.at : 0 } : null;
  } catch {
    return null;
  }
}

const usable = (entry) => (entry !== null && entry.v <= VERSION ? entry : null);

/** The data under a key, or what is given where there is none. */
export const dataOf = (key, otherwise = null) => read(key)?.data ?? otherwise;

/**
 * Writes data under a key. `rev` is the revision that the writer has read (0 for none); where another tab has written
 * since, nothing is written and the newer entry comes back: {ok: false, reason: "newer", entry}. Where the browser
 * cannot keep it ("full", or "later" where a later version of the page has written), the data stays in this tab.
 */
export function write(key, data, rev = 0, at = Date.now()) {
  const now = read(key);
  if (now !== null && now.rev > rev) return { ok: false, reason: "newer", entry: now };
  const entry = { v: VERSION, rev: (now?.rev ?? rev) + 1, at, data };
  const reason = stored(key, entry);
  if (reason === null) {
    letGo(key);
    retry();
  } else {
    memory.set(key, entry);
    refused.set(key, reason);
  }
  tell(key);
  return reason === null ? { ok: true, entry } : { ok: false, reason, entry };
}

function letGo(key) {
  memory.delete(key);
  refused.delete(key);
}

/** Offers the browser again what it has not kept: there may be room by now. */
function retry() {
  for (const [key, entry] of [...memory]) {
    const now = usable(parsed(stringOf(key)));
    if ((now !== null && now.rev > entry.rev) || stored(key, entry) === null) letGo(key);
  }
}

function stored(key, entry) {
  if ((parsed(stringOf(key))?.v ?? 0) > VERSION) return "later";
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(entry));
    return null;
  } catch {
    return "full";
  }
}

/** Changes data under a key by a function from the newest data; for what several tabs add to. */
export function change(key, otherwise, changed) {
  const now = read(key);
  return write(key, changed(structuredClone(now?.data ?? otherwise)), now?.rev ?? 0);
}

/** A name for an entry that nobody else has. */
export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** Removes an entry. */
export function forget(key) {
  letGo(key);
  try { localStorage.removeItem(PREFIX + key); } catch { /* there is nothing to remove */ }
  retry();
  tell(key);
}

/** The keys that begin so, the last written first. */
export const keys = (beginning = "") => entries(beginning).map(([key]) => key);

/** The entries whose keys begin so, as pairs [key, {data, rev, at}], the last written first. */
export function entries(beginning = "") {
  const found = new Set([...memory.keys()].filter((key) => key.startsWith(beginning)));
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const name = localStorage.key(index);
      if (name.startsWith(PREFIX + beginning)) found.add(name.slice(PREFIX.length));
    }
  } catch { /* the browser keeps nothing */ }
  return [...found].map((key) => [key, read(key)]).filter(([, entry]) => entry !== null)
    .sort(([, one], [, other]) => other.at - one.at);
}

/** How many characters are kept under keys that begin so, names included. */
export const sizeOf = (beginning = "") => entries(beginning)
  .reduce((total, [key, entry]) => total + PREFIX.length + key.length + JSON.stringify(entry).length, 0);

/** Why the browser does not keep something: "full", "later" (a later version of the page has written it), or null. */
export const unkept = () => [...refused.values()].sort()[0] ?? null;

/** Calls a function with the key of every entry that changes, in this tab or another; returns what ends that. */
export function subscribe(function_) {
  heard.add(function_);
  return () => heard.delete(function_);
}

function tell(key) {
  for (const function_ of [...heard]) function_(key);
}

if (typeof addEventListener === "function") {
  addEventListener("storage", (event) => {
    if (event.key === null) tell("");
    else if (event.key.startsWith(PREFIX)) tell(event.key.slice(PREFIX.length));
  });
}

/** The text that this tab keeps under a key, over reloads; null where there is none. */
export function ofTab(key) {
  try { return sessionStorage.getItem(PREFIX + key); } catch { return null; }
}

/** Keeps a text for this tab alone, where the browser takes it. */
export function keepInTab(key, text) {
  try { sessionStorage.setItem(PREFIX + key, text); } catch {
    try { sessionStorage.removeItem(PREFIX + key); } catch { /* nothing is kept for a tab */ }
  }
}

const FILE = "entropeg browser data 1";
const LONGEST_KEY = 200;

/** Everything that is kept, as the text of a file. */
export function exported() {
  return JSON.stringify({ format: FILE, saved: new Date().toISOString(), entries: Object.fromEntries(entries()) }, null,
    1);
}

/**
 * Takes a file of `exported` in: what is newer here stays. Returns how many entries were taken, how many stayed as they
 * are here, how many the browser would not keep, and how many are none: {taken, kept, refused, damaged}; throws
 * SyntaxError where it is no such file.
 */
export function imported(text) {
  const file = JSON.parse(text);
  if (file?.format !== FILE || typeof file.entries !== "object" || file.entries === null)
    throw new SyntaxError("format");
  const count = { taken: 0, kept: 0, refused: 0, damaged: 0 };
  for (const [key, entry] of Object.entries(file.entries)) {
    const given = usable(parsed(JSON.stringify(entry)));
    if (given === null || !isMoment(entry.at) || key.length > LONGEST_KEY) {
      count.damaged += 1;
      continue;
    }
    const now = read(key);
    if (now !== null && now.at >= given.at) count.kept += 1;
    else count[write(key, given.data, now?.rev ?? 0, given.at).ok ? "taken" : "refused"] += 1;
  }
  return count;
}
