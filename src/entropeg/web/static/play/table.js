// What a game at the table is, and what each event makes of it: pure functions, without a page, a laboratory or a
// storage.

import { answered, givenUp, hinted, isOver, marked, named, revealed } from "../games.js";
import { after, keptDraft, restored } from "../parts/draft.js";

/**
 * A table: the `game`; the `row` that is made, null until the rules are known; the row whose answer is `awaited`, or
 * null; `isBusy`, whether anything is asked; and `refusal`, why the row that is made was not taken, {kind, says, row}
 * or null. The kind is "row", "offline", "word", "token", "moved" or
 * "refused". Whatever is refused, the row stays as it was
 * typed.
 */
export const tableOf = (game) => ({ game, row: null, awaited: null, isBusy: false, refusal: null });

/** The row that keys and clicks change: while an answer is awaited, the one after it. */
export const latest = ({ row, awaited }) => (row !== null && row === awaited ? after(row) : row);

const idle = { awaited: null, isBusy: false };

/** Nothing came back: the row that was asked for is the row again, and undo brings back what was typed after it. */
function failed(table, refusal) {
  const { row, awaited } = table;
  if (awaited === null || row === awaited) return { ...table, ...idle, refusal };
  const { pegs, cursor, held } = row;
  return { ...table, ...idle, refusal, row: { ...awaited, past: [...awaited.past, { pegs, cursor, held }] } };
}

/** A table with a game that changed in nothing but itself. */
const having = (table, game) => (game === table.game ? table : { ...table, game });

const EVENTS = {
  /** The `rules` are known: the row begins as it was kept. */
  opened: (table, { rules }) => (table.row === null ? { ...table, row: restored(table.game.draft, rules) } : table),

  /** The row is another: a draft, or a function of the one there is. */
  changed(table, { row }) {
    const before = latest(table);
    const next = before !== null && typeof row === "function" ? row(before) : row;
    if (before === null || next === null || next === before) return table;
    // The row that was submitted is kept until it is answered.
    const game = table.awaited === null ? { ...table.game, draft: keptDraft(next) } : table.game;
    return { ...table, game, row: next, refusal: table.refusal?.kind === "offline" ? table.refusal : null };
  },

  /** The laboratory is asked, for the answer to the row where it `isRow`. */
  asked: (table, { isRow }) => ({ ...table, isBusy: true, awaited: isRow ? table.row : null }),

  /** A secret was drawn, which `made` seals. */
  sealed: (table, { made }) => having(table, named(table.game, made)),

  /**
   * A secret was opened by its word, which `made` seals anew; the links of the game keep the one that the word opens.
   */
  unsealed: (table, { made }) => ({
    ...table, ...idle, refusal: null,
    game: { ...table.game, token: made.token, from: table.game.from ?? table.game.token },
  }),

  /** The row after so many `turns` has its `answer`; in a game that went on in the meantime it has none. */
  answered(table, { turns, answer }) {
    if (isOver(table.game) || table.game.turns.length !== turns) return failed(table, { kind: "moved" });
    const row = latest(table);
    return { ...table, ...idle, refusal: null, row, game: { ...answered(table.game, answer), draft: keptDraft(row) } };
  },

  /** The codes `left` after so many `turns` are counted, where they were too many to be counted with the answer. */
  counted: (table, { turns, left }) => (table.game.turns.length < turns || left.count === undefined ? table
    : having(table, {
    ...table.game, told: table.game.told.map((told, index) => (index === turns - 1 ? { ...told, left } : told)),
  })),

  /** The game was given up, and this is its `end`. */
  ended: (table, { end }) => ({ ...table, ...idle, refusal: null, game: givenUp(table.game, end) }),

  /** What a game that is over lacked of its `end` is known. */
  revealed: (table, { end }) => having(table, revealed(table.game, end)),

  /** Its review is there, with the sentences of its `account`. */
  reviewed: (table, { account }) => having(table, { ...table.game, account }),

  /** A step of help of this `kind` was opened. */
  hinted: (table, { kind }) => having(table, hinted(table.game, kind)),

  /** A cell of the notes has its next mark; without a `color`, all have none. */
  noted: (table, { color, place }) => having(table, marked(table.game, color, place)),

  /** The row cannot be asked for, or something else is wrong: a `refusal`, or null where none is left. */
  refused: (table, { refusal }) => ({ ...table, refusal }),

  /** What was asked went wrong, and `refusal` says why: null where it was stopped. */
  failed: (table, { refusal }) => failed(table, refusal),

  /** Another tab played on: its `game` counts, and the row that is made here stays. */
  moved(table, { game }) {
    const isOther = game.turns.length !== table.game.turns.length && !table.isBusy;
    return {
      ...table, game: { ...game, draft: table.game.draft ?? game.draft }, refusal: isOther ? { kind: "moved" }
        : table.refusal,
    };
  },
};

/** The table after an event, {type, ...}; the table itself where that changes nothing. */
export const played = (table, event) => EVENTS[event.type](table, event);
