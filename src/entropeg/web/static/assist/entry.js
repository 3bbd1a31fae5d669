// Makes a row of Assist: its pegs, its marks, and where it goes among the rows that are noted.

import { useRef, useState } from "../vendor/ui.js";
import { codeText } from "../codes.js";
import { useRested } from "../parts/ask.js";
import { emptyDraft, fill } from "../parts/draft.js";
import { useWhen } from "../parts/when.js";
import { readPart, rowText } from "./told.js";

/** The entry as it was kept: {pegs, marks, at, isEdit}. */
function startOf(board, rules) {
  const kept = board.draft;
  const pegs = kept ? readPart(String(kept.guess), rules) : null;
  const at = Number.isInteger(kept?.at) && kept.at < board.rows.length ? kept.at : null;
  const isEdit = Boolean(kept?.isEdit) && at !== null;
  return { draft: pegs ? fill(emptyDraft(rules), pegs) : emptyDraft(rules), marks: String(kept?.marks ?? ""),
    place: isEdit ? editOf(board.rows, at) : { ...LAST, at } };
}

/** Where a new row goes: after the others. */
export const LAST = { at: null, isEdit: false };

/** The place of a row that is edited, with what it is known by wherever it goes. */
export const editOf = (rows, at) => ({ at, isEdit: true, was: rowText(rows[at]) });

/**
 * Where the row that is made belongs among the rows as they are now; one that is edited is found by what it was, or is
 * a new row where that is gone.
 */
function placeIn(rows, place) {
  const { at, isEdit, was } = place;
  if (at === null || (!isEdit && at <= rows.length)) return place;
  if (!isEdit) return LAST;
  if (rows[at] && rowText(rows[at]) === was) return place;
  const found = rows.findIndex((row) => rowText(row) === was);
  return found < 0 ? LAST : { ...place, at: found };
}

/**
 * The row that is made on a board, kept with it: {draft, marks, place, begin(draft, marks, place), reset(), ...};
 * `wrong` is why it was not noted, `opened` the noted row of which the actions are shown.
 */
export function useEntry({ board, change }, rules) {
  const [start] = useState(() => startOf(board, rules));
  const [draft, setDraft] = useState(start.draft);
  const [marks, setMarks] = useState(start.marks);
  const [wanted, setPlace] = useState(start.place);
  const [wrong, setWrong] = useState(null);
  const [opened, setOpened] = useState(null);
  const marksField = useRef(null);
  const place = placeIn(board.rows, wanted);
  useKept({ draft, marks, place, rules, change, board });
  const write = (text) => {
    setMarks(text);
    setWrong(null);
  };
  const begin = (next, text, at) => {
    setDraft(next);
    write(text);
    setPlace(at);
    setOpened(null);
  };
  const reset = () => begin(emptyDraft(rules), "", LAST);
  return { draft, setDraft, marks, setMarks: write, place, setPlace, wrong, setWrong, opened, setOpened, marksField,
    begin, reset };
}

/** Keeps the row that is made with the board, a moment after it has changed. */
function useKept({ draft, marks, place, rules, change, board }) {
  const isEmpty = draft.pegs.every((peg) => peg === null) && marks === "" && place.at === null;
  const value = isEmpty ? "" : JSON.stringify({ guess: codeText(draft.pegs, rules), marks, at: place.at,
    isEdit: place.isEdit });
  const rested = useRested(value, 250);
  useWhen(() => {
    const kept = board.draft === null ? "" : JSON.stringify(board.draft);
    if (rested === value && kept !== value) change({ draft: value === "" ? null : JSON.parse(value) });
  }, [rested]);
}
