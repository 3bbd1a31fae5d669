// Gives help step by step: each step has a name, says a little more than the one before, and is counted.

import { html, useRef, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { codeText, readCode } from "../codes.js";
import { Button } from "../parts/button.js";
import { Refusal } from "../parts/field.js";
import { Code } from "../parts/pegs.js";
import { t, tn } from "../texts.js";
import { useAsk } from "../parts/ask.js";

const nameOf = (kind) => ({
  left: t("Codes left"), contradiction: t("A clue that the row forgets"), pegs: t("Which pegs"),
    kind: t("What kind of guess"),
  shape: t("Its shape"), guess: t("A good guess"), why: t("Why"),
})[kind] ?? kind;

/** The steps of help for a game and the row that is made: {steps, next(), upcoming, busy, error, cancel}. */
export function useLadder(session) {
  const { game, rules, draft, send } = session;
  const [state, ask, cancel] = useAsk();
  const [shown, setShown] = useState({ turns: -1, guess: null, count: 0, steps: [], further: [] });
  const latest = useRef(shown);
  const isFresh = shown.turns === game?.turns.length;
  const guess = rules && draft?.pegs.some((peg) => peg !== null) ? codeText(draft.pegs, rules) : null;
  const show = (now) => {
    latest.current = now;
    setShown(now);
    const step = now.steps[now.count - 1];
    if (step) {
      send({ type: "hinted", kind: step.kind });
      say(`${nameOf(step.kind)}: ${step.says}`);
    }
  };
  const next = async () => {
    if (state.busy) return undefined;
    const turns = game.turns.length;
    const before = latest.current;
    const isSame = before.turns === turns && before.guess === guess;
    if (isSame && before.count < before.steps.length) return show({ ...before, count: before.count + 1 });
    // Another row: what was opened before stays open, and one step more.
    const known = new Set(before.turns === turns ? before.steps.slice(0, before.count).map(({ kind }) => kind)
      : game.hinted[String(turns)] ?? []);
    const isNew = ({ kind }) => !known.has(kind);
    const asked = (best) =>
      ask((options) => post("hints", { rules: game.rules, turns: game.turns, best, ...(guess !== null && { guess }) },
        options));
    // The best guess takes longest: it is asked for when its first step is.
    let data = isSame ? before : await asked(false);
    if (data && data.further.length > 0 && !data.steps.some(isNew)) data = await asked(true);
    if (!data) return undefined;
    const first = data.steps.findIndex(isNew);
    return show({ turns, guess, steps: data.steps, further: data.further, count: first < 0 ? data.steps.length
      : first + 1 });
  };
  const steps = isFresh ? shown.steps.slice(0, shown.count) : [];
  const isOfRow = isFresh && shown.guess === guess;
  const upcoming = isOfRow ? shown.steps[shown.count]?.kind ?? shown.further[0] ?? null : undefined;
  return { steps, upcoming, next, cancel, busy: state.busy, error: state.error };
}

/** The ladder as it stands in the panel. */
export function Ladder({ ladder, session, used }) {
  const { steps, upcoming, next, busy, error, cancel } = ladder;
  const { rules, use } = session;
  return html`<section class="card" aria-labelledby="help-head">
    <div class="row spread"><h2 id="help-head">${t("Help, step by step")}</h2>
      ${used > 0 && html`<span class="muted small">${tn("{n} step used", "{n} steps used", used)}</span>`}</div>
    ${steps.length > 0
      && html`<ol class="steps">${steps.map((step) => html`<li key=${step.kind}><strong>${nameOf(step.kind)}</strong>
      <p>${step.says}</p>
      ${step.kind === "guess" && step.code && html`<div class="row"><${Code} text=${step.code} rules=${rules} />
        <button type="button" onClick=${() => use(readCode(step.code, rules))}>${t("Put it into the row")}</button>
          </div>`}</li>`)}</ol>`}
    <${Refusal} error=${error} />
    <div class="row">
      <${Button} onClick=${next} isOff=${busy || upcoming === null}>
        ${upcoming === null ? t("That is all the help there is") : upcoming ? t("Next step: {name}",
          { name: nameOf(upcoming) }) : steps.length > 0 ? t("Next step") : t("First step: codes left")}</${Button}>
      ${busy && html`<span class="busy">${t("Thinking")}</span><button type="button" class="quiet" onClick=${cancel}>
        ${t("Stop")}</button>`}
    </div></section>`;
}
