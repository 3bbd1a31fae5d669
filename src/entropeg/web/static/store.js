// Keeps things in this browser: entries with a version and a revision, safe between tabs, exported as one file.

const PREFIX = "entropeg/";
const VERSION = 1;

const heard = new Set();
const memory = new Map(); // what the browser would not keep lives as long as the tab

/** The entry under a key as {data, rev, at}, or null; a damaged entry counts as none and is left as it is. */
export function read(key) {
  if (memory.has(key)) return memory.get(key);
  try {
    return parsed(localStorage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

function parsed(text) {
  if (text === null) return null;
  try {
    const entry = JSON.parse(text);
    const isEntry = entry !== null && typeof entry === "object" && "data" in entry && Number.isInteger(entry.rev);
    return isEntry && entry.v <= VERSION ? entry : null;
  } catch {
    return null;
  }
}

/** The data under a key, or what is given where there is none. */
export const dataOf = (key, otherwise = null) => read(key)?.data ?? otherwise;

/**
 * Writes data under a key. `rev` is the revision that the writer has read (0 for none); where another tab has written
 * since, nothing is written and the newer entry comes back: {ok: false, reason: "newer", entry}. Where the browser
 * cannot keep it ("full"), the data stays in this tab.
 */
export function write(key, data, rev = 0) {
  const now = read(key);
  if (now !== null && now.rev > rev) return { ok: false, reason: "newer", entry: now };
  const entry = { v: VERSION, rev: (now?.rev ?? rev) + 1, at: Date.now(), data };
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(entry));
    memory.delete(key);
  } catch {
    memory.set(key, entry);
    tell(key);
    return { ok: false, reason: "full", entry };
  }
  tell(key);
  return { ok: true, entry };
}

/** Changes data under a key by a function from the newest data; for what several tabs add to. */
export function change(key, otherwise, changed) {
  const now = read(key);
  return write(key, changed(structuredClone(now?.data ?? otherwise)), now?.rev ?? 0);
}

/** Removes an entry. */
export function forget(key) {
  memory.delete(key);
  try { localStorage.removeItem(PREFIX + key); } catch { /* there is nothing to remove */ }
  tell(key);
}

/** The keys that begin so, the last written first. */
export function keys(beginning = "") {
  const found = new Set([...memory.keys()].filter((key) => key.startsWith(beginning)));
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const name = localStorage.key(index);
      if (name.startsWith(PREFIX + beginning)) found.add(name.slice(PREFIX.length));
    }
  } catch { /* the browser keeps nothing */ }
  return [...found].filter((key) => read(key) !== null).sort((one, other) => read(other).at - read(one).at);
}

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

const FILE = "entropeg browser data 1";

/** Everything that is kept, as the text of a file. */
export function exported() {
  const entries = Object.fromEntries(keys().map((key) => [key, read(key)]));
  return JSON.stringify({ format: FILE, saved: new Date().toISOString(), entries }, null, 1);
}

/** Takes a file of `exported` in: what is newer here stays. Returns {taken, kept}, or throws SyntaxError. */
export function imported(text) {
  const file = JSON.parse(text);
  if (file?.format !== FILE || typeof file.entries !== "object" || file.entries === null) throw new SyntaxError("format");
  let taken = 0;
  let kept = 0;
  for (const [key, entry] of Object.entries(file.entries)) {
    const given = parsed(JSON.stringify(entry));
    if (given === null || typeof key !== "string" || key.length > 200) continue;
    const now = read(key);
    if (now !== null && (now.at ?? 0) >= (given.at ?? 0)) kept += 1;
    else if (write(key, given.data, now?.rev ?? 0).ok) taken += 1;
  }
  return { taken, kept };
}
