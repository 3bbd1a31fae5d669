// Plays one game: asks the laboratory what the player does to it, and keeps what the table becomes.

import { useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { isAborted, post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { codeText, hasNames, symbolName } from "../codes.js";
import { isOver, keep, kept, keyOf, rowsOf } from "../games.js";
import { useFollowed } from "../parts/ask.js";
import { fill, pasted } from "../parts/draft.js";
import { read, subscribe } from "../store.js";
import { language, t, tn } from "../texts.js";
import { latest, played, tableOf } from "./table.js";
import { useAtOnce, useWhen } from "../parts/when.js";

/** The game of an id: {game, rules, rows, draft, busy, refusal, ...} and what can be done to it. */
export function useSession(id, { settings }) {
  const [table, send, now] = useTable(id);
  const { game, row: draft, isBusy } = table;
  // The facts of the rules, asked again while the laboratory does not answer.
  const { data: rules, error: rulesError } = useFollowed(() => rulesOf(game.rules), (error) => error?.isOffline && 2000,
    [game.rules, language()]);
  const refusal = table.refusal && { ...table.refusal, says: table.refusal.says ?? MOVED() };
  const refuse = (because) => send({ type: "refused", refusal: because });
  const { asking, cancel } = useAsking(send);
  useAtOnce(() => { if (rules) send({ type: "opened", rules }); }, [rules]);
  useWhen(() => { if (refusal) say(refusal.says); }, [table.refusal]);
  useWhen(() => {
    // The secret is drawn before it is asked for; where that fails, the first guess tries again and says why.
    if (isOver(game) || game.token !== null) return;
    sealed().catch((error) => { if (!isAborted(error) && !error.isOffline) refuse(refusalOf(error)); });
  }, [id]);

  const sealed = async (signal) => {
    if (now().game.token === null) send({ type: "sealed", made: await post("games", asked(now().game), { signal }) });
    return now().game.token;
  };
  const submit = () => {
    if (now().isBusy) return undefined;
    const { pegs } = now().row;
    const says = wrongWith(pegs, rules);
    if (says) return refuse({ kind: "row", says });
    return asking({ isRow: true }, async (signal) => {
      const token = await sealed(signal);
      const { turns, strict } = now().game;
      const answer = await post("answers", {
        rules: game.rules, turns, guess: codeText(pegs, rules), token, strict, count: settings.codesLeft,
      }, { signal });
      const after = send({ type: "answered", turns: turns.length, answer });
      if (after.refusal !== null) return;
      say(answer.says);
      if (answer.left === null && settings.codesLeft) countLater(send, after.game);
    });
  };
  /** Opens a secret that was sealed by a word; links of the game stay sealed. */
  const open = (word) => asking({ isRow: false }, async (signal) => {
    const token = now().game.from ?? now().game.token;
    send({ type: "unsealed", made: await post("games", { rules: game.rules, token, word }, { signal }) });
    say(t("The secret is open: the game begins."));
  });
  const giveUp = () => asking({ isRow: false }, async (signal) => {
    const token = await sealed(signal);
    const { turns } = now().game;
    const end = await post("games/end", { rules: game.rules, turns, token, give_up: true }, { signal });
    send({ type: "ended", end });
    say(end.says);
  });
  const change = (row) => send({ type: "changed", row });
  return {
    game, rules, rulesError, draft, refusal, busy: isBusy, sealed, send, change, submit, open, giveUp,
    cancel, rows: rules ? shownRows(table, rules) : [],
    latest: () => latest(now()),
    use: (pegs) => change((row) => fill(row, pegs)),
    paste: (text) => {
      const next = pasted(latest(now()), text, rules);
      if (next === null) refuse({ kind: "row", says: unread(text, rules) });
      else change(next);
    },
  };
}

/** The rows of a table, with the one whose answer is awaited once the next is being made. */
const shownRows = ({ game, row, awaited }, rules) => [...rowsOf(game, rules),
  ...(awaited !== null && row !== awaited ? [{ pegs: awaited.pegs, feedback: null }] : [])];

/** What is asked of the laboratory for a game that has no secret yet. */
function asked({ rules, codemaker, number, date, from, secrets }) {
  if (number !== null) return { rules, codemaker, number, ...(secrets !== null && { secrets }) };
  if (date !== null) return { rules, codemaker, date };
  return { rules, codemaker, ...(from !== null && { token: from }) };
}

/** Asks the laboratory one thing at a time; what goes wrong is told at the row. */
function useAsking(send) {
  const running = useRef(null);
  useEffect(() => () => running.current?.abort(), []);
  const asking = async (how, function_) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    send({ type: "asked", ...how });
    try {
      await function_(controller.signal);
    } catch (error) {
      send({ type: "failed", refusal: isAborted(error) ? null : refusalOf(error) });
    } finally {
      running.current = null;
    }
  };
  return { asking, cancel: () => running.current?.abort() };
}

/** Counts the codes left of a board that is too large to count them at once; the answer comes in when it comes. */
async function countLater(send, { rules, turns }) {
  try {
    const { left } = await post("positions", { rules, turns });
    send({ type: "counted", turns: turns.length, left });
  } catch { /* the column stays empty */ }
}

const MOVED = () => t("This game went on in another tab. Your row is as you left it.");

function refusalOf(error) {
  if (error.isOffline) return { kind: "offline", says: `${error.message} ${t("Enter tries again.")}` };
  if (error.field === "word") return { kind: "word", says: error.message };
  if (error.field === "token") return { kind: "token", says: error.message };
  return { kind: "refused", says: error.message, row: error.row, clues: error.data?.clues ?? [] };
}

/** What is wrong with a row before anybody is asked, or null. */
function wrongWith(pegs, rules) {
  if (hasNames(rules)) return pegs[0] === null ? t("Choose a question first.") : null;
  const missing = pegs.filter((peg) => peg === null).length;
  if (missing > 0) return tn("{n} hole is still empty.", "{n} holes are still empty.", missing);
  if (rules.guess_repeats) return null;
  const twice = pegs.find((peg, at) => peg !== rules.blank && pegs.indexOf(peg) !== at);
  return twice === undefined ? null
    : t("{color} stands there twice: these rules allow each color once.",
      { color: symbolName(twice, rules, t("blank")) });
}

/** Why a pasted text is no row. */
function unread(text, rules) {
  const example = codeText(Array.from({ length: Math.min(rules.pegs, 8) }, (_, place) => place % rules.colors), rules);
  return t("“{text}” cannot be read as a guess: it takes {n} pegs, as {example}.",
    { text: text.trim().slice(0, 40), n: rules.pegs, example: example + (rules.pegs > 8 ? "…" : "") });
}

/**
 * The table of a kept game, [table, send(event), now()]: each event is kept with it, and another tab's changes come in.
 */
function useTable(id) {
  const [, redraw] = useState(0);
  const held = useRef(null);
  const isWriting = useRef(false);
  held.current ??= { table: tableOf(kept(id).game), rev: kept(id).rev };
  const hold = useCallback((table, rev) => {
    held.current = { table, rev };
    redraw((count) => count + 1);
  }, []);
  const adopt = useCallback(() => {
    const newer = kept(id);
    if (newer !== null && newer.rev > held.current.rev)
      hold(played(held.current.table, { type: "moved", game: newer.game }), newer.rev);
  }, [id, hold]);
  useEffect(() => subscribe((key) => {
    if ((key === keyOf(id) || key === "") && !isWriting.current && read(keyOf(id)) !== null) adopt();
  }), [id, adopt]);
  const send = useCallback((event) => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { table: before, rev } = held.current;
      const table = played(before, event);
      isWriting.current = true;
      const result = table.game === before.game ? { entry: { rev } } : keep(table.game, rev);
      isWriting.current = false;
      if (result.reason !== "newer") {
        if (table !== before) hold(table, result.entry.rev);
        return table;
      }
      // Another tab has played on: the event happens to what the game has become.
      adopt();
    }
    hold(played(held.current.table, { type: "failed", refusal: { kind: "moved" } }), held.current.rev);
    return held.current.table;
  }, [hold, adopt]);
  return [held.current.table, send, () => held.current.table];
}
