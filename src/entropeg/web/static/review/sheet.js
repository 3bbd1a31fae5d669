// Gives a review away: the worksheet to print or as CSV, the page itself on paper, and the game as a link.

import { html } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { toLink } from "../link.js";
import { addressOf, inviteText, saved } from "../sharing.js";
import { useShell } from "../shell.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";
import { ShareBox } from "../parts/sharebox.js";
import { fixed, sentence } from "../parts/told.js";
import { codesLeft } from "./board.js";

/** @import { Api } from "../api.js" */

const bits = (count) => (count === null || count === undefined ? "?" : fixed(Math.log2(count)));

/** What is said of the turns, on paper alone: on the page it stands with each turn. */
export function PrintedNotes({ notes }) {
  return notes.some((said) => said.length > 0) && html`<section class="card print-only"><h2>${t("Notes")}</h2>
    <ul>${notes.map((said, index) =>
      said.map((note) =>
        html`<li key=${`${index} ${note}`}>${t("Turn {n}: {note}", { n: index + 1, note: sentence(note) })}</li>`))}
          </ul>
          </section>`;
}

/** The worksheet of a class: round, guess, feedback, codes left and bits left. */
/** @param {{game: Api["GivenGame"], review: Api["Review"]}} props */
export function Worksheet({ game, review }) {
  const [state, ask] = useAsk();
  const rows = [["0", "", "", review.turns[0].before],
    ...review.turns.map((turn, index) => [String(index + 1), turn.guess, turn.feedback, turn.after])];
  const heads = [t("Round"), t("Guess"), t("Feedback"), [t("Codes left"), "num"], [t("Bits left"), "num"]];
  const { about } = useShell();
  const fetchSheet = () => ask((options) => post("reviews/worksheet",
    { rules: game.rules, turns: game.turns, as: "csv" }, options)).then((csv) => { if (csv !== undefined)
      save(csv, "worksheet.csv"); });
  return html`<section class="card worksheet" aria-labelledby="sheet-head"><h2 id="sheet-head">${t("Worksheet")}</h2>
    <${Table} label=${t("Worksheet")} heads=${heads}>
      ${rows.map(([round, guess, feedback, count]) => html`<tr key=${round}><th scope="row">${round}</th>
        <td class="mono">${guess}</td><td class="mono">${feedback}</td>
        <td class="num">${codesLeft(count)}</td><td class="num">${bits(count)}</td></tr>`)}</${Table}>
    <div class="row no-print"><button type="button" onClick=${() => print()}>${t("Print the review")}</button>
      ${!about?.lacks?.includes("worksheet")
        && html`<button type="button" onClick=${fetchSheet} aria-disabled=${state.busy ? "true" : undefined}>
          ${t("Save as CSV")}</button>`}</div>
    <${Refusal} error=${state.error} /></section>`;
}

function save(text, name) {
  saved(text, name, "text/csv");
  say(t("Saved as {name}.", { name }));
}

/** A game as the text of a link, without its token: whoever reviews it sees no more than its turns. */
export const linkOf = (game) => toLink({ rules: game.rules, codemaker: game.codemaker || "honest", number: game.number
  ?? null, token: null, secrets: game.secrets, turns: game.turns });

/** The game as a link that opens its review; the address alone carries it, and no server hears of it. */
export const Sharing = ({ game }) => html`<section class="card no-print" aria-labelledby="share-head">
  <h2 id="share-head">${t("Share the review")}</h2>
    <${ShareBox} label=${t("Link to this review")} copyLabel=${t("Copy the link")}
    text=${addressOf(`#/review/g/${linkOf(game)}`)}
    instead=${inviteText({ number: null, ...game, kind: "own" })} /></section>`;
