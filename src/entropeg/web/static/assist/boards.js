// Keeps the boards of Assist in this browser: named notes, each with its rules, rows, and the row that is being made.

import { dataOf, forget, keys, read, write } from "../store.js";
import { tn } from "../texts.js";

const PREFIX = "assist/";
const NOW = "assist-now";
const MOST_PAST = 100;

/** A board without rows. */
export const emptyBoard = (rules, name = "") => ({ name, rules, rows: [], draft: null, mine: "" });

const isRow = (row) => row !== null && typeof row === "object" && typeof row.guess === "string" && typeof row.marks === "string";

/** A board as it was kept; null where it is damaged. */
export function boardOf(id) {
  const data = id ? dataOf(PREFIX + id) : null;
  if (data === null || typeof data !== "object" || typeof data.rules !== "string" || !Array.isArray(data.rows)) return null;
  return { ...emptyBoard(data.rules), ...data, name: String(data.name ?? ""), mine: String(data.mine ?? ""), rows: data.rows.filter(isRow) };
}

/** All boards, the last changed first: [{id, board}]. */
export const listed = () => keys(PREFIX).map((key) => key.slice(PREFIX.length)).map((id) => ({ id, board: boardOf(id) })).filter(({ board }) => board);

/** The board that was open last, or null. */
export function lastId() {
  const id = dataOf(NOW, {})?.id;
  return boardOf(id) ? id : listed()[0]?.id ?? null;
}

/** Remembers which board is open. */
export function setLast(id) {
  if (dataOf(NOW, {})?.id !== id) write(NOW, { id }, read(NOW)?.rev ?? 0);
}

/** The revision of a board that has been read. */
export const revisionOf = (id) => read(PREFIX + id)?.rev ?? 0;

/** Writes a board over the revision that the writer has read; the answer is that of the store. */
export const keep = (id, board, rev) => write(PREFIX + id, board, rev);

/** Removes a board; returns it, so that it can be put back. */
export function removed(id) {
  const board = boardOf(id);
  forget(PREFIX + id);
  return board;
}

/** A name for a board that nobody else has. */
export function newId() {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

/** What a board is called in a list. */
export const titleOf = (board) => board.name || tn("{rules}, {n} row", "{rules}, {n} rows", board.rows.length, { rules: board.rules });

export const isKeyOf = (key) => key === "" || key.startsWith(PREFIX);

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
export function mendedRows(rows, texts, changes, readRow) {
  const left = texts.length < rows.length ? rows.filter((_, index) => !changes.includes(index + 1)) : rows;
  return texts.map((text, index) => ({ ...readRow(text), sure: left[index]?.sure ?? false }));
}

/** The past of a board with one more state; what only the row that is made changed is none. */
export const remembered = (past, board, label) => [...past.slice(1 - MOST_PAST), { rows: board.rows, rules: board.rules, label }];
