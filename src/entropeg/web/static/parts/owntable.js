// Takes a game of one's own, a table of answers from a file or pasted, and lists those that the laboratory keeps.

import { html, useEffect, useState } from "../vendor/ui.js";
import { get, post, remove } from "../api.js";
import { say } from "../announce.js";
import { t } from "../texts.js";
import { useAsk } from "./ask.js";
import { Button } from "./button.js";
import { Field, Refusal } from "./field.js";

/** @import { Api } from "../api.js" */

/** The name of a table from that of its file: without its ending, and with hyphens for what names have not. */
const nameOf = (file) => file.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}_+-]+/gu, "-").slice(0, 60);

/** `onRules(text)` hears the rules of a table that was given or chosen. */
export function OwnTable({ onRules }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${t("A game of your own")}</summary>${isOpen && html`<${Given} onRules=${onRules} />`}</details>`;
}

function Given({ onRules }) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [kept, askKept] = useAsk();
  const [made, ask] = useAsk();
  const wrong = (field) => (made.error?.field === field ? made.error.message : null);
  useEffect(() => { askKept((options) => get("tables", {}, options)); }, [askKept]);
  /** @type {Api["TableShown"][]} */
  const tables = kept.data?.tables ?? [];
  const take = async (event) => {
    const [file] = event.currentTarget.files;
    if (!file) return;
    setText(await file.text());
    setName(nameOf(file.name));
  };
  const keep = async () => {
    const table = await ask((options) => post("tables", { name: name.trim() || "table", text }, options));
    if (!table) return;
    say(t("The table is kept as {name}.", { name: table.name }));
    onRules(table.rules);
    askKept((options) => get("tables", {}, options));
  };
  const forget = async (table) => {
    if (await ask((options) => remove(`tables/${encodeURIComponent(table.name)}`, {}, options)))
      askKept((options) => get("tables", {}, options));
  };
  return html`<div class="stack own-table">
    <p class="small muted">
      ${t("A table of answers: the questions on the first line, then a secret and its answers on each. CSV or JSON.")}</p>
    <${Field} label=${t("File")}><input type="file" accept=".csv,.json,.txt,.tsv" onChange=${take} /></${Field}>
    <${Field} label=${t("The table as text")} wrong=${wrong("text")}>
      <textarea class="mono" rows="5" spellcheck="false" value=${text}
        onInput=${(event) => setText(event.currentTarget.value)}></textarea></${Field}>
    <${Field} label=${t("Name of the table")} wrong=${wrong("name")}>
      <input class="mono" value=${name} autocomplete="off" autocapitalize="off" spellcheck="false"
        onInput=${(event) => setName(event.currentTarget.value)} /></${Field}>
    ${made.error && !["text", "name"].includes(made.error.field) && html`<${Refusal} error=${made.error} />`}
    <div class="row"><${Button} isOff=${made.busy || text.trim() === ""} onClick=${keep}>
      ${t("Keep the table, and play by it")}</${Button}></div>
    ${tables.length > 0 && html`<ul class="plain">${tables.map((table) => html`<li key=${table.name} class="row">
      <button type="button" class="tiny" onClick=${() => onRules(table.rules)}>${table.name}</button>
      <button type="button" class="tiny quiet" aria-label=${t("Remove the table {name}", { name: table.name })}
        onClick=${() => forget(table)}>${t("Remove")}</button></li>`)}</ul>`}</div>`;
}
