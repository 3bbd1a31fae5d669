// Shows one long run: how far it has come, live, and what came of it.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { get, listen, post, remove } from "../api.js";
import { say } from "../announce.js";
import { language, number, t, tn } from "../texts.js";
import { useFollowed } from "../parts/ask.js";
import { Confirmed } from "../parts/confirmed.js";
import { Bars, Curve, Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";

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
  useEffect(() => {
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
    waiting: t("waiting for others to end"), running: t("running"), done: t("done"), cancelled: t("cancelled; what was done is kept"),
    failed: t("failed"), interrupted: t("stopped with the laboratory; it goes on"),
  }[run.state] ?? run.state;
}

/** A run in a line: what was asked. */
export function asked(run) {
  const { request } = run;
  if (run.kind === "proof") return request.worst ? t("Least worst case of {rules}", { rules: request.rules }) : t("Optimum of {rules}", { rules: request.rules });
  const players = `${(request.codebreakers ?? []).join(", ")} – ${(request.codemakers ?? []).join(", ")}`;
  return t("{players} on {rules}", { players, rules: request.rules });
}

/** The whole of a run. `onState` is called when its state changes, `onGone` when it was removed; `isNew`: it was just asked for. */
export function RunView({ id, isNew, onState, onGone }) {
  const [run, error, reload] = useRun(id);
  const [refused, setRefused] = useState(null);
  const head = useRef(null);
  useEffect(() => { if (run) onState(); }, [run?.state]);
  const isThere = run !== null;
  // The button that was pressed is gone: who pressed it goes on from the name of the run.
  useEffect(() => { if (isThere && isNew) head.current.focus(); }, [isThere]);
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
    <div class="row spread"><h2 id="run-name" tabindex="-1" ref=${head}>${asked(run)}</h2><span class=${`state ${run.state}`}>${stateInWords(run)}</span></div>
    ${error && html`<${Refusal} error=${error} />`}
    ${isOpen(run) && html`<div class="stack"><progress max=${progress.total ?? undefined} value=${progress.total ? progress.done : undefined} aria-label=${t("Progress")}></progress>
      <p class="small muted number">${progress.says ?? ""}</p></div>`}
    ${run.error && html`<p class="note bad">${run.error}</p>`}
    ${run.kind === "arena" ? html`<${Arena} run=${run} />` : html`<${Proof} run=${run} />`}
    <${Refusal} error=${refused} />
    <div class="row no-print">
      ${isOpen(run) && html`<button onClick=${act(() => remove(path), reload)}>${t("Cancel")}</button>`}
      ${run.can_resume && html`<button onClick=${act(() => post(`${path}/resume`, {}), reload)}>${t("Go on")}</button>`}
      ${run.result?.tree && html`<a class="button" href=${`#/compare/tree/${encodeURIComponent(run.result.tree)}`}>${t("Look at the strategy")}</a>`}
      ${!isOpen(run) && html`<${Confirmed} class="quiet" label=${t("Remove this run")}
        yes=${t("Yes, delete them")} no=${t("Keep them")}
        question=${run.result?.tree ? t("Its results and its strategy are deleted with it.") : t("Its results are deleted with it.")}
        onYes=${act(() => remove(path, { forget: true }), onGone)} />`}
      <span class="small muted number">${tn("{n} second of work", "{n} seconds of work", Math.round(run.seconds ?? 0))}</span></div></article>`;
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
  const numbers = [t("Games"), t("Mean"), ...(hasAdjusted ? [t("Without luck")] : []), t("Worst"), t("Lost")];
  return html`<${Table} label=${t("Results")} heads=${[t("Codebreaker"), t("Codemaker"), ...numbers.map((head) => [head, "num"])]}>
    ${rows.map((row) => html`<tr key=${`${row.codebreaker} ${row.codemaker}`}>
      <th scope="row">${row.codebreaker}</th><td>${row.codemaker}</td>
      <td class="num">${row.done < row.total ? t("{done} of {total}", { done: row.done, total: row.total }) : number(row.done)}</td><td class="num">${meanInWords(row)}</td>
      ${hasAdjusted && html`<td class="num">${row.adjusted ? meanInWords(row.adjusted) : "–"}</td>`}
      <td class="num">${row.worst ?? worstOf(row) ?? "–"}</td><td class="num">${number(row.lost ?? 0)}</td></tr>`)}
    </${Table}>
    ${isFinal && html`<p class="small muted">${t("Means are of the games won, with the interval that holds in 95 of 100 arenas; = is exact.")}</p>`}
    <${Histograms} rows=${rows} />`;
}

/** A mean as it is known: exactly, or with the error that it has in 95 of 100 arenas. */
function meanInWords({ mean = null, exact = false, interval = null, error = interval && (interval[1] - interval[0]) / 2 }) {
  if (mean === null) return "–";
  if (exact) return `= ${number(mean, 4)}`;
  return error === null ? number(mean, 4) : `${number(mean, 4)} ± ${number(error, 4)}`;
}

const countsOf = (row) => Object.entries(row.histogram ?? {}).map(([guesses, games]) => [Number(guesses), games]).filter(([, games]) => games > 0).sort((one, other) => one[0] - other[0]);
const worstOf = (row) => countsOf(row).at(-1)?.[0];

const MOST_LINES = 41;

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
    return html`<section key=${name} class="stack"><h3>${name}</h3><${Bars} label=${t("Games by guesses: {name}", { name })}
      items=${[...lines.map((guesses) => ({ key: guesses, name: tn("{n} guess", "{n} guesses", guesses), value: counts.get(guesses) ?? 0 })),
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
      <div><dt>${hasMet ? t("Total, proved") : t("Proved: at least")}</dt><dd class="number">${hasMet ? "= " : "≥ "}${number(lower)}</dd></div>
      ${!hasMet && upper !== null && upper !== undefined && html`<div><dt>${t("Best strategy so far")}</dt><dd class="number">≤ ${number(upper)}</dd></div>`}
      ${result?.mean && html`<div><dt>${t("Mean")}</dt><dd class="number">${hasMet ? "= " : "≤ "}${number(result.mean, 4)}</dd></div>`}
      ${result?.worst && html`<div><dt>${t("Worst case")}</dt><dd class="number">${result.worst}</dd></div>`}
      ${(result?.opening ?? run.progress?.opening) && html`<div><dt>${t("First guess")}</dt><dd class="mono">${result?.opening ?? run.progress.opening}</dd></div>`}</dl>`}
    ${points.length > 1 && html`<${Curve} title=${t("Bound and best strategy")}
      axis=${t("total number of guesses over all secrets")}
      over=${t("Time")} labels=${points.map(({ at }) => t("{n} s", { n: Math.round(at) }))} from=${Math.min(...points.map((point) => point.lower))}
      series=${[{ name: t("bound"), values: points.map((point) => point.lower) }, { name: t("best strategy"), values: points.map((point) => point.upper) }]} />`}
    ${result?.histogram && html`<section class="stack"><h3>${t("Secrets by guesses")}</h3><${Bars} label=${t("Secrets by guesses")}
      items=${result.histogram.map((value, index) => ({ key: index, name: tn("{n} guess", "{n} guesses", index + 1), value }))} />
    </section>`}
    ${result?.says && html`<details><summary>${t("In words")}</summary><pre class="small said">${result.says.join("\n")}</pre></details>`}`;
}
