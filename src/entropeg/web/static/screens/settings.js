// Sets language, tones, columns, motion and keys, and tells what this browser keeps.

import { html, useEffect, useState } from "../vendor/ui.js";
import { say } from "../announce.js";
import { Confirmed } from "../parts/confirmed.js";
import { Check, Field } from "../parts/field.js";
import { Keys } from "../play/help.js";
import { saved } from "../sharing.js";
import { HowTo } from "../parts/how.js";
import { useShell } from "../shell.js";
import { entries, exported, forget, imported, keys, sizeOf, subscribe, unkept } from "../store.js";
import { LANGUAGES, language, number, setLanguage, t, tn } from "../texts.js";

export default function Settings() {
  const { settings, change } = useShell();
  const [wrong, setWrong] = useState(null);
  const speak = (tag) => setLanguage(tag)
    .then(() => setWrong(null), () => setWrong(t("These texts cannot be had: the laboratory does not answer.")));
  return html`<div class="screen settings"><div class="screen-head"><h1>${t("Settings")}</h1>
    <${HowTo} screen="settings" /></div>
    <div class="stage-wide stack">
      <section class="card" aria-labelledby="look-head"><h2 id="look-head">${t("Language and look")}</h2>
        <${Field} label=${t("Language")} wrong=${wrong}>
          <select value=${language()} onChange=${(event) => speak(event.currentTarget.value)}>
          ${Object.entries(LANGUAGES)
            .map(([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag}>${name}</option>`)}
              </select></${Field}>
        <${Field} label=${t("Tones")}>
          <select value=${settings.theme} onChange=${(event) => change({ theme: event.currentTarget.value })}>
          <option value="system">${t("as the system")}</option><option value="light">${t("light")}</option>
            <option value="dark">${t("dark")}</option></select></${Field}>
        <${Field} label=${t("Motion")}>
          <select value=${settings.motion} onChange=${(event) => change({ motion: event.currentTarget.value })}>
          <option value="system">${t("as the system")}</option>
            <option value="none">${t("none")}</option></select></${Field}>
        <${Field} label=${t("Sound")}>
          <select value=${settings.sound} onChange=${(event) => change({ sound: event.currentTarget.value })}>
          <option value="off">${t("off")}</option><option value="on">${t("on")}</option></select></${Field}></section>
      <section class="card" aria-labelledby="play-head"><h2 id="play-head">${t("Play")}</h2>
        <${Check} label=${t("Column: codes left")} hint=${t("How many codes may still be the secret after each guess.")}
          checked=${settings.codesLeft} onChange=${(codesLeft) => change({ codesLeft })} />
        <${Check} label=${t("Column: unused clue")} hint=${t("Which earlier rows a guess contradicted.")}
          checked=${settings.unusedClue} onChange=${(unusedClue) => change({ unusedClue })} />
        <${Check} label=${t("New games are strict")} hint=${t("Only codes that may still be the secret are taken.")}
          checked=${settings.strict} onChange=${(strict) => change({ strict })} />
        <${Field} label=${t("Notes")}>
          <select value=${settings.notes} onChange=${(event) => change({ notes: event.currentTarget.value })}>
          <option value="off">${t("off")}</option><option value="auto">${t("mark themselves")}</option>
            <option value="hand">${t("by hand")}</option></select></${Field}></section>
      <section class="card" aria-labelledby="typing-head"><h2 id="typing-head">${t("Typing")}</h2>
        <${Field} label=${t("Letters set pegs")}
          hint=${t("Choose the board alone where other programs need single keys.")}>
          <select value=${settings.keys} onChange=${(event) => change({ keys: event.currentTarget.value })}>
          <option value="everywhere">${t("wherever the focus is")}</option>
            <option value="board">${t("while the focus is on the board")}</option></select></${Field}>
        <${Keys} heading="h3" /></section>
    </div>
    <div class="panel"><${Kept} /></div></div>`;
}

/** What is kept, by kind, and how much it is: «3 games, 1 board of Assist and 12 KB in all». */
function keptInWords() {
  const games = entries("game/").length;
  const boards = entries("assist/").length;
  const parts = [
    games > 0 && tn("{n} game", "{n} games", games),
      boards > 0 && tn("{n} board of Assist", "{n} boards of Assist", boards),
    entries("train/record").length > 0 && t("the rating"),
  ].filter(Boolean);
  const listed = new Intl.ListFormat(language(), { type: "conjunction" }).format(parts);
  const size = t("{size} KB in all", { size: number(Math.ceil(sizeOf() / 1024)) });
  return parts.length > 0 ? t("{kept}; {size}.", { kept: listed, size }) : `${size}.`;
}

/** What is kept in this browser, and what can be done with it. */
function Kept() {
  const [, redraw] = useState(0);
  const [told, setTold] = useState(null);
  const [wrong, setWrong] = useState(null);
  useEffect(() => subscribe(() => redraw((count) => count + 1)), []);
  const tell = (text) => {
    setTold(text);
    setWrong(null);
    say(text);
  };
  const take = async (event) => {
    const input = event.currentTarget;
    const [file] = input.files;
    if (!file) return;
    try {
      const count = imported(await file.text());
      tell([
        tn("{n} entry taken.", "{n} entries taken.", count.taken),
          tn("{n} was newer here and stayed.", "{n} were newer here and stayed.", count.kept),
        count.refused > 0 && tn("{n} could not be kept.", "{n} could not be kept.", count.refused),
        count.damaged > 0 && tn("{n} is damaged and was left out.", "{n} are damaged and were left out.",
          count.damaged),
      ].filter(Boolean).join(" "));
    } catch {
      setTold(null);
      setWrong(t("{file} is no file of this page: choose one that “Export” has made.", { file: file.name }));
    }
    input.value = "";
  };
  const erase = () => {
    for (const key of keys()) forget(key);
    tell(t("Everything that this browser kept is gone."));
  };
  return html`<section class="card" aria-labelledby="kept-head"><h2 id="kept-head">${t("Kept in this browser")}</h2>
    <p>${t("Games, notes and ratings stay in this browser; nothing is sent anywhere.")}</p>
    <p>${keptInWords()}</p>
    ${unkept() === "later"
      && html`<p class="note warn">
        ${t("A later version of the page has been used in this browser: what you do now lives as long as this tab. Reload the page.")}</p>`}
    ${unkept() === "full"
      && html`<p class="note warn">
        ${t("The browser's storage is full: something lives as long as this tab only. Export it, or delete what is not needed.")}</p>`}
    <div class="row"><button type="button" onClick=${() => saved(exported(), "entropeg.json", "application/json")}>
      ${t("Export as a file")}</button></div>
    <${Field} label=${t("Import a file")} hint=${t("What is newer here stays.")} wrong=${wrong}>
      <input type="file" accept="application/json,.json" onChange=${take} /></${Field}>
    ${told && html`<p class="note good">${told}</p>`}
    <div class="row"><${Confirmed} label=${t("Delete everything")}
      question=${t("Delete all games, ratings and settings of this page?")} yes=${t("Yes, delete them")}
      no=${t("Keep them")} onYes=${erase} /></div>
  </section>`;
}
