// Keeps the boards of Assist in this browser: named notes, each with its rules, rows, and the row that is being made.

import { useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { dataOf, forget, keys, newId, read, subscribe, write } from "../store.js";
import { boardInWords } from "../sharing.js";
import { t, tn } from "../texts.js";

const PREFIX = "assist/";
const NOW = "assist-now";
const MOST_PAST = 100;

/** A board without rows. */
export const emptyBoard = (rules, name = "") => ({ name, rules, rows: [], draft: null, mine: "" });

const isRow = (row) => row !== null && typeof row === "object" && typeof row.guess === "string"
  && typeof row.marks === "string";

/** A board as it was kept; null where it is damaged. */
function boardOf(id) {
  const data = id ? dataOf(PREFIX + id) : null;
  if (data === null || typeof data !== "object" || typeof data.rules !== "string" || !Array.isArray(data.rows))
    return null;
  return { ...emptyBoard(data.rules), ...data, name: String(data.name ?? ""), mine: String(data.mine ?? ""),
    rows: data.rows.filter(isRow) };
}

/** All boards, the last changed first: [{id, board}]. */
const listed = () => keys(PREFIX).map((key) => key.slice(PREFIX.length)).map((id) => ({ id, board: boardOf(id) }))
  .filter(({ board }) => board);

/** The board that was open last, or null. */
function lastId() {
  const id = dataOf(NOW, {})?.id;
  return boardOf(id) ? id : listed()[0]?.id ?? null;
}

/** Remembers which board is open. */
function setLast(id) {
  if (dataOf(NOW, {})?.id !== id) write(NOW, { id }, read(NOW)?.rev ?? 0);
}

/** What a board is called in a list. */
export const titleOf = (board) => board.name || tn("{rules}, {n} row", "{rules}, {n} rows", board.rows.length,
  { rules: boardInWords(board.rules) });

// Rows: every change is a function of the rows, so that any of them can be taken back.

export const insertRow = (rows, at, row) => [...rows.slice(0, at), row, ...rows.slice(at)];
export const replaceRow = (rows, at, row) => rows.map((one, index) => (index === at ? row : one));
export const deleteRow = (rows, at) => rows.filter((_, index) => index !== at);

/** Exchanges a row with the one before it (-1) or after it (1). */
export function moveRow(rows, at, step) {
  const to = at + step;
  if (to < 0 || to >= rows.length) return rows;
  const moved = [...rows];
  [moved[at], moved[to]] = [moved[to], moved[at]];
  return moved;
}

/** The rows of a mend; who was sure of a row stays so. `texts` are what `read` makes rows of, `changes` rows from 1. */
export function mendedRows(rows, texts, changes, read) {
  const left = texts.length < rows.length ? rows.filter((_, index) => !changes.includes(index + 1)) : rows;
  return texts.map((text, index) => ({ ...read(text), sure: left[index]?.sure ?? false }));
}

// The board that is open: kept after every change, followed where another tab changes it.

const revisionOf = (id) => read(PREFIX + id)?.rev ?? 0;
const isBlank = (board) => board.rows.length === 0 && board.name === "" && board.draft === null && board.mine === "";

/** The open board as it is kept: [{id, board, past}, all, now, {show, store, follow}]. */
function useKeptBoard({ notify, settings }) {
  const start = useRef(null);
  start.current ??= firstOf(settings);
  const [state, set] = useState(start.current);
  const [all, setAll] = useState(listed);
  const now = useRef(state);
  const rev = useRef(revisionOf(state.id));
  const isWriting = useRef(false);

  /** Shows a board of which a revision is kept: the same one unless it is told. */
  const show = useCallback((next, revision = rev.current) => {
    rev.current = revision;
    now.current = next;
    set(next);
  }, []);

  const store = useCallback((id, board) => {
    if (isBlank(board) && rev.current === 0) return;
    isWriting.current = true;
    let kept = write(PREFIX + id, board, rev.current);
    let under = id;
    if (kept.reason === "newer") {
      // Another tab has changed the same board at the same moment: both are kept.
      under = newId();
      kept = write(PREFIX + under, board, 0);
      notify(t("Another tab has changed this board: your rows are kept as a board of their own."));
    }
    setLast(under);
    isWriting.current = false;
    setAll(listed());
    show({ ...now.current, id: under }, kept.entry.rev);
  }, [notify, show]);

  useEffect(() => subscribe((key) => {
    if (isWriting.current || (key !== "" && !key.startsWith(PREFIX))) return;
    setAll(listed());
    const { id, past } = now.current;
    const newest = revisionOf(id);
    if (newest === rev.current) return;
    rev.current = newest;
    const board = boardOf(id);
    if (board) show({ id, board, past });
  }), [show]);

  return { state, all, now, show, store };
}

/**
 * Returns {id, board, all, past, change, undo, open, create, remove}. `change(part, label)` changes rows or rules,
 * which `undo` takes back; without a label it changes what no undo is needed for. `create(board)` opens another board,
 * `open(id)` a kept one.
 */
export function useBoards(shell) {
  const { state, all, now, show, store } = useKeptBoard(shell);

  const change = useCallback((part, label = null) => {
    const { id, board, past } = now.current;
    const next = { ...board, ...part };
    const before = label === null ? [] : [{ rows: board.rows, rules: board.rules, label }];
    show({ id, board: next, past: [...past, ...before].slice(-MOST_PAST) });
    store(id, next);
  }, [now, show, store]);

  const undo = useCallback(() => {
    const { id, board, past } = now.current;
    const last = past.at(-1);
    if (!last) return null;
    const next = { ...board, rows: last.rows, rules: last.rules, draft: null };
    show({ id, board: next, past: past.slice(0, -1) });
    store(id, next);
    return last.label;
  }, [now, show, store]);

  const open = useCallback((id) => {
    const board = boardOf(id);
    if (board === null) return;
    setLast(id);
    show({ id, board, past: [] }, revisionOf(id));
  }, [show]);

  const create = useCallback((board) => {
    const id = newId();
    show({ id, board, past: [] }, 0);
    store(id, board);
  }, [show, store]);

  const remove = useCallback(() => {
    const { id, board } = now.current;
    forget(PREFIX + id);
    const [next] = listed();
    if (next) open(next.id);
    else create(emptyBoard(board.rules));
  }, [now, create, open]);

  return { ...state, all, change, undo, open, create, remove };
}

function firstOf(settings) {
  const id = lastId();
  return id ? { id, board: boardOf(id), past: [] } : { id: newId(), board: emptyBoard(settings.rules), past: [] };
}
