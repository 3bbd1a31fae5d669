// The questions and secrets of a table of answers to choose from: a list that is searched, in the place of pegs.

import { html, useState } from "../vendor/ui.js";
import { askedNames } from "../codes.js";
import { t, tn } from "../texts.js";
import { Field } from "./field.js";

const MOST_SHOWN = 200;

/** Names in which each word of a text occurs, those that begin with it first. */
export function foundNames(names, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = names.filter((name) => words.every((word) => name.text.toLowerCase().includes(word)));
  const begins = (name) => name.text.toLowerCase().startsWith(words[0] ?? "");
  return [...found.filter(begins), ...found.filter((name) => !begins(name))];
}

/** `onName(index)` puts a name into the row; Enter in the field takes the first that is found, and goes to the row. */
export function Names({ rules, onName }) {
  const [text, setText] = useState("");
  const { questions, secrets } = askedNames(rules);
  const groups = [[t("Questions"), foundNames(questions, text)], [t("Secrets"), foundNames(secrets, text)]]
    .filter(([, names]) => names.length > 0);
  const pressed = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const first = groups[0]?.[1][0];
    if (!first) return;
    onName(first.index);
    setText("");
    event.currentTarget.closest(".stage, .guesser, .entry")?.querySelector("tr.draft .hole-button")?.focus();
  };
  return html`<div class="palette names" role="group" aria-label=${t("Questions and secrets to choose from")}>
    <${Field} label=${t("Search")}>
      <input type="search" value=${text} autocomplete="off" spellcheck="false" onKeyDown=${pressed}
        onInput=${(event) => setText(event.currentTarget.value)} /></${Field}>
    ${groups.length === 0 && html`<p class="muted small" role="status">${t("No name has that in it.")}</p>`}
    <div class="names-lists">${groups.map(([head, names]) => html`<section key=${head} aria-label=${head}>
      <p class="names-head">${head}</p>
      <ul>${names.slice(0, MOST_SHOWN).map((name) => html`<li key=${name.index}>
        <button type="button" data-name=${name.index} onClick=${() => onName(name.index)}>${name.text}</button></li>`)}
      </ul>
      ${names.length > MOST_SHOWN && html`<p class="muted small">
        ${tn("and {n} more: search for it", "and {n} more: search for them", names.length - MOST_SHOWN)}</p>`}
      </section>`)}</div></div>`;
}
