// Tells what a session added up to, puzzle by puzzle.

import { html, useEffect, useRef } from "../vendor/ui.js";
import { say } from "../announce.js";
import { t, tn } from "../texts.js";
import { summaryOf } from "./session.js";
import { themeName } from "./themes.js";

const outcomes = () => ({ solved: t("solved"), shown: t("shown"), skipped: t("skipped") });

export function Summary({ session, onAgain, onSetup }) {
  const head = useRef(null);
  const told = summaryOf(session);
  const line = t("{solved} of {puzzles} puzzles solved, {points} of {most} points.", told);
  useEffect(() => { head.current?.focus(); say(`${t("The session is over.")} ${line}`); }, []);
  return html`<section class="stack summary" aria-labelledby="summary-head"><h2 id="summary-head" tabindex="-1" ref=${head}>${t("The session")}</h2>
    <p><strong>${line}</strong> ${told.change >= 0 ? t("Rating +{n}", { n: Math.round(told.change) }) : t("Rating −{n}", { n: Math.round(-told.change) })}.
      ${told.again > 0 && ` ${tn("{n} came again, {solved} solved then.", "{n} came again, {solved} solved then.", told.again, { solved: told.mended })}`}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t("Puzzle by puzzle")}><table class="data"><thead><tr>${[t("Puzzle"), t("Theme"), t("Ended")].map((name) => html`<th key=${name} scope="col">${name}</th>`)}
      ${[t("Tried"), t("Hints"), t("Points")].map((name) => html`<th key=${name} scope="col" class="num">${name}</th>`)}</tr></thead>
      <tbody>${session.entries.map((entry, index) => html`<tr key=${index}><th scope="row">${index + 1}${entry.isAgain ? ` ${t("(again)")}` : ""}</th><td>${themeName(entry.puzzle.theme)}</td><td>${outcomes()[entry.outcome] ?? t("open")}</td>
        <td class="num">${entry.tried.length}</td><td class="num">${entry.hints.length}</td><td class="num">${entry.isAgain ? "–" : entry.points}</td></tr>`)}</tbody></table></div>
    <div class="row"><button type="button" class="main" onClick=${onAgain}>${t("Another session")}</button><button type="button" onClick=${onSetup}>${t("Something else")}</button></div></section>`;
}
