// Holds the board that is open: kept after every change, followed where another tab changes it, and every change taken back.

import { useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { subscribe } from "../store.js";
import { t } from "../texts.js";
import { boardOf, emptyBoard, isKeyOf, keep, lastId, listed, newId, remembered, removed, revisionOf, setLast } from "./boards.js";

const isBlank = (board) => board.rows.length === 0 && board.name === "" && board.draft === null && board.mine === "";

/**
 * Returns {id, board, all, past, change, undo, open, create, remove}. `change(part, label)` changes rows or rules, which `undo`
 * takes back; without a label it changes what no undo is needed for. `create(board)` opens another board, `open(id)` a kept one.
 */
export function useBoards({ notify, settings }) {
  const start = useRef(null);
  start.current ??= firstOf(settings);
  const [state, set] = useState(start.current);
  const [all, setAll] = useState(listed);
  const now = useRef(state);
  const rev = useRef(revisionOf(state.id));
  const isWriting = useRef(false);

  const show = useCallback((next) => {
    now.current = next;
    set(next);
  }, []);

  const store = useCallback((id, board) => {
    if (isBlank(board) && rev.current === 0) return id;
    isWriting.current = true;
    let kept = keep(id, board, rev.current);
    let under = id;
    if (kept.reason === "newer") {
      // Another tab has changed the same board at the same moment: both are kept.
      under = newId();
      kept = keep(under, board, 0);
      notify(t("Another tab has changed this board: your rows are kept as a board of their own."));
    }
    rev.current = kept.entry.rev;
    setLast(under);
    isWriting.current = false;
    setAll(listed());
    return under;
  }, [notify]);

  const change = useCallback((part, label = null) => {
    const { id, board, past } = now.current;
    const next = { ...board, ...part };
    show({ id, board: next, past: label === null ? past : remembered(past, board, label) });
    const under = store(id, next);
    if (under !== id) show({ ...now.current, id: under });
  }, [show, store]);

  const undo = useCallback(() => {
    const { id, board, past } = now.current;
    const last = past.at(-1);
    if (!last) return null;
    const next = { ...board, rows: last.rows, rules: last.rules, draft: null };
    show({ id, board: next, past: past.slice(0, -1) });
    store(id, next);
    return last.label;
  }, [show, store]);

  const open = useCallback((id) => {
    const board = boardOf(id);
    if (board === null) return;
    rev.current = revisionOf(id);
    setLast(id);
    show({ id, board, past: [] });
  }, [show]);

  const create = useCallback((board) => {
    const id = newId();
    rev.current = 0;
    show({ id, board, past: [] });
    store(id, board);
  }, [show, store]);

  const remove = useCallback(() => {
    const { id, board } = now.current;
    removed(id);
    const rest = listed();
    setAll(rest);
    if (rest.length > 0) open(rest[0].id);
    else create(emptyBoard(board.rules));
  }, [create, open]);

  useEffect(() => subscribe((key) => {
    if (isWriting.current || !isKeyOf(key)) return;
    setAll(listed());
    const { id } = now.current;
    const newest = revisionOf(id);
    if (newest === rev.current) return;
    rev.current = newest;
    const board = boardOf(id);
    if (board) show({ id, board, past: now.current.past });
  }), [show]);

  return { ...state, all, change, undo, open, create, remove };
}

function firstOf(settings) {
  const id = lastId();
  return id ? { id, board: boardOf(id), past: [] } : { id: newId(), board: emptyBoard(settings.rules), past: [] };
}
