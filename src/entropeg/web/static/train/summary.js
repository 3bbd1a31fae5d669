// Tells what a session added up to, puzzle by puzzle.

import { html, useRef } from "../vendor/ui.js";
import { say } from "../announce.js";
import { t, tn } from "../texts.js";
import { Table } from "../parts/charts.js";
import { RATED } from "./record.js";
import { summaryOf } from "./session.js";
import { themeName } from "./themes.js";
import { useWhen } from "../parts/when.js";

const outcomes = () => ({ solved: t("solved"), shown: t("shown"), skipped: t("skipped") });

export function Summary({ session, rated, onAgain, onSetup }) {
  const head = useRef(null);
  const told = summaryOf(session);
  const numbers = [t("Tried"), t("Hints"), t("Points")];
  const line = t("{solved} of {puzzles} puzzles solved, {points} of {most} points.", told);
  useWhen(() => { head.current?.focus(); say(`${t("The session is over.")} ${line}`); }, []);
  return html`<section class="stack summary" aria-labelledby="summary-head">
    <h2 id="summary-head" tabindex="-1" ref=${head}>${t("The session")}</h2>
    <p><strong>${line}</strong> ${rated < RATED ? "" : told.change >= 0
      ? `${t("Rating +{n}", { n: Math.round(told.change) })}.`
      : `${t("Rating −{n}", { n: Math.round(-told.change) })}.`}
      ${told.again > 0
        && ` ${tn("{n} came again, {solved} solved then.", "{n} came again, {solved} solved then.", told.again,
          { solved: told.mended })}`}</p>
    <${Table} label=${t("Puzzle by puzzle")}
      heads=${[t("Puzzle"), t("Theme"), t("Ended"), ...numbers.map((head) => [head, "num"])]}>
      ${session.entries.map((entry, index) => html`<tr key=${index}>
        <th scope="row">${index + 1}${entry.isAgain && ` ${t("(again)")}`}</th><td>${themeName(entry.puzzle.theme)}</td>
        <td>${outcomes()[entry.outcome] ?? t("open")}</td><td class="num">${entry.tried.length}</td>
        <td class="num">${entry.hints.length}</td><td class="num">${entry.isAgain ? "–" : entry.points}</td></tr>`)}
          </${Table}>
    <div class="row"><button type="button" class="main" onClick=${onAgain}>${t("Another session")}</button>
      <button type="button" onClick=${onSetup}>${t("Something else")}</button></div></section>`;
}
