// Asks for long runs: an arena, or a proof.

import { html, useState } from "../vendor/ui.js";
import { post } from "../api.js";
import { t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Check, Field, Refusal } from "../parts/field.js";
import { RulesForm } from "../parts/rulesform.js";
import { Players } from "./players.js";

/** Shows a refusal at its field where the form has it, else below the form. */
function refusalAt(error, ...fields) {
  if (!error) return {};
  const at = fields.find((name) => String(error.field ?? "").split(".")[0] === name);
  return at ? { [at]: error.message } : { rest: error };
}

/** `about` is what the laboratory says of itself; `onStarted(run)` is called with the new run; `first` fills the form. */
export function ArenaForm({ about, first, onStarted }) {
  const [rules, setRules] = useState(first?.rules ?? "4x6");
  const [codebreakers, setCodebreakers] = useState(first?.codebreakers ?? ["consistent", "entropy", "minimax"]);
  const [codemakers, setCodemakers] = useState(first?.codemakers ?? ["honest"]);
  const [games, setGames] = useState(String(first?.games ?? 1000));
  const [seed, setSeed] = useState(String(first?.seed ?? 0));
  const [allSecrets, setAllSecrets] = useState(first?.all_secrets ?? false);
  const [adjusted, setAdjusted] = useState(first?.adjusted ?? false);
  const [state, ask] = useAsk();
  const submit = async (event) => {
    event.preventDefault();
    const body = { kind: "arena", rules, codebreakers, codemakers, seed: Number(seed) || 0, all_secrets: allSecrets, adjusted };
    if (!allSecrets) body.games = Number(games) || 0;
    const run = await ask((options) => post("runs", body, options));
    if (run) onStarted(run);
  };
  const wrong = refusalAt(state.error, "codebreakers", "codemakers", "games", "seed", "rules", "all_secrets");
  return html`<form class="card" onSubmit=${submit}><h2>${t("Let players meet")}</h2>
    <p class="muted">${t("Every codebreaker plays every codemaker. The same seed gives the same games.")}</p>
    <${RulesForm} value=${rules} about=${about} compact onRules=${(now) => setRules(now.text)} onText=${setRules} />
    ${wrong.rules && html`<p class="bad small" role="alert">${wrong.rules}</p>`}
    <div class="pair"><${Players} legend=${t("Codebreakers")} chosen=${codebreakers} known=${about?.codebreakers ?? []} onChange=${setCodebreakers} wrong=${wrong.codebreakers} />
    <${Players} legend=${t("Codemakers")} chosen=${codemakers} known=${about?.codemakers ?? []} onChange=${setCodemakers} wrong=${wrong.codemakers} /></div>
    <div class="pair"><${Field} label=${t("Games of each pair")} wrong=${wrong.games}><input type="number" min="1" value=${games} disabled=${allSecrets} onInput=${(event) => setGames(event.currentTarget.value)} /></${Field}>
      <${Field} label=${t("Seed")} wrong=${wrong.seed}><input type="number" min="0" value=${seed} onInput=${(event) => setSeed(event.currentTarget.value)} /></${Field}></div>
    <${Check} label=${t("Every secret once instead")} hint=${t("Then means are exact, where no chance is in the players.")} checked=${allSecrets} onChange=${setAllSecrets} />
    ${wrong.all_secrets && html`<p class="bad small" role="alert">${wrong.all_secrets}</p>`}
    <${Check} label=${t("Tell the means without luck, too")} hint=${t("Fewer games give the same error; takes longer.")} checked=${adjusted} onChange=${setAdjusted} />
    <${Refusal} error=${wrong.rest} />
    <div class="row"><button class="main" type="submit" disabled=${state.busy || codebreakers.length === 0 || codemakers.length === 0}>${t("Start")}</button>
      ${state.busy && html`<span class="busy">${t("Starting…")}</span>`}</div></form>`;
}

/** Asks for the exact search on a board. */
export function ProofForm({ about, first, onStarted }) {
  const [rules, setRules] = useState(first?.rules ?? "3x6");
  const [worst, setWorst] = useState(first?.worst ?? false);
  const [seconds, setSeconds] = useState(String(first?.seconds ?? 120));
  const [state, ask] = useAsk();
  const submit = async (event) => {
    event.preventDefault();
    const run = await ask((options) => post("runs", { kind: "proof", rules, worst, seconds: Number(seconds) || 0 }, options));
    if (run) onStarted(run);
  };
  const wrong = refusalAt(state.error, "rules", "seconds", "worst");
  return html`<form class="card" onSubmit=${submit}><h2>${t("Prove what is optimal")}</h2>
    <p class="muted">${t("The exact search finds the strategy that needs the fewest guesses over all secrets, and proves that none needs fewer: a bound from below and the best strategy so far come together until they meet.")}</p>
    <${RulesForm} value=${rules} about=${about} compact onRules=${(now) => setRules(now.text)} onText=${setRules} />
    ${wrong.rules && html`<p class="bad small" role="alert">${wrong.rules}</p>`}
    <${Field} label=${t("Seconds at most")} hint=${t("What is known by then is kept, and can be gone on from.")} wrong=${wrong.seconds}><input type="number" min="1" value=${seconds} onInput=${(event) => setSeconds(event.currentTarget.value)} /></${Field}>
    <${Check} label=${t("The least worst case first")} checked=${worst} onChange=${setWorst} />
    <${Refusal} error=${wrong.rest} />
    <div class="row"><button class="main" type="submit" disabled=${state.busy}>${t("Start")}</button>${state.busy && html`<span class="busy">${t("Starting…")}</span>`}</div></form>`;
}
