// Trains: puzzles by theme and difficulty or from one's own mistakes, in sessions of ten, with a rating.

import { html, useRef } from "../vendor/ui.js";
import { get } from "../api.js";
import { say } from "../announce.js";
import { language, nameBy, t, tn } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { HowTo } from "../parts/how.js";
import { wishesOf } from "../parts/wishes.js";
import { useShell } from "../shell.js";
import { inLanguage, useRecord, useSession } from "../train/model.js";
import { Puzzle } from "../train/puzzle.js";
import { RatingCard } from "../train/rating.js";
import { boardInWords } from "../sharing.js";
import { begun, ended, hinted, lengthOf, newSession, nextOf, openOf, retold, summaryOf, tried,
  withChange } from "../train/session.js";
import { Setup } from "../train/setup.js";
import { Summary } from "../train/summary.js";
import { boundsOf } from "../train/themes.js";
import { useWhen } from "../parts/when.js";

const SEEDS = 2 ** 31;

/**
 * The session under way: {session, record, drawing, on, start, goOn, close, ...}; puzzles are drawn when they are
 * needed.
 */
function useTraining(settings) {
  const [session, keep] = useSession();
  const [record, count, forgetRecord] = useRecord();
  const [drawing, draw, cancel] = useAsk();
  const latest = useRef(session);
  latest.current = session;
  const put = (made) => { latest.current = keep(made); };
  const goOn = async (made = latest.current) => {
    put(made);
    if (latest.current !== made) return undefined;
    const next = nextOf(made);
    if (next === "again" || next === "stock") return put(begun(made));
    if (next !== "draw") return undefined;
    const { rules, theme, level, seed } = made.wanted;
    const query = { rules, theme, seed, skip: made.skip, ...boundsOf(level, record.player.rating) };
    const drawn = await draw((options) => get("puzzles", query, options));
    if (drawn && latest.current === made) put(begun(made, { ...drawn, language: language() }));
    return undefined;
  };
  const start = (wanted, stock = null) => {
    goOn(newSession({ ...wanted, seed: Math.floor(Math.random() * SEEDS) }, stock));
  };
  useWhen(() => {
    // The screen opens on a puzzle: of the kind that was trained last.
    if (latest.current === null) start(wishesOf("train/wanted", { rules: settings.rules, theme: "", level: "any" }));
    // A session that was left while its next puzzle was drawn goes on; one that shows a solution waits to be told so.
    else if (nextOf(session) === "draw" && ["skipped", undefined].includes(session.entries.at(-1)?.outcome))
      goOn(session);
  }, []);
  // An answer that comes after its puzzle has ended means nothing any more.
  const isOpen = (puzzle) => openOf(latest.current)?.puzzle === puzzle;
  const to = (puzzle, changed) => isOpen(puzzle) && put(changed(latest.current));
  useTranslated(session, to);
  const on = {
    attempt: (puzzle, made) => to(puzzle, (now) => tried(now, made)),
    hint: (puzzle, says) => to(puzzle, (now) => hinted(now, says)),
    end: (puzzle, outcome, told = {}) => to(puzzle, (now) => {
      const entry = openOf(now);
      const isFirst = outcome === "solved" && entry.tried.length === 1 && entry.hints.length === 0;
      const change = entry.isAgain ? null : count(puzzle, { points: told.points ?? 0, isFirst, at: Date.now() });
      return withChange(ended(now, outcome, told), change);
    }),
    next: () => (nextOf(latest.current) === null ? put({ ...latest.current, isClosed: true }) : goOn()),
  };
  const close = () => {
    cancel();
    put(null);
  };
  return { session, record, forgetRecord, drawing, cancel, on, start, goOn, close };
}

/** The open puzzle follows the language of the page. */
function useTranslated(session, to) {
  const [, translate] = useAsk();
  useWhen(() => {
    const puzzle = session && openOf(session)?.puzzle;
    if (!puzzle || (puzzle.language ?? language()) === language()) return;
    translate((options) => inLanguage(puzzle, options)).then((told) => { if (told)
      to(puzzle, (now) => retold(now, told)); });
  }, [language()]);
}

export default function Train() {
  const { settings } = useShell();
  const { session, record, forgetRecord, drawing, cancel, on, start, goOn, close } = useTraining(settings);
  nameBy(session?.wanted.rules);
  const setup = () => {
    close();
    say(t("What is to be trained?"));
    setTimeout(() => document.querySelector("h1")?.focus(), 0);
  };
  const entry = session?.entries.at(-1) ?? null;
  const isShown = entry !== null && (entry.outcome !== "skipped" || nextOf(session) === "open");
  const isOver = session !== null && nextOf(session) === null && session.isClosed;
  return html`<div class="screen train-screen"><div class="screen-head"><h1 tabindex="-1">${t("Train")}</h1>
      ${session && html`<span class="sub">${boardInWords(entry?.puzzle.rules ?? session.wanted.rules)}</span>
        <button type="button" class="quiet" onClick=${setup}>${t("Something else")}</button>`}
          <${HowTo} screen="train" /></div>
    <div class="stage">${session === null || (entry === null && drawing.error)
    ? html`<${Setup} onStart=${start} onOwn=${start} busy=${drawing.busy} refusal=${drawing.error} />`
    : html`<${Stage} session=${session} rated=${record.puzzles} entry=${isShown ? entry : null} isOver=${isOver}
      drawing=${drawing} on=${on}
        onAgain=${() => start(session.wanted, null)} onSetup=${setup} onRetry=${() => goOn()} onStop=${cancel} />`}
          </div>
    <div class="panel">${session && html`<${Progress} session=${session} />`}
      <${RatingCard} record=${record} onForget=${forgetRecord} /></div></div>`;
}

function Progress({ session }) {
  const told = summaryOf(session);
  return html`<section class="card" aria-labelledby="session-head"><h2 id="session-head">${t("This session")}</h2>
    <progress value=${told.puzzles} max=${lengthOf(session)} aria-label=${t("Puzzles done")}></progress>
    <p class="number">
      ${t("{n} of {total} puzzles, {points} of {most} points", { n: told.puzzles, total: lengthOf(session),
        points: told.points, most: told.most })}</p>
    ${session.again.length > 0
      && html`<p class="small muted">${tn("{n} comes again.", "{n} come again.", session.again.length)}</p>`}
        </section>`;
}

function Stage({ session, rated, entry, isOver, drawing, on, onAgain, onSetup, onRetry, onStop }) {
  if (isOver)
    return html`<${Summary} session=${session} rated=${rated} onAgain=${session.stock ? onSetup : onAgain}
      onSetup=${onSetup} />`;
  if (drawing.busy) return html`<section><${Busy} says=${t("Drawing a puzzle …")} onCancel=${onStop} /></section>`;
  if (drawing.error)
    return html`<${Refusal} error=${drawing.error} />
      <div class="row"><button type="button" class="main" onClick=${onRetry}>${t("Try again")}</button>
        <button type="button" onClick=${onSetup}>${t("Something else")}</button></div>`;
  if (entry === null)
    return html`<div class="row"><button type="button" class="main" onClick=${onRetry}>${t("Go on")}</button>
      <button type="button" onClick=${onSetup}>${t("Something else")}</button></div>`;
  const head = entry.isAgain ? t("Once more") : t("Puzzle {n} of {total}",
    { n: session.drawn, total: lengthOf(session) });
  return html`<${Puzzle} key=${session.entries.length} entry=${entry} head=${head} on=${on} rated=${rated} />`;
}
