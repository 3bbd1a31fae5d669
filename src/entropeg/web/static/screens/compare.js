// Compares players over many games, proves what is optimal, and walks through strategies.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { get } from "../api.js";
import { useShell } from "../shell.js";
import { language, t } from "../texts.js";
import { useFollowed } from "../parts/ask.js";
import { Refusal } from "../parts/field.js";
import { HowTo } from "../parts/how.js";
import { ArenaForm, ProofForm } from "../compare/forms.js";
import { RunView, asked, isOpen, stateInWords } from "../compare/run.js";
import { TreeList, TreeView } from "../compare/tree.js";

const EVERY = 4000; // milliseconds between two looks at the list while something runs

/** The screen; one sentence in its place where no laboratory is behind the page. */
export default function Compare({ address }) {
  const { about } = useShell();
  if (!about?.lacks?.includes("compare")) return html`<${Laboratory} address=${address} />`;
  return html`<div class="screen single"><header class="screen-head"><h1 tabindex="-1">${t("Compare")}</h1>
    <${HowTo} screen="compare" /></header>
    <p class="note info">${t("This needs the laboratory: install entropeg, then “entropeg serve”.")}</p></div>`;
}

/** The routes: `#/compare`, `/prove`, `/trees`, `/tree/NAME?path=`, `/run/ID`. */
function Laboratory({ address }) {
  const { about, go } = useShell();
  const [part = "arena", name] = address.rest;
  const links = [["arena", "#/compare", t("Arena")], ["prove", "#/compare/prove", t("Proof")],
    ["trees", "#/compare/trees", t("Strategies")]];
  const here = part === "tree" ? "trees" : part;
  const [changed, setChanged] = useState(0);
  const moved = () => setChanged((now) => now + 1);
  const head = useRef(null);
  const begun = useRef(null);
  const started = (run) => {
    begun.current = run.id;
    moved();
    go(`#/compare/run/${run.id}`);
  };
  const gone = () => {
    moved();
    go("#/compare");
    head.current.focus();
  };
  const path = (address.query.get("path") ?? "").split(",").filter(Boolean);
  return html`<div class="screen">
    <header class="screen-head"><h1 tabindex="-1" ref=${head}>${t("Compare")}</h1>
      <nav class="row" aria-label=${t("Parts of this screen")}>
      ${links.map(([key, href, text]) =>
        html`<a key=${key} href=${href} aria-current=${key === here ? "page" : undefined}>${text}</a>`)}</nav>
          <${HowTo} screen="compare" /></header>
    <div class="stack sections">
      ${part === "run" && name
        ? html`<${RunView} key=${name} id=${name} isNew=${begun.current === name} onState=${moved} onGone=${gone}
          onStarted=${started} />`
    : part === "prove" ? html`<${ProofForm} about=${about} onStarted=${started} />`
      : part === "tree" && name ? html`<${TreeView} key=${name} name=${name} path=${path} />`
        : part === "trees" ? html`<${TreeList} go=${go} />`
          : html`<${ArenaForm} about=${about} onStarted=${started} />`}</div>
    <aside class="panel"><${Runs} chosen=${part === "run" ? name : null} changed=${changed} /></aside></div>`;
}

/**
 * The list of runs, {data, error}: asked for again while one of them is open, or the laboratory away, and the page is
 * looked at.
 */
function useRuns(chosen, changed) {
  const [isHidden, hide] = useState(document.hidden);
  useEffect(() => {
    const seen = () => hide(document.hidden);
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  return useFollowed((options) => get("runs", {}, options),
    (error, told) => !isHidden && (error || told.runs.some(isOpen)) && EVERY, [chosen, changed, language(), isHidden]);
}

/** The runs of this laboratory, the newest first. */
function Runs({ chosen, changed }) {
  const state = useRuns(chosen, changed);
  const runs = state.data?.runs ?? [];
  return html`<section class="card"><h2>${t("Runs")}</h2><${Refusal} error=${state.error} />
    ${state.data && runs.length === 0
      && html`<p class="muted">${t("None yet. Runs go on when this page is closed, and are found again here.")}</p>`}
    <ul class="links">
      ${runs.map((run) => html`<li key=${run.id} class=${run.id === chosen ? "here" : ""}>
        <a href=${`#/compare/run/${encodeURIComponent(run.id)}`} aria-current=${run.id === chosen ? "true" : undefined}>
          ${asked(run)}</a>
      <div class="small muted">${stateInWords(run)}
        ${run.progress?.total && run.state === "running"
          ? html`, <span class="number">${t("{n} %", { n: Math.floor(100 * run.progress.done / run.progress.total) })}
            </span>` : ""}</div></li>`)}</ul>
    ${(state.data?.unread ?? []).map((line) => html`<p key=${line} class="small warn">${line}</p>`)}</section>`;
}
