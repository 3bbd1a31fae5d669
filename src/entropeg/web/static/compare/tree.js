// Walks through a strategy: the guess of one position, and what each answer leads to; a level is asked for when it is
// opened.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { get, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { number, t, tn } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Table } from "../parts/charts.js";
import { Field, Refusal } from "../parts/field.js";
import { Marks, feedbackOf, marksInWords, turnOf } from "../parts/marks.js";
import { Code } from "../parts/pegs.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

const addressOf = (name, path) => `#/compare/tree/${encodeURIComponent(name)}${path.length > 0
  ? `?path=${path.map(encodeURIComponent).join(",")}` : ""}`;

/** Seconds for the guesses that follow: those that are found soon are shown at once, and the others asked for then. */
const [SOON, LONG] = [0.5, 10];

const isUnknown = (child) => !child.guess && !child.win;

/**
 * One position of a strategy; `name` is that of a tree or `codebreaker@rules`, `path` the answers so far as a list of
 * texts.
 */
export function TreeView({ name, path }) {
  const [state, ask, cancel] = useAsk();
  const [rules, setRules] = useState(null);
  const head = useRef(null);
  const isFirst = useRef(true);
  useWhen(() => {
    const asked = (seconds) => ask((options) => get(`trees/${encodeURIComponent(name)}/nodes`,
      { path: path.join(","), seconds }, options));
    asked(SOON).then(async (found) => {
      if (!found) return;
      const { node } = found;
      if (node.children.some(isUnknown)) asked(LONG);
      try { setRules(await rulesOf(node.rules)); } catch { /* the next node tries again */ }
      if (!isFirst.current) head.current?.focus();
      isFirst.current = false;
      say(inWords(node));
    });
  }, [name, path.join(",")]);
  const node = state.data?.node;
  return html`<article class="card"><div class="row spread"><h2 ref=${head} tabindex="-1">${name}</h2>
      ${state.busy && html`<span class="row"><span class="busy">${t("Working it out…")}</span>
        <button class="tiny" onClick=${cancel}>${t("Cancel")}</button></span>`}</div>
    <${Refusal} error=${state.error} />
    ${node && rules && html`<${Crumbs} name=${name} node=${node} rules=${rules} />
      <div class="node" aria-busy=${state.busy}>
        <p class="row"><span>${t("Guess {n}", { n: node.depth + 1 })}</span>
          <span class="code large"><${Code} text=${node.guess} rules=${rules} /></span></p>
        <p class="muted number">${inWords(node)}</p>
        ${node.children.length > 0 && html`<${Children} name=${name} path=${path} node=${node} rules=${rules}
          isBusy=${state.busy} />`}</div>`}</article>`;
}

/** @param {Api["NodeView"]} node */
function inWords(node) {
  const left = tn("{n} code left", "{n} codes left", node.left);
  const mean = node.expected ? t("{n} more guesses expected", { n: number(node.expected, 4) }) : "";
  return [left, mean].filter(Boolean).join(", ");
}

/** @param {{name: string, node: Api["NodeView"], rules: Api["RulesShown"]}} props */
function Crumbs({ name, node, rules }) {
  const crumbs = node.path.map((turn) => turnOf(turn, rules));
  return html`<nav aria-label=${t("Way to this position")}>
    <ol class="crumbs"><li><a href=${addressOf(name, [])}>${t("The start")}</a></li>
    ${crumbs.map((step, index) => html`<li key=${index}><${Code} text=${step.guess} rules=${rules} />
      <a href=${addressOf(name, crumbs.slice(0, index + 1).map(({ marks }) => marks))}
        aria-current=${index === crumbs.length - 1 ? "location" : undefined}><${Marks} feedback=${step.feedback} /></a>
          </li>`)}</ol></nav>`;
}

/** @param {{name: string, path: string[], node: Api["NodeView"], rules: Api["RulesShown"], isBusy: boolean}} props */
function Children({ name, path, node, rules, isBusy }) {
  const most = Math.max(...node.children.map((child) => child.size), 1);
  const heads = [t("Answer"), [t("Codes left"), "num"], html`<span class="unseen">${t("Share")}</span>`,
    t("Next guess")];
  return html`<${Table} label=${t("Answers, and what the strategy plays then")} kind="data tree-children"
    heads=${heads}>
    ${node.children.map((child) => html`<tr key=${child.feedback}>
      <th scope="row"><${Answer} child=${child} address=${addressOf(name, [...path, child.feedback])}
        rules=${rules} /></th>
      <td class="num">${child.win ? t("found") : number(child.size)}</td>
      <td class="share"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width=${100 * child.size / most} height="10" /></svg></td>
      <td>${child.guess ? html`<${Code} text=${child.guess} rules=${rules} />`
      : isUnknown(child)
      && html`<span class="muted small">${isBusy ? "…" : t("worked out when the answer is opened")}</span>`}
        </td></tr>`)}
        </${Table}>`;
}

/** @param {{child: Api["Branch"], address: string, rules: Api["RulesShown"]}} props */
function Answer({ child, address, rules }) {
  const feedback = feedbackOf(child.feedback, rules);
  const drawn = html`<${Marks} feedback=${feedback} />`;
  return child.win ? drawn
    : html`<a href=${address} aria-label=${t("{marks}: go there", { marks: marksInWords(feedback) })}>${drawn}</a>`;
}

/** The strategies that can be looked at, and a field for any codebreaker on any board. */
export function TreeList({ go }) {
  const [state, ask] = useAsk();
  const [codebreaker, setCodebreaker] = useState("entropy");
  const [rules, setRules] = useState("5x8");
  useEffect(() => { ask((options) => get("trees", {}, options)); }, [ask]);
  const trees = state.data?.trees ?? [];
  const open = (event) => {
    event.preventDefault();
    if (codebreaker.trim() && rules.trim()) go(addressOf(`${codebreaker.trim()}@${rules.trim()}`, []));
  };
  return html`<form class="card" onSubmit=${open}><h2>${t("Walk through a strategy")}</h2>
      <p class="muted">
        ${t("What a codebreaker plays after every answer, worked out level by level as you go: on 5x8 as well.")}</p>
      <div class="pair">
        <${Field} label=${t("Codebreaker")}><input list="tree-players" value=${codebreaker} spellcheck="false"
          autocapitalize="off" onInput=${(event) => setCodebreaker(event.currentTarget.value)} /></${Field}>
        <${Field} label=${t("Rules as text")}><input class="mono" value=${rules} spellcheck="false" autocapitalize="off"
          onInput=${(event) => setRules(event.currentTarget.value)} /></${Field}></div>
      <datalist id="tree-players">
        ${(state.data?.virtual.codebreakers ?? []).map((name) => html`<option key=${name} value=${name} />`)}</datalist>
      <div><button class="main" type="submit">${t("Open")}</button></div></form>
    <section class="card"><h2>${t("Strategies kept here")}</h2><${Refusal} error=${state.error} />
      ${state.busy && !state.data && html`<span class="busy">${t("Asking…")}</span>`}
      ${state.data && trees.length === 0
        && html`<p class="muted">
          ${t("None yet: a proof leaves its strategy here, and so does a tree file in the data folder.")}</p>`}
      <ul class="links">
        ${trees.map((tree) =>
          html`<li key=${tree.name}><a href=${addressOf(tree.name, [])}>${tree.name}</a> <span
            class="muted small number">${t("{size} KB", { size: number(Math.ceil(tree.bytes / 1024)) })}</span></li>`)}
              </ul></section>`;
}
