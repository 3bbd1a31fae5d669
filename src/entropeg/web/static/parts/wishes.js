// Keeps what forms and settings ask for in this browser, so that going away, back or to another part loses nothing.

import { useRef, useState } from "../vendor/ui.js";
import { dataOf, read, write } from "../store.js";

const isAlike = (value, otherwise) => (Array.isArray(otherwise)
  ? Array.isArray(value) && value.every((one) => typeof one === "string") : typeof value === typeof otherwise);

/** What was kept under a key; what is of another kind than in `otherwise` counts as not wished. */
export function wishesOf(key, otherwise) {
  const kept = dataOf(key);
  return Object.fromEntries(Object.entries(otherwise)
    .map(([name, value]) => [name, isAlike(kept?.[name], value) ? kept[name] : value]));
}

/**
 * [wishes, change, set]: what is wished for, with `otherwise` where nothing is kept; `change(part)` keeps it,
 * `set(wishes)` does not.
 */
export function useWishes(key, otherwise) {
  const [wishes, set] = useState(() => wishesOf(key, otherwise));
  const latest = useRef(wishes);
  latest.current = wishes;
  const change = (part) => {
    latest.current = { ...latest.current, ...part };
    set(latest.current);
    write(key, latest.current, read(key)?.rev ?? 0);
  };
  return [wishes, change, set];
}
