// The screen Explore: a position, what each guess there is worth, and what each answer to one leaves. Its address is
// the position.

import { html, useEffect, useState } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { HowTo } from "../parts/how.js";
import { useShell } from "../shell.js";
import { language, nameBy, t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { boardInWords } from "../sharing.js";
import { RulesForm } from "../parts/rulesform.js";
import { Answers } from "../explore/answers.js";
import { explorerAt, positionOf } from "../explore/address.js";
import { Known } from "../explore/known.js";
import { Moves } from "../explore/moves.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

const SECONDS = 2;
/** Classes of guesses that are asked for. */
const MOST = 400;

export default function Explore({ address }) {
  const { settings, about, go } = useShell();
  const position = positionOf(address, settings.rules);
  nameBy(position.rules);
  const [facts, askFacts] = useAsk();
  const spoken = language();
  useEffect(() => { askFacts(() => rulesOf(position.rules).then((rules) => ({ for: position.rules, rules }))); },
    [askFacts, position.rules, spoken]);
  const rules = facts.data?.for === position.rules ? facts.data.rules : null;
  // A board may have a name in the address: the form tells its text, which is no other board.
  const choose = ({ text }) => rulesOf(position.rules).then((now) => now.text, () => null)
    .then((now) => { if (now !== text) go(explorerAt(text, [])); });
  return html`<div class="screen wide explore-screen"><div class="screen-head"><h1>${t("Explore")}</h1>
      <p class="sub">${t("Every guess with what it is worth, and what each answer to it leaves.")}</p>
        <${HowTo} screen="explore" rules=${rules} /></div>
    ${facts.error && html`<div class="explore-wide"><${Refusal} error=${facts.error} /></div>`}
    ${rules && html`<${Position} key=${rules.text} rules=${rules} position=${position}
      isFast=${about?.kernels.state === "ready"} />`}
    <details class="card explore-wide">
      <summary>${t("Board: {rules}", { rules: boardInWords(position.rules) })}</summary>
      <${RulesForm} value=${position.rules} about=${about} onRules=${choose} /></details></div>`;
}

/**
 * What the laboratory knows of the position, asked again once it is fast; what stood there before stays until that
 * comes.
 */
function Position({ rules, position, isFast }) {
  const { turns, guess } = position;
  const [state, ask] = useAsk();
  const [round, setRound] = useState(0);
  const place = JSON.stringify([turns, guess]);
  useWhen(() => {
    ask(async (options) =>
      ({ place, found: await post("explore", { rules: rules.text, turns, guess, limit: MOST, seconds: SECONDS },
        options) }));
  }, [place, round, isFast, language()]);
  /** @type {Api["Exploration"]} */
  const found = state.data?.found;
  const isNow = state.data?.place === place;
  return html`<div class=${`explore-grid${isNow ? "" : " earlier"}`} aria-busy=${state.busy ? "true" : "false"}>
    <${Known} rules=${rules} position=${position} found=${isNow ? found : null} error=${state.error}>
      ${state.busy && html`<${Busy} says=${t("Looking at all guesses")} seconds=${SECONDS} />`}
      ${state.error && state.error.field !== "guess" && html`<${Refusal} error=${state.error} />
        ${state.error.isOffline
          && html`<p><button type="button" onClick=${() => setRound((count) => count + 1)}>${t("Try again")}</button>
            </p>`}`}</${Known}>
    ${found && !state.error && found.chosen && html`<${Moves} rules=${rules} turns=${turns} found=${found} />
      <${Answers} rules=${rules} turns=${turns} found=${found} />`}</div>`;
}
