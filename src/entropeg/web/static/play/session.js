// Plays one game: what the player does to it, what the laboratory answers, and what of it is kept.

import { useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { isAborted, post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { codeText, symbolName } from "../codes.js";
import { answered, givenUp, hinted, isOver, keep, kept, keyOf, rowsOf } from "../games.js";
import { useFollowed } from "../parts/ask.js";
import { after, fill, isFull, keptDraft, pasted, restored } from "../parts/draft.js";
import { read, subscribe } from "../store.js";
import { language, t, tn } from "../texts.js";

/**
 * The game of an id: {game, rules, rows, draft, busy, refusal, ...} and what can be done to it. `refusal` is why the row that
 * is made was not taken, {says, row, kind}; kind is "row", "offline", "token", "moved" or "refused". Whatever is refused, the
 * row stays as it was typed.
 */
export function useSession(id, { settings }) {
  const moved = useRef(null);
  const [game, put] = useKept(id, moved);
  // The facts of the rules, asked again while the laboratory does not answer.
  const { data: rules, error: rulesError } = useFollowed(() => rulesOf(game.rules), (error) => error?.isOffline && 2000,
    [game.rules, language()]);
  const [draft, setDraft] = useState(null);
  const [state, setState] = useState({ busy: false, refusal: null });
  const running = useRef(null);
  const row = useRef(null);
  const sent = useRef(null); // the row whose answer is awaited
  useEffect(() => {
    if (rules && row.current === null) setRow(restored(game.draft, rules));
  }, [rules]);
  useEffect(() => () => running.current?.abort(), []);
  const setRow = (next) => {
    row.current = next;
    setDraft(next);
  };
  const refuse = (refusal) => {
    setState({ busy: running.current !== null, refusal });
    if (refusal) say(refusal.says);
  };
  // Turns that come from elsewhere while nothing is asked are those of another tab.
  moved.current = () => { if (running.current === null) refuse(refusalOf(new MovedError())); };
  /** The row that keys and clicks change: while an answer is awaited, the one after it. */
  const latest = () => (row.current !== null && row.current === sent.current ? after(row.current) : row.current);
  /** Changes the row: a new draft, or a function of the one there is. */
  const change = (changed) => {
    const before = latest();
    if (before === null) return;
    const next = typeof changed === "function" ? changed(before) : changed;
    if (next === before || next === null) return;
    setRow(next);
    // The row that was submitted is kept until it is answered.
    if (sent.current === null) put((now) => ({ ...now, draft: keptDraft(next) }));
    setState((now) => (now.refusal && now.refusal.kind !== "offline" ? { ...now, refusal: null } : now));
  };

  /** Does something with the laboratory, one thing at a time; what goes wrong is told at the row. */
  const doing = async (function_) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setState((now) => ({ ...now, busy: true }));
    try {
      await function_(controller.signal);
      if (running.current !== controller) return;
      running.current = null;
      setState({ busy: false, refusal: null });
    } catch (error) {
      if (running.current !== controller) return;
      running.current = null;
      if (isAborted(error)) refuse(null);
      else refuse(refusalOf(error));
    }
  };
  const sealed = async (signal) => {
    const now = put.now();
    if (now.token !== null) return now.token;
    const { rules: text, codemaker, number, date, from, secrets } = now;
    const named = number !== null ? { number, ...(secrets !== null && { secrets }) } : date !== null ? { date } : from !== null && { token: from };
    const made = await post("games", { rules: text, codemaker, ...named }, { signal });
    put((latest) => (latest.token === null ? { ...latest, token: made.token, number: made.number ?? latest.number, secrets: made.secrets, kind: made.kind, date: made.date ?? null } : latest));
    return put.now().token;
  };
  useEffect(() => {
    // The secret is drawn before it is asked for; where that fails, the first guess tries again and says why.
    if (game && !isOver(game) && game.token === null) sealed().catch((error) => { if (!isAborted(error) && !error.isOffline) refuse(refusalOf(error)); });
  }, [id]);

  /** Awaits the answer to a row; where none comes it is the row again, and undo brings back what was typed after it. */
  const answering = async (played, function_) => {
    sent.current = played;
    try {
      await function_();
    } catch (error) {
      const { pegs, cursor, held } = row.current;
      if (row.current !== played) setRow({ ...played, past: [...played.past, { pegs, cursor, held }] });
      throw error;
    } finally {
      sent.current = null;
    }
  };
  const submit = () => {
    if (running.current !== null) return undefined;
    const played = row.current;
    const wrong = wrongWith(played, rules);
    if (wrong) return refuse({ kind: "row", says: wrong });
    const guess = codeText(played.pegs, rules);
    return doing((signal) => answering(played, async () => {
      const token = await sealed(signal);
      const asked = put.now();
      const answer = await post("answers", {
        rules: asked.rules, turns: asked.turns, guess, token, strict: asked.strict, count: settings.codesLeft,
      }, { signal });
      const next = latest();
      let isTaken = false;
      put((now) => {
        isTaken = !isOver(now) && now.turns.length === asked.turns.length;
        return isTaken ? { ...answered(now, answer), draft: keptDraft(next) } : now;
      });
      if (!isTaken) throw new MovedError();
      setRow(next);
      say(answer.says);
      if (answer.left === null && settings.codesLeft) countLater(put, put.now().turns);
    }));
  };
  /** Opens a secret that was sealed by a word; links of the game stay sealed. */
  const open = (word) => doing(async (signal) => {
    const now = put.now();
    const made = await post("games", { rules: now.rules, token: now.from ?? now.token, word }, { signal });
    put((latest) => ({ ...latest, token: made.token, from: latest.from ?? latest.token }));
    say(t("The secret is open: the game begins."));
  });
  const giveUp = () => doing(async (signal) => {
    const token = await sealed(signal);
    const now = put.now();
    const end = await post("games/end", { rules: now.rules, turns: now.turns, token, give_up: true }, { signal });
    put((latest) => givenUp(latest, end));
    say(end.says);
  });
  const pending = sent.current !== null && draft !== sent.current ? [{ pegs: sent.current.pegs, feedback: null }] : [];
  return {
    game, rules, rulesError, sealed, draft, put, change, submit, open, giveUp, refuse, busy: state.busy, refusal: state.refusal,
    rows: game && rules ? [...rowsOf(game, rules), ...pending] : [],
    latest,
    cancel: () => running.current?.abort(),
    use: (pegs) => change((now) => fill(now, pegs)),
    paste: (text) => {
      const next = pasted(latest(), text, rules);
      if (next === null) refuse({ kind: "row", says: t("“{text}” cannot be read as a guess: it takes {n} pegs, as {example}.", { text: text.trim().slice(0, 40), n: rules.pegs, example: exampleOf(rules) }) });
      else change(next);
    },
    note: (kind) => put((now) => hinted(now, kind)),
  };
}

/** Counts the codes left of a board that is too large to count them at once; the answer comes in when it comes. */
async function countLater(put, turns) {
  const { rules } = put.now();
  try {
    const { left } = await post("positions", { rules, turns });
    put((now) => (now.turns.length < turns.length || left.count === undefined ? now
      : { ...now, told: now.told.map((told, index) => (index === turns.length - 1 ? { ...told, left } : told)) }));
  } catch { /* the column stays empty */ }
}

class MovedError extends Error {}

function refusalOf(error) {
  if (error instanceof MovedError) return { kind: "moved", says: t("This game went on in another tab. Your row is as you left it.") };
  if (error.isOffline) return { kind: "offline", says: `${error.message} ${t("Enter tries again.")}` };
  if (error.field === "word") return { kind: "word", says: error.message };
  if (error.field === "token") return { kind: "token", says: error.message };
  return { kind: "refused", says: error.message, row: error.row, clues: error.data?.clues ?? [] };
}

/** What is wrong with a row before anybody is asked, or null. */
function wrongWith(draft, rules) {
  if (!isFull(draft)) {
    const missing = draft.pegs.filter((peg) => peg === null).length;
    return tn("{n} hole is still empty.", "{n} holes are still empty.", missing);
  }
  if (rules.guess_repeats) return null;
  const twice = draft.pegs.find((peg, at) => peg !== rules.blank && draft.pegs.indexOf(peg) !== at);
  return twice === undefined ? null : t("{color} stands there twice: these rules allow each color once.", { color: symbolName(twice, rules, t("blank")) });
}

const exampleOf = (rules) => codeText(Array.from({ length: Math.min(rules.pegs, 8) }, (_, place) => place % rules.colors), rules) + (rules.pegs > 8 ? "…" : "");

/** A kept game, and a function that changes it. Another tab's changes come in; the row that is made here stays. */
function useKept(id, moved) {
  const [, redraw] = useState(0);
  const held = useRef(null);
  const isWriting = useRef(false);
  if (held.current === null) held.current = kept(id);
  const adopt = () => {
    const newer = kept(id);
    if (newer === null || newer.rev <= (held.current?.rev ?? 0)) return;
    const before = held.current?.game ?? null;
    held.current = { rev: newer.rev, game: { ...newer.game, draft: before?.draft ?? newer.game.draft } };
    redraw((count) => count + 1);
    if (before !== null && before.turns.length !== newer.game.turns.length) moved.current();
  };
  useEffect(() => subscribe((key) => {
    if ((key === keyOf(id) || key === "") && !isWriting.current && read(keyOf(id)) !== null) adopt();
  }), [id]);
  const put = useCallback((changed) => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const before = held.current;
      const next = changed(before.game);
      if (next === before.game) return true;
      isWriting.current = true;
      const result = keep(next, before.rev);
      isWriting.current = false;
      if (result.reason !== "newer") {
        held.current = { game: next, rev: result.entry.rev };
        redraw((count) => count + 1);
        return true;
      }
      adopt();
    }
    return false;
  }, [id]);
  put.now = () => held.current.game;
  return [held.current?.game ?? null, put];
}

