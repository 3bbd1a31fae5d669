// Asks for long runs: an arena, or a proof.

import { html } from "../vendor/ui.js";
import { post } from "../api.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Check, Field, Refusal } from "../parts/field.js";
import { RulesForm } from "../parts/rulesform.js";
import { useWishes } from "../parts/wishes.js";
import { Bounds } from "./bounds.js";
import { Players } from "./players.js";

const ARENA = {
  rules: "4x6", codebreakers: ["entropy", "consistent"], codemakers: ["honest"], codebreaker: "", codemaker: "",
  games: "1000", seed: "0", allSecrets: false, adjusted: false,
};
const PROOF = { rules: "3x6", worst: false, seconds: "120" };

/** Shows a refusal at its field where the form has it, else below the form. */
function refusalAt(error, ...fields) {
  if (!error) return {};
  const at = fields.find((name) => String(error.field ?? "").split(".")[0] === name);
  return at ? { [at]: error.message } : { rest: error };
}

/** A name that stands in the field of a list counts as one of the list. */
const withTyped = (chosen, text) => [...new Set([...chosen, text.trim()])].filter((name) => name !== "");

/** The button that sends a form, and what is said while it is sent. */
function Send({ busy, isReady = true }) {
  return html`<div class="row send">
    <${Button} class="main" type="submit" isOff=${busy || !isReady}>${t("Start")}</${Button}>
    ${busy && html`<span class="busy">${t("Starting…")}</span>`}</div>`;
}

/** `about` is what the laboratory says of itself; `onStarted(run)` is called with the new run. */
export function ArenaForm({ about, onStarted }) {
  const [wanted, change] = useWishes("compare/arena", ARENA);
  const [state, ask] = useAsk();
  const codebreakers = withTyped(wanted.codebreakers, wanted.codebreaker);
  const codemakers = withTyped(wanted.codemakers, wanted.codemaker);
  const isReady = codebreakers.length > 0 && codemakers.length > 0;
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy || !isReady) return;
    const { rules, seed, allSecrets, adjusted } = wanted;
    const body = { kind: "arena", rules, codebreakers, codemakers, seed: Number(seed) || 0,
      all_secrets: allSecrets, adjusted };
    if (!allSecrets) body.games = Number(wanted.games) || 0;
    change({ codebreakers, codemakers, codebreaker: "", codemaker: "" });
    const run = await ask((options) => post("runs", body, options));
    if (run) onStarted(run);
  };
  const wrong = refusalAt(state.error, "codebreakers", "codemakers", "games", "seed", "rules", "all_secrets");
  return html`<form class="card" onSubmit=${submit}><h2>${t("Compare two players")}</h2>
    <p class="muted">
      ${t("Both play the same secrets, so that luck falls on both alike. More can be chosen: each plays every codemaker.")}</p>
    <${RulesForm} value=${wanted.rules} about=${about} wrong=${wrong.rules}
      onRules=${(found) => change({ rules: found.text })} onText=${(rules) => change({ rules })} />
    <div class="pair"><${Players} legend=${t("Codebreakers")} chosen=${wanted.codebreakers} text=${wanted.codebreaker}
      known=${about?.codebreakers ?? []} wrong=${wrong.codebreakers}
        onChange=${(names, text) => change({ codebreakers: names, codebreaker: text })} />
      <${Players} legend=${t("Codemakers")} chosen=${wanted.codemakers} text=${wanted.codemaker}
        known=${about?.codemakers ?? []} wrong=${wrong.codemakers}
        onChange=${(names, text) => change({ codemakers: names, codemaker: text })} /></div>
    <div class="pair"><${Field} label=${t("Games of each pair")} wrong=${wrong.games}>
      <input type="number" min="1" max=${about?.limits?.run_games} value=${wanted.games} disabled=${wanted.allSecrets}
        onInput=${(event) => change({ games: event.currentTarget.value })} /></${Field}>
      <${Field} label=${t("Seed")} wrong=${wrong.seed}>
        <input type="number" min="0" value=${wanted.seed}
          onInput=${(event) => change({ seed: event.currentTarget.value })} /></${Field}></div>
    <${Check} label=${t("Every secret once instead")}
      hint=${t("Then means are exact, where no chance is in the players.")} checked=${wanted.allSecrets}
      onChange=${(allSecrets) => change({ allSecrets })} />
    ${wrong.all_secrets && html`<p class="bad small" role="alert">${wrong.all_secrets}</p>`}
    <${Check} label=${t("Tell the means without luck, too")} hint=${t("Fewer games give the same error; takes longer.")}
      checked=${wanted.adjusted} onChange=${(adjusted) => change({ adjusted })} />
    <${Refusal} error=${wrong.rest} /><${Send} busy=${state.busy} isReady=${isReady} /></form>`;
}

/** Asks for the exact search on a board, beside what is known of it without a search. */
export function ProofForm({ about, onStarted }) {
  const [wanted, change] = useWishes("compare/proof", PROOF);
  const [state, ask] = useAsk();
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy) return;
    const { rules, worst, seconds } = wanted;
    const run = await ask((options) => post("runs", { kind: "proof", rules, worst, seconds: Number(seconds) || 0 },
      options));
    if (run) onStarted(run);
  };
  const wrong = refusalAt(state.error, "rules", "seconds", "worst");
  return html`<form class="card" onSubmit=${submit}><h2>${t("Prove what is optimal")}</h2>
      <p class="muted">
        ${t("The exact search finds the strategy that needs the fewest guesses over all secrets, and proves that none needs fewer: a bound from below and the best strategy so far come together until they meet.")}</p>
      <${RulesForm} value=${wanted.rules} about=${about} wrong=${wrong.rules}
        onRules=${(found) => change({ rules: found.text })} onText=${(rules) => change({ rules })} />
      <${Field} label=${t("Seconds at most")} hint=${t("What is known by then is kept, and can be gone on from.")}
        wrong=${wrong.seconds}><input type="number" min="1" max=${about?.limits?.run_seconds} value=${wanted.seconds}
          onInput=${(event) => change({ seconds: event.currentTarget.value })} /></${Field}>
      <${Check} label=${t("The least worst case first")} checked=${wanted.worst}
        onChange=${(worst) => change({ worst })} />
      <${Refusal} error=${wrong.rest ?? (wrong.worst ? state.error : null)} /><${Send} busy=${state.busy} /></form>
    <${Bounds} rules=${wanted.rules} />`;
}
