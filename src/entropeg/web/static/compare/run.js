// Shows one long run: how far it has come, live, and what came of it.

import { html, useRef, useState } from "../vendor/ui.js";
import { get, listen, post, remove } from "../api.js";
import { say } from "../announce.js";
import { language, number, t, tn } from "../texts.js";
import { useFollowed } from "../parts/ask.js";
import { Confirmed } from "../parts/confirmed.js";
import { Bars, Curve, Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";
import { boardInWords, saved } from "../sharing.js";
import { useShell } from "../shell.js";
import { useWhen } from "../parts/when.js";

/** Whether a run still has something to do. */
export const isOpen = (run) => ["waiting", "running", "interrupted"].includes(run.state);

/** A run by its number, kept up to date by the events of the server: [run, error, reload]. */
function useRun(id) {
  const path = `runs/${encodeURIComponent(id)}`;
  const [run, setRun] = useState(null);
  const [round, setRound] = useState(0);
  const reload = () => setRound((now) => now + 1);
  const { data, error } = useFollowed((options) => get(path, {}, options), (problem) => problem?.isOffline && 3000,
    [id, round, language()]);
  useWhen(() => {
    setRun(data);
    if (data === null || !isOpen(data)) return undefined;
    let waiting = 0;
    const stop = listen(`${path}/events?language=${language()}`, {
      progress: setRun,
      done: (last) => { stop(); setRun(last); say(stateInWords(last)); },
      error: () => { stop(); waiting = setTimeout(reload, 2000); },
    });
    return () => { clearTimeout(waiting); stop(); };
  }, [data]);
  return [run, error, reload];
}

/** What state a run is in. */
export function stateInWords(run) {
  return {
    waiting: t("waiting for others to end"), running: t("running"), done: t("done"),
      cancelled: t("cancelled; what was done is kept"),
    failed: t("failed"), interrupted: t("stopped with the laboratory; it goes on"),
  }[run.state] ?? run.state;
}

/** A run in a line: what was asked. */
export function asked(run) {
  const { request } = run;
  const rules = /^table:/.test(request.rules) ? boardInWords(request.rules) : request.rules;
  if (run.kind === "proof")
    return request.worst ? t("Least worst case of {rules}", { rules }) : t("Optimum of {rules}", { rules });
  const players = `${(request.codebreakers ?? []).join(", ")} – ${(request.codemakers ?? []).join(", ")}`;
  return t("{players} on {rules}", { players, rules });
}

/**
 * The whole of a run. `onState` is called when its state changes, `onGone` when it was removed; `isNew`: it was just
 * asked for.
 */
export function RunView({ id, isNew, onState, onGone, onStarted }) {
  const { about } = useShell();
  const [run, error, reload] = useRun(id);
  const [refused, setRefused] = useState(null);
  const head = useRef(null);
  useWhen(() => { if (run) onState(); }, [run?.state]);
  const isThere = run !== null;
  // The button that was pressed is gone: who pressed it goes on from the name of the run.
  useWhen(() => { if (isThere && isNew) head.current.focus(); }, [isThere]);
  const act = (function_, after) => async () => {
    setRefused(null);
    try {
      await function_();
      head.current?.focus();
      after();
    } catch (problem) {
      setRefused(problem);
    }
  };
  if (error && !run) return html`<div class="card"><${Refusal} error=${error} /></div>`;
  if (!run) return html`<div class="card"><span class="busy">${t("Asking…")}</span></div>`;
  const { progress = {} } = run;
  const path = `runs/${encodeURIComponent(id)}`;
  return html`<article class="card" aria-labelledby="run-name">
    <div class="row spread"><h2 id="run-name" tabindex="-1" ref=${head}>${asked(run)}</h2>
      <span class=${`state ${run.state}`}>${stateInWords(run)}</span></div>
    ${error && html`<${Refusal} error=${error} />`}
    ${isOpen(run)
      && html`<div class="stack">
        <progress max=${progress.total ?? undefined} value=${progress.total ? progress.done : undefined}
          aria-label=${t("Progress")}></progress>
      <p class="small muted number">${progress.says ?? ""}</p></div>`}
    ${run.state === "waiting" && about
      && html`<p class="note">${tn("{n} run is played at a time here: this one begins when another ends.",
        "{n} runs are played at a time here: this one begins when one of them ends.", about.limits.runs)}</p>`}
    ${run.error && html`<p class="note bad">${run.error}</p>`}
    ${run.kind === "arena" ? html`<${Arena} run=${run} />` : html`<${Proof} run=${run} />`}
    <${Refusal} error=${refused} />
    <div class="row no-print">
      ${isOpen(run) && html`<button onClick=${act(() => remove(path), reload)}>${t("Cancel")}</button>`}
      ${run.can_resume && html`<button onClick=${act(() => post(`${path}/resume`, {}), reload)}>${t("Go on")}</button>`}
      ${run.kind === "arena" && run.state === "done" && !run.request.all_secrets && !run.store
        && html`<button onClick=${act(async () => onStarted(await post("runs", anew(run))), () => {})}>
          ${t("Again with another seed")}</button>`}
      ${run.result?.runs && html`<button onClick=${() => saved(csvOf(run), `${run.id}.csv`, "text/csv")}>
        ${t("Save as CSV")}</button>`}
      ${run.result?.tree && html`<a class="button" href=${`#/compare/tree/${encodeURIComponent(run.result.tree)}`}>
        ${t("Look at the strategy")}</a>`}
      ${!isOpen(run) && html`<${Confirmed} class="quiet" label=${t("Remove this run")}
        yes=${t("Yes, delete them")} no=${t("Keep them")}
        question=${run.result?.tree ? t("Its results and its strategy are deleted with it.")
          : t("Its results are deleted with it.")}
        onYes=${act(() => remove(path, { forget: true }), onGone)} />`}
      <span class="small muted number">${tn("{n} second of work", "{n} seconds of work", Math.round(run.seconds ?? 0))}
        </span></div></article>`;
}

/** What is asked for again, its secrets drawn anew. */
const anew = ({ kind, request }) => ({ kind, ...request, seed: (request.seed + 1) % Number.MAX_SAFE_INTEGER });

/** The games of a run by number of guesses, for other programs; lost ones have none. */
export function csvOf({ request, result }) {
  const lines = result.runs.flatMap((row) => [...countsOf(row), ...(row.lost > 0 ? [["", row.lost]] : [])]
    .map((counts) => [request.rules, row.codebreaker, row.codemaker,
      String(request.seed)].map((text) => JSON.stringify(text)).concat(counts.map(String)).join(",")));
  return `${["rules,codebreaker,codemaker,seed,guesses,games", ...lines].join("\n")}\n`;
}

function rowsOf(run) {
  if (run.result?.runs) return run.result.runs.map((row) => ({ ...row, done: row.count, total: run.result.planned }));
  return run.progress?.rows ?? [];
}

function Arena({ run }) {
  const rows = rowsOf(run);
  if (rows.length === 0) return null;
  const isFinal = Boolean(run.result?.runs);
  const hasAdjusted = rows.some((row) => row.adjusted);
  const means = rows.flatMap((row) => [row, ...(row.adjusted ? [row.adjusted] : [])]);
  const isMixed = means.some(({ exact }) => exact) && !means.every(({ exact }) => exact);
  const numbers = [t("Mean"), ...(hasAdjusted ? [t("Without luck")] : []), t("Worst"), t("Lost"), t("Games")];
  return html`${(run.result?.differences ?? [])
    .map((difference) => html`<${Difference} key=${`${difference.other} ${difference.codemaker}`}
      difference=${difference} />`)}
    <${Table} label=${t("Results")}
      heads=${[t("Codebreaker"), t("Codemaker"), ...numbers.map((head) => [head, "num"])]}>
    ${rows.map((row) => html`<tr key=${`${row.codebreaker} ${row.codemaker}`}>
      <th scope="row">${row.codebreaker}</th><td>${row.codemaker}</td>
      <td class="num">${meanInWords(row, isMixed)}</td>
      ${hasAdjusted && html`<td class="num">${row.adjusted ? meanInWords(row.adjusted, isMixed) : "–"}</td>`}
      <td class="num">${row.worst ?? worstOf(row) ?? "–"}</td><td class="num">${number(row.lost ?? 0)}</td>
      <td class="num">${row.done < row.total ? t("{done} of {total}", { done: row.done, total: row.total })
        : number(row.done)}</td></tr>`)}
    </${Table}>
    ${isFinal
      && html`<p class="small muted">
        ${means.every(({ exact }) => exact) ? t("Means are of the games won, and exact.")
    : t("Means are of the games won, with the interval that holds in 95 of 100 arenas.")}
        ${isMixed && html` ${t("Those with = are exact.")}`}</p>`}
    ${isFinal && rows.length === 2 ? html`<${Overlay} rows=${rows} />` : html`<${Histograms} rows=${rows} />`}`;
}

/** A mean as it is known: with the error that it has in 95 of 100 arenas, or exactly, with a sign where `isMixed`. */
function meanInWords({ mean = null, exact = false, interval = null,
  error = interval && (interval[1] - interval[0]) / 2 }, isMixed) {
  if (mean === null) return "–";
  if (exact) return `${isMixed ? "= " : ""}${number(mean, 4)}`;
  return error === null ? number(mean, 4) : `${number(mean, 4)} ± ${number(error, 4)}`;
}

const countsOf = (row) => Object.entries(row.histogram ?? {}).map(([guesses, games]) => [Number(guesses), games])
  .filter(([, games]) => games > 0).sort((one, other) => one[0] - other[0]);
const worstOf = (row) => countsOf(row).at(-1)?.[0];

const MOST_LINES = 41;

/** What one codebreaker needs more than another on the same secrets, with its interval about zero. */
/** @param {{difference: any}} props */
function Difference({ difference }) {
  const { codebreaker, other, codemaker, games, mean, error, histogram } = difference;
  if (mean === null)
    return html`<p class="muted">
      ${t("{one} and {other} have won no game both: nothing can be compared.", { one: codebreaker, other })}</p>`;
  const [fewer, more] = mean <= 0 ? [codebreaker, other] : [other, codebreaker];
  const size = number(Math.abs(mean), 3);
  const spread = error === null ? size : `${size} ± ${number(error, 3)}`;
  const isSure = error === null ? mean !== 0 : Math.abs(mean) > error;
  const count = (holds) => Object.entries(histogram)
    .reduce((sum, [guesses, found]) => (holds(Number(guesses)) ? sum + found : sum), 0);
  const names = { one: codebreaker, other };
  return html`<section class="stack difference">
    <h3>${t("{one} and {other} on the same secrets ({codemaker})", { ...names, codemaker })}</h3>
    <p><strong>${isSure ? t("{fewer} needs {spread} guesses fewer than {more}.", { fewer, more, spread })
      : error === null ? t("Both need as many guesses.")
    : t("No difference can be told: {spread} guesses, which may be chance.", { spread })}</strong>
      <span class="muted small"> ${tn("{n} game that both have won", "{n} games that both have won", games)}
        ${error === null ? "" : `; ${t("the interval holds in 95 of 100 arenas")}`}</span></p>
    <${Reach} mean=${mean} error=${error ?? 0} one=${codebreaker} other=${other} />
    <p class="small">${t("{one} was faster in {fewer} games, {other} in {more}, and {same} took both as long.", {
    ...names, fewer: number(count((guesses) => guesses < 0)), more: number(count((guesses) => guesses > 0)),
      same: number(count((guesses) => guesses === 0)) })}</p></section>`;
}

/** A difference as a point with its interval, zero in the middle; the sentence above says the same. */
function Reach({ mean, error, one, other }) {
  const far = Math.max(Math.abs(mean) + error, 0.05) * 1.15;
  const x = (value) => 240 + 220 * value / far;
  return html`<svg class="overlay" viewBox="0 0 480 64" aria-hidden="true">
    <path class="axis" d="M20 34H460" /><path class="zero" d="M240 12V46" />
      <text x="240" y="60" text-anchor="middle">0</text>
    <path class="reach" d=${`M${x(mean - error).toFixed(1)} 34H${x(mean + error).toFixed(1)}`} />
      <circle class="mean" cx=${x(mean).toFixed(1)} cy="34" r="7" />
    <text x="20" y="12">${t("{player} needs fewer", { player: one })}</text>
      <text x="460" y="12" text-anchor="end">${t("{player} needs fewer", { player: other })}</text></svg>`;
}

/** The games of two pairs by number of guesses, one over the other: filled and outlined. */
function Overlay({ rows }) {
  const counts = rows.map((row) => new Map(/** @type {[number, number][]} */ (countsOf(row))));
  const all = counts.flatMap((of) => [...of.keys()]);
  if (all.length === 0) return null;
  const first = Math.min(...all);
  const shown = Math.min(Math.max(...all), first + MOST_LINES - 1) - first + 1;
  const most = Math.max(...counts.flatMap((of) => [...of.values()]));
  const wide = 440 / shown;
  const high = (value) => 150 * value / most;
  const names = rows.map((row) => `${row.codebreaker} – ${row.codemaker}`);
  const lines = Array.from({ length: shown }, (_, index) => first + index);
  const bar = (kind, which, inset) => lines.filter((guesses) => counts[which].has(guesses))
    .map((guesses) => html`<rect key=${`${kind} ${guesses}`} class=${kind} x=${(20 + (guesses - first) * wide + inset)
      .toFixed(1)} width=${Math.max(1, wide - 2 * inset).toFixed(1)}
    y=${(164 - high(counts[which].get(guesses) ?? 0)).toFixed(1)} height=${high(counts[which].get(guesses) ?? 0)
      .toFixed(1)} />`);
  return html`<section class="stack"><h3>${t("Games by number of guesses")}</h3>
    <p class="small row"><span><span class="key"></span>${names[0]}</span>
      <span><span class="key other"></span>${names[1]}</span></p>
    <svg class="overlay" viewBox="0 0 480 184" aria-hidden="true">${bar("one", 0, wide * 0.08)}
      ${bar("other", 1, wide * 0.2)}<path class="axis" d="M20 164H460" />
      ${lines.map((guesses, index) => (shown <= 16 || index % Math.ceil(shown / 12) === 0)
        && html`<text key=${guesses} x=${20 + (index + 0.5) * wide} y="179" text-anchor="middle">${guesses}</text>`)}
          </svg>
    <details><summary class="small">${t("The numbers")}</summary>
      <${Table} label=${t("Games by number of guesses")} heads=${[t("Guesses"), ...names.map((name) => [name, "num"])]}>
      ${lines.map((guesses) => html`<tr key=${guesses}><th scope="row">${guesses}</th>
        ${counts.map((of, which) => html`<td key=${which} class="num">${number(of.get(guesses) ?? 0)}</td>`)}</tr>`)}
          </${Table}></details></section>`;
}

/** The games by number of guesses: one chart a pair, all on the same lines. */
function Histograms({ rows }) {
  const all = rows.flatMap((row) => countsOf(row).map(([guesses]) => guesses));
  if (all.length === 0) return null;
  const first = Math.min(...all);
  const last = Math.min(Math.max(...all), first + MOST_LINES - 1);
  const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const hasMore = all.some((guesses) => guesses > last);
  return html`<div class="histograms">${rows.map((row) => {
    const counts = new Map(/** @type {[number, number][]} */ (countsOf(row)));
    const more = countsOf(row).reduce((sum, [guesses, games]) => (guesses > last ? sum + games : sum), 0);
    const name = `${row.codebreaker} – ${row.codemaker}`;
    return html`<section key=${name} class="stack"><h3>${name}</h3>
      <${Bars} label=${t("Games by guesses: {name}", { name })}
      items=${[...lines.map((guesses) => ({ key: guesses, name: tn("{n} guess", "{n} guesses", guesses),
        value: counts.get(guesses) ?? 0 })),
    ...(hasMore ? [{ key: "more", name: t("more"), value: more }] : [])]} /></section>`;
  })}</div>`;
}

function useHistory(run) {
  const kept = useRef({ id: null, points: [] });
  if (kept.current.id !== run.id) kept.current = { id: run.id, points: [] };
  const { lower, upper } = run.progress ?? {};
  const { points } = kept.current;
  const last = points.at(-1);
  if (lower !== undefined && upper !== undefined && (!last || last.lower !== lower || last.upper !== upper)) {
    points.push({ at: run.seconds ?? 0, lower, upper });
    if (points.length > 240) points.splice(1, points.length - 240);
  }
  return points;
}

function Proof({ run }) {
  const points = useHistory(run);
  const { result } = run;
  const lower = result ? result.lower : run.progress?.lower;
  const upper = result ? result.upper : run.progress?.upper;
  const hasMet = result?.exact ?? (lower !== undefined && lower === upper);
  return html`${lower !== undefined && lower !== null && html`<dl class="facts">
      <div><dt>${hasMet ? t("Total, proved") : t("Proved: at least")}</dt>
        <dd class="number">${hasMet ? "" : "≥ "}${number(lower)}</dd></div>
      ${!hasMet && upper !== null && upper !== undefined
        && html`<div><dt>${t("Best strategy so far")}</dt><dd class="number">≤ ${number(upper)}</dd></div>`}
      ${result?.mean
        && html`<div><dt>${t("Mean")}</dt>
          <dd class="number">${hasMet ? "= " : "≤ "}${number(result.mean, 4)}</dd></div>`}
      ${result?.worst && html`<div><dt>${t("Worst case")}</dt><dd class="number">${result.worst}</dd></div>`}
      ${(result?.opening ?? run.progress?.opening)
        && html`<div><dt>${t("First guess")}</dt>
          <dd class="mono">${result?.opening ?? run.progress.opening}</dd></div>`}
          </dl>`}
    ${points.length > 1 && html`<${Curve} title=${t("Bound and best strategy")}
      axis=${t("total number of guesses over all secrets")}
      over=${t("Time")} labels=${points.map(({ at }) => t("{n} s", { n: Math.round(at) }))}
      from=${Math.min(...points.map((point) => point.lower))}
      series=${[{ name: t("bound"), values: points.map((point) => point.lower) },
        { name: t("best strategy"), values: points.map((point) => point.upper) }]} />`}
    ${result?.histogram && html`<section class="stack"><h3>${t("Secrets by guesses")}</h3>
      <${Bars} label=${t("Secrets by guesses")}
      items=${result.histogram.map((value, index) => ({ key: index, name: tn("{n} guess", "{n} guesses", index + 1),
        value }))} />
    </section>`}
    ${result?.says
      && html`<details><summary>${t("In words")}</summary>
        <pre class="small said">${result.says.join("\n")}</pre></details>`}`;
}
