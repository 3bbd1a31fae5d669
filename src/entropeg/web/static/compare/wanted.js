// Keeps what the forms of Compare ask for in this browser, so that going away, back or to another part loses nothing.

import { useState } from "../vendor/ui.js";
import { dataOf, read, write } from "../store.js";

const KEY = "compare/wanted";

const isAlike = (value, otherwise) => (Array.isArray(otherwise)
  ? Array.isArray(value) && value.every((one) => typeof one === "string") : typeof value === typeof otherwise);

/** The wishes of a form as they were kept; what is of another kind than in `otherwise` counts as not wished. */
function wantedBefore(form, otherwise) {
  const kept = dataOf(KEY)?.[form];
  return Object.fromEntries(Object.entries(otherwise).map(([name, value]) => [name, isAlike(kept?.[name], value) ? kept[name] : value]));
}

/** [wanted, change]: what a form asks for, with `otherwise` where nothing is kept; `change(part)` keeps it. */
export function useWanted(form, otherwise) {
  const [wanted, set] = useState(() => wantedBefore(form, otherwise));
  const change = (part) => set((now) => {
    const made = { ...now, ...part };
    write(KEY, { ...dataOf(KEY), [form]: made }, read(KEY)?.rev ?? 0);
    return made;
  });
  return [wanted, change];
}
