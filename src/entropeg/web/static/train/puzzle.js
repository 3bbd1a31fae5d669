// Shows one puzzle: the position, the question, attempts with what is said of them, hints, and the solution.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { language, number, t, tn } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Board } from "../parts/board.js";
import { Busy } from "../parts/busy.js";
import { Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";
import { Guesser } from "../parts/guesser.js";
import { Marks, feedbackOf, turnOf } from "../parts/marks.js";
import { Code, Pieces } from "../parts/pegs.js";
import { RATED } from "./record.js";
import { themeName } from "./themes.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

const MOST_LISTED = 12;

/** What can be done with a puzzle: {attempt, hint, show, isJudging, error}. */
function useAttempts({ entry, on, onEnd }) {
  const { puzzle } = entry;
  const [judging, judge] = useAsk();
  const [telling, tell] = useAsk();
  const solutionOf = (options) => post("puzzles/solution", { puzzle: puzzle.puzzle }, options);
  const attempt = async (body, shown) => {
    if (entry.tried.some(({ text }) => text === shown.text)) { say(t("That was tried already.")); return true; }
    const verdict = await judge((options) => post("puzzles/judge",
      { puzzle: puzzle.puzzle, ...body, hints: entry.hints.length, tried: entry.tried.length }, options));
    if (!verdict) return false;
    on.attempt(puzzle, { ...shown, solved: verdict.solved, says: verdict.says, codes: verdict.codes,
      rows: verdict.clues.map(({ row }) => row) });
    if (!verdict.solved) { say(`${t("Not yet.")} ${verdict.says}`); return true; }
    const solution = await tell(solutionOf);
    on.end(puzzle, "solved", { points: verdict.points, solution: solution ?? null });
    say(tn("Solved: {n} point.", "Solved: {n} points.", verdict.points));
    onEnd();
    return true;
  };
  const hint = async () => {
    if (entry.hints.length >= puzzle.hints) return say(t("There are no more hints."));
    const told = await tell((options) => post("puzzles/hints",
      { puzzle: puzzle.puzzle, step: entry.hints.length + 1 }, options));
    if (!told) return undefined;
    on.hint(puzzle, { says: told.says, codes: told.codes });
    return say(t("Hint {n}: {hint}", { n: entry.hints.length + 1, hint: told.says }));
  };
  const show = async () => {
    const solution = await tell(solutionOf);
    if (!solution) return;
    on.end(puzzle, "shown", { solution });
    say(solution.sentences.map(({ says }) => says).join(" "));
    onEnd();
  };
  return { attempt, hint, show, isJudging: judging.busy, error: judging.error ?? telling.error };
}

/**
 * `entry` is the puzzle of the session with what was tried; `head` says which it is. `on` has {attempt, hint, end,
 * next}, told of the puzzle: what was tried, a hint that was told, how it ended ("solved", "shown", "skipped", with
 * points and solution), and going on.
 */
export function Puzzle({ entry, head, on, rated }) {
  const { puzzle } = entry;
  const [rules, askRules] = useAsk();
  const top = useRef(null);
  const end = useRef(null);
  const { attempt, hint, show, isJudging,
    error } = useAttempts({ entry, on, onEnd: () => setTimeout(() => end.current?.focus(), 0) });
  const isOver = entry.outcome !== "open";
  const spoken = language();
  useEffect(() => { askRules(() => rulesOf(puzzle.rules)); }, [askRules, puzzle.rules, spoken]);
  const isThere = rules.data !== null;
  useWhen(() => {
    if (!isThere || isOver) return;
    say(t("{head}: {theme}. {question}", { head, theme: themeName(puzzle.theme), question: puzzle.question.says }));
    if (top.current) top.current.scrollIntoView({ block: "nearest" });
    top.current?.querySelector(".hole-button.cursor, .is-wrong")?.focus({ preventScroll: true });
  }, [isThere]);
  if (rules.error)
    return html`<${Refusal} error=${rules.error} />
      <button type="button" onClick=${() => askRules(() => rulesOf(puzzle.rules))}>${t("Try again")}</button>`;
  if (!isThere) return html`<${Busy} says=${t("Drawing a puzzle …")} />`;
  const more = html`<button type="button" onClick=${hint} aria-disabled=${entry.hints.length >= puzzle.hints ? "true"
    : undefined}>
      ${entry.hints.length < puzzle.hints ? t("Hint ({n} of {total})",
        { n: entry.hints.length + 1, total: puzzle.hints }) : t("No more hints")}</button>
    <button type="button" onClick=${show}>${t("Solution")}</button>
      <button type="button" onClick=${() => { on.end(puzzle, "skipped"); on.next(); }}>${t("Skip")}</button>`;
  const shared = { rules: rules.data, turns: puzzle.turns.map((turn) => turnOf(turn, rules.data)),
    caption: t("The position") };
  return html`<section class="puzzle stack" aria-labelledby="puzzle-head" ref=${top}>
    <div class="row spread"><h2 id="puzzle-head">${head}</h2><span class="muted">${themeName(puzzle.theme)}
      ${difficulty(puzzle)}</span></div>
    <p class="question"><${Pieces} said=${puzzle.question} rules=${rules.data} /></p>
    ${isOver
      ? html`<${Board} ...${shared} rowClass=${(_, index) => (entry.solution?.row === index + 1 ? "wrong" : "")} />`
    : puzzle.answer === "row"
    ? html`<${Rows} ...${shared} entry=${entry} busy=${isJudging}
      onRow=${(row) => attempt({ row }, { text: String(row), row })} onHint=${hint}>${more}</${Rows}>`
      : html`<${Guesser} ...${shared} busy=${isJudging} label=${t("Try it")} onHint=${hint}
        onGuess=${(text) => attempt({ guess: text }, { text })}
          rowClass=${(_, index) => (entry.tried.at(-1)?.rows?.includes(index + 1) ? "wrong" : "")}>
          ${more}</${Guesser}>`}
    <${Refusal} error=${error} />
    <${Said} entry=${entry} rules=${rules.data} />
    ${isOver && html`<div class="stack" tabindex="-1" ref=${end} role="group" aria-label=${t("Solution")}>
      <p class=${`note ${entry.outcome === "solved" ? "good" : "info"}`}>
        <strong>${outcome(entry)}</strong> ${effect(entry, rated)}</p>
      <div class="row"><button type="button" class="main" onClick=${on.next}>${t("Next")}</button></div>
      ${entry.solution && html`<${Solution} solution=${entry.solution} rules=${rules.data} />`}</div>`}</section>`;
}

const difficulty = (puzzle) => (puzzle.difficulty === null || puzzle.difficulty === undefined ? ""
  : ` · ${t("difficulty {n} %", { n: Math.round(100 * puzzle.difficulty) })}`);

function outcome({ outcome: ended, points }) {
  if (ended === "solved") return tn("Solved: {n} point.", "Solved: {n} points.", points);
  return ended === "shown" ? t("Not solved: the solution was shown.") : t("Skipped.");
}

/** What a puzzle did to the rating; `rated` puzzles have counted so far. */
function effect({ change, isAgain }, rated) {
  if (isAgain) return t("It came again, and does not count a second time.");
  if (change === null) return t("It has counted before.");
  if (rated < RATED)
    return tn("{n} puzzle more until there is a rating.", "{n} puzzles more until there is a rating.", RATED - rated);
  return change >= 0 ? t("Rating +{n}", { n: Math.round(change) }) : t("Rating −{n}", { n: Math.round(-change) });
}

/** A board on which one names the wrong row: a button in each row, or its number as a key. */
function Rows({ rules, turns, caption, entry, busy, onRow, onHint, children }) {
  const pressed = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const row = Number(event.key);
    if (Number.isInteger(row) && row >= 1 && row <= turns.length && !busy) { event.preventDefault(); onRow(row); }
    if (event.key.toLowerCase() === "h") { event.preventDefault(); onHint(); }
  };
  const isTried = (row) => entry.tried.some((one) => one.row === row);
  const columns = [{ key: "wrong", head: t("Wrong?"),
    cell: (_, index) =>
    html`<button type="button" class="small is-wrong"
      aria-label=${isTried(index + 1) ? t("Row {n} is right", { n: index + 1 }) : t("Row {n} is wrong",
        { n: index + 1 })}
    aria-disabled=${busy || isTried(index + 1) ? "true" : undefined} onClick=${() => { if (!busy) onRow(index + 1); }}>
    ${isTried(index + 1) ? t("right") : t("wrong")}</button>` }];
  return html`<div class="guesser stack" onKeyDown=${pressed}><${Board} rules=${rules} turns=${turns} caption=${caption}
    columns=${columns} />
    <p class="small muted no-print">${t("The number of a row does the same as its button.")}</p>
      <div class="actions">${children}</div></div>`;
}

/** What was tried and which hints were given, the last at the bottom. */
function Said({ entry, rules }) {
  return html`${entry.hints.length > 0
    && html`<ol class="hints" aria-label=${t("Hints")}>
      ${entry.hints.map((said, index) => html`<li key=${index}><${Pieces} said=${said} rules=${rules} /></li>`)}</ol>`}
    ${entry.tried.length > 0
      && html`<ul class="tries" aria-label=${t("Tried")}>
        ${entry.tried.map((one, index) => html`<li key=${index} class=${`note ${one.solved ? "good" : "warn"}`}>
      ${one.solved && !one.row && html`<${Code} text=${one.text} rules=${rules} />`}
        <span><${Pieces} said=${one} rules=${rules} /></span></li>`)}</ul>`}`;
}

/** The solution of a puzzle: its sentences, and the parts that it makes of the codes left. */
/** @param {{solution: Api["PuzzleSolution"], rules: Api["RulesShown"]}} props */
function Solution({ solution, rules }) {
  return html`${solution.sentences.map((said, index) =>
    html`<p key=${index}><${Pieces} said=${said} rules=${rules} /></p>`)}
    ${solution.parts.length > 0 && html`<${Table} label=${t("Its answers, and what each would leave")} isLabelled
      kind="data parts" heads=${[t("Answer"), [t("Codes"), "num"], t("Which")]}>
      ${solution.parts.map(({ feedback, codes, size }) => html`<tr key=${feedback}>
        <th scope="row"><${Marks} feedback=${feedbackOf(feedback, rules)} /></th><td class="num">${number(size)}</td>
        <td><span class="row">
          ${codes.slice(0, MOST_LISTED).map((code) => html`<${Code} key=${code} text=${code} rules=${rules} />`)}
          ${size > MOST_LISTED
            && html`<span class="muted">${tn("and {n} more", "and {n} more", size - MOST_LISTED)}</span>`}</span></td>
      </tr>`)}</${Table}>`}`;
}
