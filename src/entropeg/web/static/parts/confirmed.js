// A button that asks once more before it does what cannot be taken back.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { Button } from "./button.js";

/**
 * `question` is asked once the button is pressed: `yes` calls `onYes`, unless it `isOff`; `no`, which has the focus,
 * goes back.
 */
export function Confirmed({ label, question, yes, no, onYes, isOff = false, ...rest }) {
  const [isAsking, setAsking] = useState(false);
  const safe = useRef(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking || wasAsking.current) safe.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  const answered = (does) => () => {
    setAsking(false);
    does?.();
  };
  if (!isAsking)
    return html`<button ...${rest} type="button" ref=${safe} onClick=${() => setAsking(true)}>${label}</button>`;
  return html`<div class="row" role="group" aria-label=${label}><span>${question}</span>
    <${Button} key="yes" isOff=${isOff} onClick=${answered(onYes)}>${yes}</${Button}>
    <button key="no" type="button" class="quiet" ref=${safe} onClick=${answered(null)}>${no}</button></div>`;
}
