// Stands beside and under the row that is made: submit, wait, undo, hold, give up.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { Button } from "../parts/button.js";
import { clear, hold, isFull, undo } from "../parts/draft.js";
import { toLink } from "../link.js";
import { linked } from "../games.js";
import { t } from "../texts.js";

/** Submits from within the row, or says that the answer is awaited. These buttons go when they are pressed: the focus goes to the row. */
export function Row({ session }) {
  const isLong = useLong(session.busy, 1000);
  const thenRow = (does) => (event) => {
    event.currentTarget.closest("tr").querySelector(".hole-button.cursor")?.focus({ preventScroll: true });
    does();
  };
  if (session.busy) return isLong ? html`<button type="button" class="tiny" onClick=${thenRow(session.cancel)}>${t("Stop")}</button>` : html`<span class="busy"><span class="unseen">${t("Asking")}</span></span>`;
  return isFull(session.draft) ? html`<button type="button" class="tiny ready" title=${t("Submit")} aria-label=${t("Submit this row")} onClick=${thenRow(session.submit)}>✓</button>` : null;
}

function useLong(isOn, milliseconds) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isOn) {
      setLong(false);
      return undefined;
    }
    const waiting = setTimeout(() => setLong(true), milliseconds);
    return () => clearTimeout(waiting);
  }, [isOn]);
  return isLong;
}

/** What is done with the row that is made: buttons under the palette. */
export function Actions({ session }) {
  const { draft, change, busy, submit } = session;
  return html`<div class="actions">
    <${Button} class="quiet" isOff=${draft.past.length === 0} onClick=${() => change(undo)}>${t("Undo")}</${Button}>
    <${Button} class="quiet" aria-pressed=${draft.held[draft.cursor] ? "true" : "false"} isOff=${draft.pegs[draft.cursor] === null} onClick=${() => change((now) => hold(now))}>${t("Hold")}</${Button}>
    <button type="button" class="quiet" onClick=${() => change(clear)}>${t("Clear")}</button>
    <${Button} class="main submit" isOff=${busy} onClick=${submit}>${t("Submit")}</${Button}></div>`;
}

/** Why the row was not taken. */
export function Refused({ refusal, game }) {
  const rows = refusal.clues?.map(({ says }) => says).filter(Boolean) ?? [];
  return html`<p class=${refusal.kind === "moved" ? "warn" : "bad"}>${refusal.says}</p>
    ${rows.filter((says) => !refusal.says.includes(says)).map((says) => html`<p key=${says}>${says}</p>`)}
    ${refusal.kind === "token" && html`<p><a href=${`#/assist/g/${toLink(linked(game))}`}>${t("Go on with these rows in Assist")}</a></p>`}`;
}

/** Gives up, once that is confirmed. */
export function GiveUp({ session }) {
  const [isAsking, setAsking] = useState(false);
  const first = useRef(null);
  const back = useRef(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) first.current?.focus();
    else if (wasAsking.current) back.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) return html`<div class="row"><button type="button" ref=${back} onClick=${() => setAsking(true)}>${t("Give up")}</button></div>`;
  return html`<div class="row" role="group" aria-label=${t("Give up")}><span>${t("Give up and see the secret?")}</span>
    <button type="button" ref=${first} aria-disabled=${session.busy ? "true" : undefined} onClick=${() => { if (!session.busy) session.giveUp(); }}>${t("Yes, show it")}</button>
    <button type="button" class="quiet" onClick=${() => setAsking(false)}>${t("Go on playing")}</button></div>`;
}
