// Asks what is to be trained: rules, theme, difficulty, or one's own mistakes; and offers a booklet to print.

import { html, useEffect, useState } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { hasNames } from "../codes.js";
import { language, t, tn } from "../texts.js";
import { useAsk, useRested, useSeries } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Field, Refusal } from "../parts/field.js";
import { RulesForm } from "../parts/rulesform.js";
import { useWishes } from "../parts/wishes.js";
import { keptGames } from "../review/sources.js";
import { useShell } from "../shell.js";
import { LEVELS, isGraded, levelName, themeName, themeSays } from "./themes.js";
import { LENGTH } from "./session.js";

/**
 * `onStart(wanted)` begins a session, `onOwn(wanted, puzzles)` one of one's own mistakes. `refusal` is why none began.
 */
export function Setup({ onStart, onOwn, busy, refusal }) {
  const { about, settings } = useShell();
  const [wanted, change] = useWishes("train/wanted", { rules: settings.rules, theme: "", level: "any" });
  const [rules, askRules] = useAsk();
  const rested = useRested(wanted.rules, 200);
  const spoken = language();
  useEffect(() => { askRules(() => rulesOf(rested)); }, [askRules, rested, spoken]);
  const themes = rules.data?.can?.train ?? [];
  const theme = themes.includes(wanted.theme) ? wanted.theme : "";
  const booklet = `/api/puzzles/booklet?${new URLSearchParams({ rules: wanted.rules, ...(theme ? { theme } : {}),
    language: language() })}`;
  const start = (event) => {
    event.preventDefault();
    if (themes.length > 0 && !busy) onStart({ ...wanted, theme, level: isGraded(theme) ? wanted.level : "any" });
  };
  return html`<div class="stack"><form class="card" onSubmit=${start}><h2>${t("Puzzles")}</h2>
      <${RulesForm} value=${wanted.rules} about=${about} onRules=${(found) => change({ rules: found.text })}
        onText=${(text) => change({ rules: text })} />
      ${rules.data && themes.length === 0
        && html`<p class="note warn">
          ${hasNames(rules.data) ? t("Puzzles are made of boards of pegs: a table of answers has none.")
    : t("There are no puzzles for these rules: the board is too large, or its secrets are not all alike.")}</p>`}
      <${Field} label=${t("Theme")} hint=${theme ? themeSays(theme) : t("Of every kind that these rules allow.")}>
        <select value=${theme} onChange=${(event) => change({ theme: event.currentTarget.value })}>
        <option value="">${t("all themes")}</option>
          ${themes.map((name) => html`<option key=${name} value=${name}>${themeName(name)}</option>`)}
            </select></${Field}>
      <${Field} label=${t("Difficulty")}
        hint=${isGraded(theme) ? t("By how many of the laboratory’s codebreakers fail it.")
          : t("All puzzles of this theme are alike in that.")}>
        <select value=${isGraded(theme) ? wanted.level : "any"} disabled=${!isGraded(theme)}
          onChange=${(event) => change({ level: event.currentTarget.value })}>
          ${LEVELS.map((level) => html`<option key=${level} value=${level}>${levelName(level)}</option>`)}
            </select></${Field}>
      <div class="row">
        <button type="submit" class="main" aria-disabled=${busy || themes.length === 0 ? "true" : undefined}>
          ${t("Start {n} puzzles", { n: LENGTH })}</button>
        ${busy && html`<span class="busy">${t("Drawing a puzzle …")}</span>`}
        ${themes.length > 0 && !about?.lacks?.includes("learn")
          && html`<a class="button" href=${booklet} target="_blank" rel="noopener">${t("Booklet to print")}</a>`}</div>
      <${Refusal} error=${refusal} /></form>
    ${!about?.lacks?.includes("learn")
      && html`<${Own} onOwn=${(puzzles) => onOwn({ ...wanted, theme: "learn", level: "any" }, puzzles)} />`}</div>`;
}

/** Looks for mistakes in the games kept in this browser, one game after the other, until there are enough. */
function Own({ onOwn }) {
  const [{ found, busy, error }, look, stop] = useSeries();
  const [said, tell] = useState(null);
  const games = keptGames().slice(0, 100);
  /** The puzzles of all games that could be judged. */
  const puzzlesOf = (learned) => learned.flatMap((puzzles) => puzzles ?? []);
  const start = async () => {
    tell(null);
    const learned = await look(games, mistakesOf, (some) => puzzlesOf(some).length >= LENGTH);
    // Whoever has left the form has begun something else meanwhile; whoever has stopped the search trains what was
    // found.
    if (!learned) return undefined;
    const puzzles = puzzlesOf(learned);
    if (puzzles.length > 0) return onOwn(puzzles.slice(0, LENGTH));
    const none = learned.length < games.length ? t("Stopped.") : learned.every((one) => one === null)
      ? t("None of these games can be judged exactly, so no mistake is sure.")
      : t("No mistake was found in these games. Well played.");
    tell(none);
    return say(none);
  };
  return html`<section class="card" aria-labelledby="own-head"><h2 id="own-head">${t("From your own games")}</h2>
    <p class="muted">
      ${games.length === 0 ? t("No game is kept in this browser yet: play one, and its mistakes can be trained here.")
        : tn("{n} game is kept in this browser. Mistakes in it become puzzles.",
          "{n} games are kept in this browser. Mistakes in them become puzzles.", games.length)}</p>
    ${busy
    ? html`<${Busy}
      says=${t("Looking for mistakes in game {n} of {total} …", { n: found.length + 1, total: games.length })}
        done=${found.length} total=${games.length} onCancel=${stop} />`
    : html`<div class="row"><button type="button" disabled=${games.length === 0}
        onClick=${start}>${t("Train my mistakes")}</button></div>`}
    ${said && html`<p class="note">${said}</p>`}<${Refusal} error=${error} /></section>`;
}

/** The puzzles of a game; null where it cannot be judged. */
async function mistakesOf({ game }, options) {
  try {
    const { puzzles } = await post("puzzles/learn", { rules: game.rules, turns: game.turns }, options);
    return puzzles.map((puzzle) => ({ ...puzzle, language: language() }));
  } catch (error) {
    if (error.status !== 422) throw error;
    return null;
  }
}
