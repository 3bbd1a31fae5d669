// Keeps the session and the rating of whoever trains here in this browser, and hears of them from other tabs.

import { useEffect, useState } from "../vendor/ui.js";
import { get, post } from "../api.js";
import { dataOf, forget, read, subscribe, write, change as changeEntry } from "../store.js";
import { language } from "../texts.js";
import { counted, nameOf, newRecord, recordOf } from "./record.js";
import { sessionOf } from "./session.js";

const RECORD = "train/record";
const SESSION = "train/session";
const WANTED = "train/wanted";

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

/** The session of this tab: kept after each change, so that a reload goes on where it was. */
export function useSession() {
  const [session, set] = useState(() => sessionOf(dataOf(SESSION)));
  const keep = (made) => {
    set(made);
    if (made === null) forget(SESSION);
    else write(SESSION, made, read(SESSION)?.rev ?? 0);
  };
  return [session, keep];
}

/** A puzzle as the laboratory tells it in the language of the page: the same one, its sentences anew. */
export async function inLanguage(puzzle, options) {
  const { learn, rules, theme, seed, number } = puzzle.puzzle;
  if (!learn) return { ...(await get("puzzles", { rules, theme, seed, skip: number - 1 }, options)), language: language() };
  const { puzzles } = await post("puzzles/learn", { rules: learn.rules, turns: learn.turns }, options);
  return { ...puzzle, ...puzzles.find((one) => nameOf(one) === nameOf(puzzle)), language: language() };
}

/** What was trained last: {rules, theme, level}. */
export const wantedBefore = (rules) => ({ rules, theme: "", level: "any", ...dataOf(WANTED, {}) });
export const keepWanted = (wanted) => write(WANTED, wanted, read(WANTED)?.rev ?? 0);
