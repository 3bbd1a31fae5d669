// The screen Assist: notes of a game at a real board, advice on the next guess, and ways to mend rows that contradict.

import { html, useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { LinkError, fromLink } from "../link.js";
import { HowTo } from "../parts/how.js";
import { useShell } from "../shell.js";
import { codeText, readCode } from "../codes.js";
import { language, nameBy, t, tn } from "../texts.js";
import { useAsk, useRested } from "../parts/ask.js";
import { emptyDraft, fill, isFull } from "../parts/draft.js";
import { Field, Refusal } from "../parts/field.js";
import { feedbackOf, readTold } from "../parts/marks.js";
import { RulesForm } from "../parts/rulesform.js";
import { Advice, Answers, Chances, CodesLeft, Mine } from "../assist/advice.js";
import { deleteRow, emptyBoard, insertRow, mendedRows, moveRow, replaceRow, useBoards } from "../assist/boards.js";
import { Conflict } from "../assist/conflict.js";
import { LAST, editOf, useEntry } from "../assist/entry.js";
import { MarksEntry } from "../assist/marksentry.js";
import { Players } from "../assist/players.js";
import { RowBoard } from "../assist/rowboard.js";
import { Paste, Shelf, TakeOut } from "../assist/shelf.js";
import { readPart, readRow, rowText } from "../assist/told.js";
import { explorerAt } from "../explore/address.js";
import { boardInWords, linkInWords, shortRules } from "../sharing.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

/** The time for advice: what the board asks for, as far as the laboratory takes it. */
const secondsOf = (board, limits) => Math.min(board.seconds ?? 2, limits?.exact_seconds ?? 2);

export default function Assist({ address }) {
  const shell = useShell();
  const boards = useBoards(shell);
  const [facts, askFacts] = useAsk();
  const { board } = boards;
  nameBy(board.rules);
  const linked = useLink(address, boards);
  const [round, setRound] = useState(0);
  const spoken = language();
  useEffect(() => { askFacts(() => rulesOf(board.rules).then((rules) => ({ for: board.rules, rules }))); },
    [askFacts, board.rules, spoken, round]);
  const rules = facts.data?.for === board.rules ? facts.data.rules : null;
  const [isRemoved, setRemoved] = useState(null);
  const remove = () => {
    setRemoved(board);
    boards.remove();
    say(t("The board is deleted."));
  };
  return html`<div class="screen assist"><div class="screen-head"><h1>${t("Assist")}</h1>
      <p class="sub">${t("Note guesses and marks of a game at a real board; the best next guess stands beside them.")}
        </p><${HowTo} screen="assist" rules=${rules} /></div>
    ${linked
      && html`<div class="note bad wide-note"><p>${linked}</p>
        <p><a href="#/assist">${t("Go on with your own boards")}</a></p></div>`}
    ${isRemoved && html`<div class="note wide-note row spread"><span>${t("The board is deleted.")}</span>
      <button onClick=${() => { boards.create(isRemoved); setRemoved(null); }}>${t("Put it back")}</button></div>`}
    ${rules ? html`<${Notes} key=${`${boards.id} ${rules.text}`} boards=${boards} rules=${rules} onRemove=${remove} />`
    : html`<div class="stage">
      ${facts.error ? html`<${Shelf} boards=${boards} onNew=${() => boards.create(emptyBoard("4x6/limit=10"))}
        onRemove=${remove} />
        <${Refusal} error=${facts.error} />
          <p class="row"><button onClick=${() => setRound((count) => count + 1)}>${t("Try again")}</button></p>`
            : html`<p class="busy">${t("Opening the board")}</p>`}</div>`}</div>`;
}

/** Opens the game of a link as a board of its own, once; returns why it cannot be read, or null. */
function useLink(address, boards) {
  const [fault, setFault] = useState(null);
  useWhen(() => {
    const [kind, link] = address.rest;
    if (kind !== "g" || !link) return setFault(null);
    try {
      const game = fromLink(link);
      const rows = game.turns.map(([guess, marks]) => ({ guess, marks, sure: false }));
      const same = boards.all.find(({ board }) => board.rules === game.rules
        && JSON.stringify(board.rows.map(rowText)) === JSON.stringify(rows.map(rowText)));
      if (same) boards.open(same.id);
      else boards.create({ ...emptyBoard(game.rules), rows });
      history.replaceState(null, "", "#/assist"); // so that the way back does not come here again
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      setFault(linkInWords(error));
    }
    return undefined;
  }, [address.hash]);
  return fault;
}

function Notes({ boards, rules, onRemove }) {
  const shell = useShell();
  const { board, change } = boards;
  const { rows } = board;
  const focus = useFocus();
  const entry = useEntry(boards, rules);
  const { draft, marks, place, setDraft } = entry;
  const advice = useAdvice({ board, rules, draft, marks, seconds: secondsOf(board, shell.about?.limits) });
  const to = { boards, rules, entry, focus };
  const { paste, reading, takeIn } = usePasted(to);
  const submit = () => note(to);
  const use = (guess) => {
    setDraft((now) => fill(now, readPart(guess, rules) ?? now.pegs));
    focus(ROW);
  };
  const undo = () => {
    const label = boards.undo();
    if (label) say(t("Undone: {what}.", { what: label }));
    entry.reset();
  };
  return html`<div class="assist-body">
    <div class="stage">
      <p class="row small"><span>${boardInWords(rules.text)}</span>
        <button class="tiny assist-undo" aria-disabled=${boards.past.length === 0 ? "true" : undefined} onClick=${undo}>
          ${t("Undo the last change")}</button></p>
      ${advice.contradiction && html`<${Conflict} contradiction=${advice.contradiction} rows=${rows} />`}
      <${RowBoard} rules=${rules} isEverywhere=${shell.settings.keys === "everywhere"} rows=${rows}
        entry=${{ draft, setDraft, at: place.at, isEdit: place.isEdit }} contradiction=${advice.contradiction}
        faults=${advice.faults} opened=${entry.opened} onOpen=${entry.setOpened}
        actions=${actionsOf(to)} onUse=${use} onSubmit=${submit}
        onCopy=${() => rows.length > 0 && use(rows.at(-1).guess)}
        onPasted=${(text) => { paste.setText(text); paste.setOpen(true); takeIn(text, rows.length === 0); }} />
      <${MarksEntry} rules=${rules} value=${marks} field=${entry.marksField} wrong=${entry.wrong} onEnter=${submit}
        onChange=${entry.setMarks} />
      <div class="actions">
        <button class="main" onClick=${submit}>${place.isEdit ? t("Keep row {n}", { n: place.at + 1 })
          : t("Note the row")}</button>
        ${place.at !== null && html`<button onClick=${() => { entry.reset(); focus(ROW); }}>${t("Cancel")}</button>`}
          </div>
    </div>
    <aside class="panel" aria-label=${t("Advice")}><${AdvicePanel} advice=${advice} rules=${rules} board=${board}
      change=${change} onUse=${use} shell=${shell} /></aside>
    <div class="extras stack">
      <${Shelf} boards=${boards} onNew=${() => boards.create(emptyBoard(board.rules))} onRemove=${onRemove} />
      <${Paste} busy=${reading.busy} error=${reading.error} rows=${rows.length} ...${paste} onPaste=${takeIn} />
      <${TakeOut} board=${board} />
      <${RulesCard} boards=${boards} rules=${rules} about=${shell.about} notify=${shell.notify} />
    </div></div>`;
}

/** The row that is made, for the focus. */
const ROW = "tr.draft .hole-button.cursor";

/** What is pasted, and how it is read: {paste, reading, takeIn(text, isWhole)}. */
function usePasted({ boards, rules, entry, focus }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [reading, read] = useAsk();
  const takeIn = async (pastedText, isWhole) => {
    const begins = pastedText.trimStart();
    const isOwn = begins.startsWith("entropeg") || begins.startsWith("{"); // it says its rules itself
    const answer = await read((options) => post("rows",
      { rules: isOwn ? null : rules.text, text: pastedText }, options));
    if (!answer) return;
    const written = answer.rules === rules.text ? rules : await rulesOf(answer.rules);
    const found = answer.rows.map((row) => ({ ...readRow(row, written), sure: false }));
    if (answer.rules && answer.rules !== rules.text) boards.create({ ...emptyBoard(answer.rules), rows: found });
    else boards.change({ rows: isWhole ? found : [...boards.board.rows, ...found] },
      t("the rows are as before the paste"));
    if (isWhole) entry.setPlace(LAST);
    setText("");
    setOpen(false);
    say(tn("{n} row read.", "{n} rows read.", found.length));
    focus(ROW);
  };
  return { paste: { isOpen, text, setText, setOpen }, reading, takeIn };
}

/** Notes the row that is made: at the end, before another, or in the place of the one that is edited. */
async function note({ boards, rules, entry, focus }) {
  const { rows } = boards.board;
  const { draft, place } = entry;
  const typed = entry.marks.trim();
  const isEmpty = draft.pegs.every((peg) => peg === null);
  if (isEmpty && !typed) return entry.setWrong(t("The row is empty: choose its pegs first."));
  if (!typed) {
    entry.marksField.current?.focus();
    return entry.setWrong(null);
  }
  const guess = codeText(draft.pegs, rules);
  const row = await readOne(isEmpty && typed.includes(" ") ? typed : `${guess}: ${typed}`, { guess, marks: typed },
    rules, entry);
  if (!row) return undefined;
  const { at, isEdit } = place;
  const n = (at ?? rows.length) + 1;
  if (isEdit)
    boards.change({ rows: replaceRow(rows, at, { ...row, sure: rows[at].sure }), draft: null },
      t("row {n} is as before", { n }));
  else boards.change({ rows: insertRow(rows, n - 1, row), draft: null }, t("row {n} is taken out again", { n }));
  entry.reset();
  say(isEdit ? t("Row {n} is changed.", { n }) : t("Row {n} is noted.", { n }));
  return focus(ROW);
}

/** A row as the laboratory reads it; without the laboratory as far as the page can. */
async function readOne(text, plain, rules, entry) {
  try {
    const answer = await post("rows", { rules: rules.text, text });
    return { ...readRow(answer.rows[0], rules), sure: false };
  } catch (error) {
    if (error.isOffline && readTold(plain.marks, rules) !== undefined) return { ...plain, sure: false };
    entry.setWrong(error.message);
    say(error.message);
    entry.marksField.current?.focus();
    return null;
  }
}

/** What can be done with the rows that are noted; each is taken back by `boards.undo`. */
function actionsOf({ boards, rules, entry, focus }) {
  const { board: { rows }, change } = boards;
  const { place, setPlace, setOpened } = entry;
  const begin = (...row) => {
    entry.begin(...row);
    focus(ROW);
  };
  const empty = emptyDraft(rules);
  return {
    edit: (index) => begin(fill(empty, readPart(rows[index].guess, rules) ?? empty.pegs), rows[index].marks,
      editOf(rows, index)),
    insert: (index) => begin(empty, "", { at: index, isEdit: false }),
    clear: () => begin(empty, "", LAST),
    move: (index, step) => {
      change({ rows: moveRow(rows, index, step) }, t("the rows are in their old order"));
      if (place.isEdit && place.at === index) setPlace({ ...place, at: index + step });
      setOpened(index + step);
      focus(`#assist-row-${index + step}`);
      say(t("Row {n} is now row {m}.", { n: index + 1, m: index + 1 + step }));
    },
    sure: (index) => change({ rows: replaceRow(rows, index, { ...rows[index], sure: !rows[index].sure }) },
      t("what is sure is as before")),
    remove: (index) => {
      change({ rows: deleteRow(rows, index) }, t("row {n} is back", { n: index + 1 }));
      setOpened(null);
      if (place.at === index && place.isEdit) setPlace(LAST);
      else if (place.at > index) setPlace({ ...place, at: place.at - 1 });
      focus(".assist-undo");
      say(t("Row {n} is deleted.", { n: index + 1 }));
    },
    mend: (mend) => {
      const mended = mendedRows(rows, mend.rows, mend.changes, (text) => readRow(text, rules));
      change({ rows: mended }, t("the mend is taken back"));
      entry.reset();
      focus(".assist-undo");
      say(t("Mended. {codes}", { codes: tn("{n} code left", "{n} codes left", mend.codes) }));
    },
  };
}

function RulesCard({ boards, rules, about, notify }) {
  const { board, change } = boards;
  const choose = (chosen) => {
    const areRead = board.rows.every((row) => readPart(row.guess, chosen) !== null
      && (readTold(row.marks, chosen) !== undefined));
    if (areRead) change({ rules: chosen.text }, t("the rules are as before"));
    else {
      boards.create(emptyBoard(chosen.text));
      notify(t("The rows do not fit these rules: a new board is begun, and the rows stay on theirs."));
    }
  };
  return html`<details class="card"><summary>${t("Rules: {rules}", { rules: boardInWords(rules.text) })}</summary>
    <${RulesForm} value=${board.rules} onRules=${choose} about=${about} /></details>`;
}

function AdvicePanel({ advice, rules, board, change, onUse, shell }) {
  const { asked, question, isStale, cancel, again } = advice;
  const limits = shell.about?.limits;
  const seconds = secondsOf(board, limits);
  /** @type {Api["Advice"]} */
  const told = advice.won === null ? asked.data?.advice : null;
  return html`<section class="card advice-state" aria-busy=${asked.busy ? "true" : "false"}>
    <div class="row advice-now"><p>${advice.won !== null ? t("Row {n} found the secret.", { n: advice.won + 1 }) : told
        ? html`<strong>${told.left.says}</strong>` : ""}</p>
      <p class="row busy-line">
        ${asked.busy ? html`<span class="busy">${t("Thinking, about {n} seconds at most", { n: seconds })}</span>
          <button class="tiny" onClick=${cancel}>${t("Cancel")}</button>`
    : isStale ? html`<span class="small muted">${t("Not asked about these rows.")}</span>
      <button class="tiny" onClick=${again}>${t("Ask")}</button>` : ""}</p></div>
      ${board.rows.length === 0 && html`<p class="small muted">${t("No rows yet: this is advice on the opening.")}</p>`}
      ${!asked.busy && !advice.faults?.size && !advice.isMine && html`<${Refusal} error=${asked.error} />`}
      ${!asked.busy && asked.error && html`<p><button onClick=${again}>${t("Ask again")}</button></p>`}
      ${advice.won === null && board.rows.every((row) => feedbackOf(row.marks, rules) && readCode(row.guess, rules))
        && html`<p>
        <a href=${explorerAt(shortRules(rules.text), board.rows.map((row) => [row.guess, row.marks]))}>
          ${t("Explore this position")}</a></p>`}
      <div class="advice-asked"><${Field} label=${t("A guess you have in mind")} wrong=${advice.mineFault}>
        <input class="mono" value=${board.mine} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => change({ mine: event.currentTarget.value })} /></${Field}>
      <${Field} label=${t("Time for advice")}>
        <select value=${String(seconds)} onChange=${(event) => change({ seconds: Number(event.currentTarget.value) })}>
        ${Array.from({ length: Math.floor(limits?.exact_seconds ?? seconds) }, (_, index) => index + 1)
          .map((one) => html`<option key=${one} value=${String(one)}>${tn("{n} second", "{n} seconds", one)}</option>`)}
            </select></${Field}></div></section>
    ${told && html`<div class=${`panel${asked.busy || isStale ? " stale" : ""}`}>
      <${Advice} advice=${told} rules=${rules} onUse=${onUse} />
      <${Mine} advice=${told} rules=${rules} onUse=${onUse} />
      <${Answers} advice=${told} rules=${rules} />
      <${Chances} advice=${told} rules=${rules} />
      <${CodesLeft} advice=${told} />
      ${!shell.about?.lacks?.includes("players")
        && html`<${Players} question=${question} rules=${rules} codebreakers=${shell.about?.codebreakers ?? []}
          onUse=${onUse} />`}</div>`}`;
}

/** Asks for advice after each change, once it has rested; says the answer once. */
function useAdvice({ board, rules, draft, marks, seconds }) {
  const [asked, ask, cancel] = useAsk();
  const [round, setRound] = useState(0);
  const spoken = useRef("");
  const drafted = isFull(draft) && marks.trim() === "" ? codeText(draft.pegs, rules) : "";
  const isTyped = board.mine.trim() !== "";
  const mine = isTyped ? (readCode(board.mine, rules) ? board.mine.trim() : "") : drafted;
  const won = board.rows.findIndex(({ marks: given }) => feedbackOf(given, rules)?.black === rules.pegs);
  const sure = board.rows.flatMap((row, index) => (row.sure ? [index + 1] : []));
  const question = { rules: rules.text, rows: board.rows.map(rowText), sure, also: mine ? [mine] : [], limit: 5,
    seconds, codes: 48 };
  const key = `${language()} ${JSON.stringify(question)}`;
  const rested = useRested(`${round} ${key}`, 300);
  useWhen(() => { if (!rested.endsWith(key)) cancel(); }, [key]);
  useWhen(() => {
    if (!rested.endsWith(key)) return;
    // A game that is won needs no advice, but its rows may still contradict each other.
    const asks = won < 0 ? (options) => post("advice", question, options)
      : (options) => post("mends", { rules: question.rules, rows: question.rows, sure, live: false,
        seconds: question.seconds }, options);
    ask((options) => asks(options).then((data) => ({ ...data, key }))).then((data) => {
      const said = data && sentence(data, mine);
      if (said && said !== spoken.current) say(said);
      if (said) spoken.current = said;
    });
  }, [rested]);
  const { error } = asked;
  const isMine = Boolean(error?.field?.startsWith("also"));
  const isStale = asked.data === null ? !asked.busy && !error : asked.data.key !== key && !asked.busy;
  const faults = error && !asked.busy && rowOf(error) !== null ? new Map([[rowOf(error), error.message]]) : null;
  return {
    asked, question, cancel, isStale, faults, isMine, won: won < 0 ? null : won,
      again: () => setRound((count) => count + 1),
    mineFault: isMine ? error.message : isTyped && !mine ? t("No guess of these rules yet: {n} pegs are needed.",
      { n: rules.pegs }) : null, contradiction: asked.data?.key === key ? asked.data.contradiction : null,
  };
}

/** The row (from 0) that a refusal names, or null. */
function rowOf(error) {
  const named = /^(?:rows|turns)\.(\d+)/.exec(error.field ?? "");
  return named ? Number(named[1]) : null;
}

/** @param {Api["NotedAdvice"]} told @param {string} mine */
function sentence({ advice, contradiction }, mine) {
  if (contradiction) return contradiction.says;
  if (!advice) return "";
  const [best] = advice.guesses;
  if (!best) return "";
  const said = t("{left}. Best guess: {guess}.", { left: advice.left.says.replace(/\.$/, ""), guess: best.guess });
  return mine && advice.also[0] ? `${said} ${advice.says.at(-1)}` : said;
}

/** Returns a function that moves the focus to what a selector finds, once the page shows it. */
function useFocus() {
  const wanted = useRef(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (wanted.current === null) return;
    document.querySelector(wanted.current)?.focus();
    wanted.current = null;
  });
  return useCallback((selector) => {
    wanted.current = selector;
    redraw((count) => count + 1);
  }, []);
}
