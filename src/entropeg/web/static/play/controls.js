// Stands beside the row that is made: submit, wait, give up.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isFull } from "../parts/draft.js";
import { toLink } from "../link.js";
import { linked } from "../games.js";
import { t } from "../texts.js";

/** Submits from within the row, or says that the answer is awaited. */
export function Row({ session }) {
  const isLong = useLong(session.busy, 1000);
  if (session.busy) return isLong ? html`<button type="button" class="tiny" onClick=${session.cancel}>${t("Stop")}</button>` : html`<span class="busy"><span class="unseen">${t("Asking")}</span></span>`;
  return isFull(session.draft) ? html`<button type="button" class="tiny ready" title=${t("Submit")} aria-label=${t("Submit this row")} onClick=${session.submit}>✓</button>` : null;
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
    <button type="button" ref=${first} disabled=${session.busy} onClick=${session.giveUp}>${t("Yes, show it")}</button>
    <button type="button" class="quiet" onClick=${() => setAsking(false)}>${t("Go on playing")}</button></div>`;
}
