// The row that is being made: a value, and what keys, clicks and drags do to it.

import { colorOf, hasNames, isColor, readCode } from "../codes.js";

/** An empty row. */
export const emptyDraft = (rules) => ({ pegs: Array(rules.pegs).fill(null), held: Array(rules.pegs).fill(false),
  cursor: 0, past: [], typed: "" });

const remember = (draft) => [...draft.past.slice(-199), { pegs: draft.pegs, cursor: draft.cursor, held: draft.held }];
const next = (pegs, place) => {
  // The next empty hole after this one, around the end; else the next place.
  for (let step = 1; step <= pegs.length; step += 1) {
    const at = (place + step) % pegs.length;
    if (pegs[at] === null) return at;
  }
  return Math.min(place + 1, pegs.length - 1);
};

/** Puts a color at a place (the cursor's where none is given) and moves on. */
export function put(draft, color, place = draft.cursor) {
  const pegs = draft.pegs.with ? draft.pegs.with(place, color)
    : draft.pegs.map((peg, at) => (at === place ? color : peg));
  return { ...draft, pegs, cursor: next(pegs, place), past: remember(draft), typed: "" };
}

/** Drops a color on a place: from another place of the row both change places. */
export function drop(draft, color, place, from) {
  if (from === place) return draft;
  const pegs = [...draft.pegs];
  const held = [...draft.held];
  if (from !== null) {
    pegs[from] = pegs[place];
    [held[from], held[place]] = [held[place], held[from]];
  }
  pegs[place] = color;
  return { ...draft, pegs, held, cursor: next(pegs, place), past: remember(draft), typed: "" };
}

/** Empties the place of the cursor, or the one before it where that is empty already. */
const erase = (draft) => empty(draft, draft.pegs[draft.cursor] !== null ? draft.cursor : Math.max(0, draft.cursor - 1));

/** Empties a place, which holds no peg then. */
function empty(draft, place) {
  const pegs = draft.pegs.map((peg, at) => (at === place ? null : peg));
  const held = draft.held.map((is, at) => is && at !== place);
  return { ...draft, pegs, held, cursor: place, past: remember(draft), typed: "" };
}

/** Empties the row but for pegs that are held. */
export function clear(draft) {
  const pegs = draft.pegs.map((peg, at) => (draft.held[at] ? peg : null));
  const first = pegs.indexOf(null);
  return { ...draft, pegs, cursor: Math.max(0, first), past: remember(draft), typed: "" };
}

/** Fills the row with a code; pegs that are held stay. */
export const fill = (draft, pegs) => ({ ...draft, pegs: pegs.map((peg, at) => (draft.held[at] ? draft.pegs[at] : peg)),
  past: remember(draft), typed: "" });

/** A draft as it is kept: the row without its past. */
export const keptDraft = ({ pegs, held, cursor }) => ({ pegs, held, cursor });

/** The draft that was kept, where it fits the rules; else an empty one. */
export function restored(kept, rules) {
  const fits = kept !== null && typeof kept === "object" && Array.isArray(kept.pegs) && kept.pegs.length === rules.pegs
    && kept.pegs.every((peg) => peg === null || isColor(peg, rules));
  if (!fits) return emptyDraft(rules);
  const held = kept.pegs.map((peg, at) => peg !== null && kept.held?.[at] === true);
  return moveTo({ ...emptyDraft(rules), pegs: [...kept.pegs], held }, Number.isInteger(kept.cursor) ? kept.cursor : 0);
}

export const moveTo = (draft, place) => ({ ...draft, cursor: Math.max(0, Math.min(draft.pegs.length - 1, place)),
  typed: "" });

/** Holds the peg of a place for the rows to come, or lets it go. */
export function hold(draft, place = draft.cursor) {
  if (draft.pegs[place] === null) return draft;
  return { ...draft, held: draft.held.map((is, at) => (at === place ? !is : is)), past: remember(draft), typed: "" };
}

/** Takes back the last change of the row. */
export function undo(draft) {
  const last = draft.past.at(-1);
  return last ? { ...draft, ...last, past: draft.past.slice(0, -1), typed: "" } : draft;
}

/** The row after one that was played: pegs that are held stay. */
export function after(draft) {
  const pegs = draft.pegs.map((peg, at) => (draft.held[at] ? peg : null));
  return { ...draft, pegs, cursor: Math.max(0, pegs.indexOf(null)), past: [], typed: "" };
}

export const isFull = (draft) => draft.pegs.every((peg) => peg !== null);

/**
 * What a key does: the next draft, or the name of what is asked for ("submit", "hint", "help", "copy"), or null where
 * the key is not for the row. Symbols of several characters are typed one after the other: the longest that fits is
 * taken.
 */
export function keyed(draft, event, rules) {
  const { key } = event;
  if (event.altKey && key.toLowerCase() === "h") return "hint";
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !event.shiftKey) return undo(draft);
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (key) {
    case "Enter": return "submit";
    case "Backspace": return erase(draft);
    case "Delete": return empty(draft, draft.cursor);
    case "ArrowLeft": return moveTo(draft, draft.cursor - 1);
    case "ArrowRight": return moveTo(draft, draft.cursor + 1);
    case "Home": return moveTo(draft, 0);
    case "End": return moveTo(draft, draft.pegs.length - 1);
    case "ArrowUp": return "copy";
    default:
  }
  if ([...key].length !== 1) return null;
  const typed = type(draft, key, rules);
  if (typed !== null) return typed;
  if (key === "?") return "help";
  if (key.toLowerCase() === "h") return "hint";
  return null;
}

function type(draft, key, rules) {
  if (hasNames(rules)) return null; // names are searched in their list
  for (const text of draft.typed ? [draft.typed + key, key] : [key]) {
    const folded = text.toLowerCase();
    const isBegun = rules.symbols.some((symbol) => symbol.text.length > text.length && symbol.text.toLowerCase()
      .startsWith(folded));
    const color = colorOf(text, rules);
    const isContinued = text !== key;
    const place = isContinued && draft.typedAt !== undefined ? draft.typedAt : draft.cursor;
    if (color !== null) {
      const done = put(draft, color, place);
      return isBegun ? { ...done, typed: text, typedAt: place } : done;
    }
    if (isBegun) return { ...draft, typed: text, typedAt: place };
  }
  return key === " " && draft.typed ? { ...draft, typed: "" } : null;
}

/** Takes a pasted text into the row; null where it is no code of the rules. */
export function pasted(draft, text, rules) {
  const pegs = readCode(text, rules);
  return pegs === null ? null : fill(draft, pegs);
}
