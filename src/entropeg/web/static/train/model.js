// Keeps the session and the rating of whoever trains here in this browser, and hears of them from other tabs.

import { useEffect, useRef, useState } from "../vendor/ui.js";
import { get, post } from "../api.js";
import { dataOf, forget, read, subscribe, write, change as changeEntry } from "../store.js";
import { language } from "../texts.js";
import { counted, nameOf, newRecord, recordOf } from "./record.js";
import { sessionOf } from "./session.js";

const RECORD = "train/record";
const SESSION = "train/session";

/** The rating: it is added to, never written over, so that two tabs count both. */
export function useRecord() {
  const [record, set] = useState(() => recordOf(dataOf(RECORD)));
  useEffect(() => subscribe((key) => { if (key === RECORD || key === "") set(recordOf(dataOf(RECORD))); }), []);
  const count = (puzzle, result) => {
    let change = null;
    changeEntry(RECORD, newRecord(), (data) => {
      const told = counted(recordOf(data), puzzle, result);
      change = told.change;
      return told.record;
    });
    return change;
  };
  return [record, count, () => forget(RECORD)];
}

/**
 * The session, one for all tabs: kept after each change, so that a reload goes on where it was, and followed where
 * another tab goes on with it. `keep(session)` returns the one that holds: that of another tab, where it was faster.
 */
export function useSession() {
  const [session, set] = useState(() => sessionOf(dataOf(SESSION)));
  const rev = useRef(null);
  const isWriting = useRef(false);
  rev.current ??= read(SESSION)?.rev ?? 0;
  useEffect(() => subscribe((key) => {
    if (isWriting.current || (key !== SESSION && key !== "")) return;
    const entry = read(SESSION);
    if ((entry?.rev ?? 0) === rev.current) return;
    rev.current = entry?.rev ?? 0;
    set(sessionOf(entry?.data));
  }), []);
  const keep = (made) => {
    isWriting.current = true;
    const { reason, entry } = write(SESSION, made, rev.current);
    isWriting.current = false;
    rev.current = entry.rev;
    const now = reason === "newer" ? sessionOf(entry.data) : made;
    set(now);
    return now;
  };
  return [session, keep];
}

/** A puzzle as the laboratory tells it in the language of the page: the same one, its sentences anew. */
export async function inLanguage(puzzle, options) {
  const { learn, rules, theme, seed, number } = puzzle.puzzle;
  if (!learn)
    return { ...(await get("puzzles", { rules, theme, seed, skip: number - 1 }, options)), language: language() };
  const { puzzles } = await post("puzzles/learn", { rules: learn.rules, turns: learn.turns }, options);
  return { ...puzzle, ...puzzles.find((one) => nameOf(one) === nameOf(puzzle)), language: language() };
}
