// Stands beside and under the row that is made: submit, wait, undo, hold, give up.

import { html, useState } from "../vendor/ui.js";
import { useRested } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Confirmed } from "../parts/confirmed.js";
import { clear, hold, isFull, undo } from "../parts/draft.js";
import { toLink } from "../link.js";
import { linked } from "../games.js";
import { t } from "../texts.js";

/**
 * Submits from within the row, or says that the answer is awaited. These buttons go when they are pressed: the focus
 * goes to the row.
 */
export function Row({ session }) {
  const isLong = useRested(session.busy, 1000) && session.busy;
  const thenRow = (does) => (event) => {
    event.currentTarget.closest("tr").querySelector(".hole-button.cursor")?.focus({ preventScroll: true });
    does();
  };
  if (session.busy)
    return isLong ? html`<button type="button" class="tiny" onClick=${thenRow(session.cancel)}>${t("Stop")}</button>`
    : html`<span class="busy"><span class="unseen">${t("Asking")}</span></span>`;
  return isFull(session.draft)
    ? html`<button type="button" class="tiny ready" title=${t("Submit")} aria-label=${t("Submit this row")}
      onClick=${thenRow(session.submit)}>✓</button>` : null;
}

/** What is done with the row that is made: buttons under the palette. */
export function Actions({ session }) {
  const { draft, change, busy, submit } = session;
  return html`<div class="actions">
    <${Button} isOff=${draft.past.length === 0} onClick=${() => change(undo)}>${t("Undo")}</${Button}>
    <${Button} aria-pressed=${draft.held[draft.cursor] ? "true" : "false"} isOff=${draft.pegs[draft.cursor] === null}
      onClick=${() => change((now) => hold(now))}>${t("Hold")}</${Button}>
    <${Button} isOff=${draft.pegs.every((peg) => peg === null)} onClick=${() => change(clear)}>${t("Clear")}</${Button}>
    <${Button} class="main submit" isOff=${busy} onClick=${submit}>${t("Submit")}</${Button}></div>`;
}

/** Asks for the word by which a secret was sealed. */
function Word({ onWord }) {
  const [word, setWord] = useState("");
  const open = (event) => {
    event.preventDefault();
    if (word.trim()) onWord(word);
  };
  return html`<form class="row" onSubmit=${open}><input aria-label=${t("The word")} autocomplete="off"
    autocapitalize="off" value=${word} onInput=${(event) => setWord(event.currentTarget.value)} />
    <button type="submit">${t("Open the secret")}</button></form>`;
}

/** Why the row was not taken. */
export function Refused({ refusal, game, onWord }) {
  const rows = refusal.clues?.map(({ says }) => says).filter(Boolean) ?? [];
  return html`<p class=${refusal.kind === "moved" ? "warn" : "bad"}>${refusal.says}</p>
    ${rows.filter((says) => !refusal.says.includes(says)).map((says) => html`<p key=${says}>${says}</p>`)}
    ${refusal.kind === "word" && html`<${Word} onWord=${onWord} />`}
    ${refusal.kind === "token"
      && html`<p><a href=${`#/assist/g/${toLink(linked(game))}`}>${t("Go on with these rows in Assist")}</a></p>`}`;
}

/** Gives up, once that is confirmed. */
export const GiveUp = ({ session }) => html`<${Confirmed} label=${t("Give up")}
  question=${t("Give up and see the secret?")} yes=${t("Yes, show it")} no=${t("Go on playing")} isOff=${session.busy}
  onYes=${session.giveUp} />`;
