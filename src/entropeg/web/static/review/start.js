// Asks which game is to be reviewed: one kept in this browser, or one that is pasted or read from a file.

import { html, useEffect, useState } from "../vendor/ui.js";
import { say } from "../announce.js";
import { subscribe } from "../store.js";
import { language, t, tn } from "../texts.js";
import { Field } from "../parts/field.js";
import { boardInWords } from "../sharing.js";
import { keepText, keptGames, pastedText } from "./sources.js";

const MOST_BYTES = 2_000_000;
const MOST_SHOWN = 50;

/** `wrong` is why the text cannot be read; `onText()` is called once the text is kept; `busy` while it is read. */
export function Start({ wrong, onText, busy }) {
  const [pasted, setPasted] = useState(pastedText);
  const [refused, setRefused] = useState(null);
  const change = (part) => {
    const now = { ...pasted, ...part };
    setPasted(now);
    setRefused(null);
    keepText(now);
  };
  const submit = (event) => {
    event.preventDefault();
    if (!pasted.text.trim()) {
      const sentence = t("There is no game here yet: paste one, a guess and its feedback a line, as AABB XO.");
      setRefused(sentence);
      say(sentence);
      document.querySelector("textarea")?.focus();
      return;
    }
    keepText(pasted);
    onText();
  };
  const takeFile = async (event) => {
    const [file] = event.currentTarget.files;
    if (!file) return;
    if (file.size > MOST_BYTES)
      return setRefused(t("{name} is too large: games are read up to 2 MB.", { name: file.name }));
    const text = await file.text();
    change({ text });
    return say(t("{name} was read.", { name: file.name }));
  };
  const field = refused ?? (wrong && wrong.field !== "rules" ? wrong.message : null);
  return html`<div class="review-start">
    <form class="card paste" onSubmit=${submit}><h2>${t("Paste a game")}</h2>
      <${Field} label=${t("Game or games")}
        hint=${t("A guess and its feedback a line; lines such as “rules: 4x6” or “secret: ABCD” may stand before. Saved games and logs are read as well.")} wrong=${field}>
        <textarea class="mono" rows="8" spellcheck="false" autocapitalize="off" placeholder=${"AABB XO\nACCD O"}
          value=${pasted.text} onInput=${(event) => change({ text: event.currentTarget.value })}></textarea></${Field}>
      <${Field} label=${t("Rules, where the text does not say them")}
        hint=${t("As 4x6 or bulls-and-cows; empty: as the guesses tell.")}
        wrong=${wrong?.field === "rules" ? wrong.message : null}>
        <input class="mono" spellcheck="false" autocapitalize="off" value=${pasted.rules}
          onInput=${(event) => change({ rules: event.currentTarget.value })} /></${Field}>
      <${Field} label=${t("Or a file of games")}>
        <input type="file" accept=".txt,.json,.jsonl,.log,.game,.csv,text/plain,application/json"
          onChange=${takeFile} /></${Field}>
      <div class="row"><button type="submit" class="main" aria-disabled=${busy ? "true" : undefined}>
        ${t("Review")}</button>${busy && html`<span class="busy">${t("Reading the game …")}</span>`}</div></form>
    <${Kept} /></div>`;
}

function Kept() {
  const [games, setGames] = useState(keptGames);
  useEffect(() => subscribe(() => setGames(keptGames())), []);
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
  return html`<section class="card" aria-labelledby="kept-head">
    <h2 id="kept-head">${t("Games kept in this browser")}</h2>
    ${games.length === 0
    ? html`<p class="muted">${t("None yet: a game that is played here can be reviewed here.")} <a href="#/play">
      ${t("Play")}</a></p>`
    : html`<ul class="kept">
      ${games.slice(0, MOST_SHOWN)
        .map(({ key, at, game }) =>
          html`<li key=${key}><a href=${`#/review/k/${encodeURIComponent(key)}`}>${boardInWords(game.rules)}</a>
      <span>${outcome(game)}</span><span class="muted small">${date.format(at)}</span></li>`)}</ul>`}</section>`;
}

function outcome(game) {
  const guesses = tn("{n} guess", "{n} guesses", game.turns.length);
  const said = { won: t("found"), lost: t("lost"), "given up": t("given up") }[game.state];
  return said ? `${said}, ${guesses}` : t("unfinished, {guesses}", { guesses });
}
