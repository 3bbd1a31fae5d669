// The screen Watch: games of codebreakers against a codemaker, turn by turn, with what each answer would have left.

import { html, useRef, useState } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { toLink } from "../link.js";
import { addressOf, rowsText } from "../sharing.js";
import { HowTo } from "../parts/how.js";
import { useShell } from "../shell.js";
import { nameBy, t } from "../texts.js";
import { useAsk, useRested } from "../parts/ask.js";
import { turnInWords } from "../parts/board.js";
import { Curve } from "../parts/charts.js";
import { Check, Refusal } from "../parts/field.js";
import { ShareBox } from "../parts/sharebox.js";
import { useWishes } from "../parts/wishes.js";
import { CHOICES, codesOver, drawnSeed, endInWords, fromQuery, requests, toFragment, turnsOf } from "../watch/game.js";
import { Film, isStill, usePlayback } from "../watch/playback.js";
import { Setup } from "../watch/setup.js";
import { Game, TurnSplit } from "../watch/view.js";
import { useWhen } from "../parts/when.js";

const FIELDS = ["rules", "codebreaker", "codemaker", "seed", "secret"];

/**
 * Games that are watched: {watched, begin(choices, turn, isAsked), error, busy, cancel, seedFault, ...}. `onBegin()` is
 * called when a person has asked for one that plays by itself, `onEnd(games)` when it has.
 */
function useWatched({ settings, onBegin, onEnd }) {
  const [asked, ask, cancel] = useAsk();
  const [seedFault, setSeedFault] = useState(null);
  const watched = asked.data;
  const games = watched?.games ?? [];
  const last = Math.max(0, ...games.map(({ turns }) => turns.length));
  const playback = usePlayback(watched, last, () => onEnd(games));

  /** `isAsked`: a person did; a game that plays by itself takes no focus and says nothing. */
  const begin = async (wanted, turn = null, isAsked = true) => {
    const seed = wanted.seed.trim() || drawnSeed();
    if (!/^\d{1,15}$/.test(seed)) return setSeedFault(t("A seed is a whole number from 0, such as 42."));
    setSeedFault(null);
    playback.pause();
    const played = { ...wanted, seed };
    const data = await ask(async (options) => {
      const rules = await rulesOf(played.rules).catch(inField("rules"));
      const found = await Promise.all(requests(played)
        .map((request, which) => post("watch", request, options).catch(inField(null, which))));
      const start = { turn: turn ?? 0, isPlaying: turn === null && !isStill(settings) };
      return { games: found, rules, choices: played, start };
    });
    if (!data) return undefined;
    history.replaceState(null, "", toFragment(played, turn ?? 0));
    if (!isAsked) return undefined;
    if (turn === null) onBegin();
    const isRunning = turn === null && !isStill(settings);
    say(isRunning ? t("The game is played, and runs.") : t("The game is played. Step through it with “One turn on”."));
    return undefined;
  };
  return { watched, games, last, playback, begin, cancel, error: asked.error, busy: asked.busy, seedFault,
    setSeedFault };
}

export default function Watch({ address }) {
  const shell = useShell();
  const [choices, keep, setChoices] = useWishes("watch", { ...CHOICES, rules: shell.settings.rules });
  const [isSecretShown, setSecretShown] = useState(true);
  const heading = useRef(null);
  const { watched, games, last, playback, begin, cancel, error, busy, seedFault, setSeedFault } = useWatched({
    settings: shell.settings, onBegin: () => heading.current?.focus(),
      onEnd: (ended) => say(ended.map(endInWords).join(" ")),
  });
  nameBy(watched?.choices.rules ?? choices.rules);
  const change = (part) => {
    setSeedFault(null);
    keep(part);
  };
  useWhen(() => {
    const { choices: wanted, isAsked, turn } = fromQuery(address.query, choices);
    setChoices(wanted);
    if (isAsked) begin(wanted, turn);
    else begin(wanted, null, false);
  }, [address.hash]);
  useTurnInAddress(watched, playback);

  const step = (turn) => {
    if (turn === playback.at) return;
    playback.go(turn);
    say(turn === 0 ? t("Before the first guess.") : games.map((game) => turnSaid(game, turn, watched.rules)).join(" "));
  };
  return html`<div class="screen wide watch"><div class="screen-head"><h1>${t("Watch")}</h1>
      <p class="sub">${t("Codebreakers at work: what each answer would have left, and which one came.")}</p>
        <${HowTo} screen="watch" rules=${watched?.rules ?? null} /></div>
    <div class="stage watch-stage" aria-busy=${busy ? "true" : "false"}>
      ${watched ? html`<div class="watch-head" tabindex="-1" ref=${heading} aria-label=${t("The game")}>
        <${Film} playback=${playback} last=${last} onStep=${step} /></div>
        <${Shown} watched=${watched} playback=${playback} last=${last} isSecretShown=${isSecretShown} />
        <${Check} label=${t("Show the secret")} checked=${isSecretShown} onChange=${setSecretShown} />
        <${Onward} watched=${watched} at=${playback.at} />`
    : html`<p class="watch-empty muted">${busy ? t("They play; the game comes whole, and is then shown turn by turn.")
      : t("Choose who plays, and watch.")}</p>`}</div>
    <div class="panel"><${Setup} choices=${choices} onChange=${change} onWatch=${() => begin(choices)}
      about=${shell.about} wrong=${faults(error, seedFault)} busy=${busy} onCancel=${cancel} />
      ${error && !isAtField(error) && html`<${Refusal} error=${error} />`}</div></div>`;
}

function Shown({ watched, playback, last, isSecretShown }) {
  const { games, rules } = watched;
  const { at } = playback;
  const curves = games.map((game) => ({ name: game.codebreaker, values: codesOver(game.turns)
    .map((value, index) => (index <= at ? value : null)) }));
  const length = last + 1;
  const series = curves.map(({ name, values }) =>
    ({ name, values: [...values, ...Array(Math.max(0, length - values.length)).fill(null)] }));
  return html`<div class="watch-pair">
    ${games.map((game, which) => html`<${Game} key=${which} game=${game} rules=${rules} at=${at} rows=${last}
      isSecretShown=${isSecretShown} />`)}</div>
    <div class="card watch-curve"><${Curve} series=${series} labels=${Array.from({ length }, (_, turn) => String(turn))}
      title=${t("Codes left")} axis=${t("after each guess, on a logarithmic scale")} isLog />
      ${games.length > 1
        && html`<p class="small muted">
          ${t("Full line: {one}; dashed: {other}.", { one: games[0].codebreaker, other: games[1].codebreaker })}</p>`}
      ${series.every(({ values }) => values.every((value) => value === null))
        && html`<p class="small muted">${t("On a board this large the codes left cannot be counted.")}</p>`}</div>
    <h2>${t("What each answer would have left")}</h2>
    <div class="watch-pair">
      ${games.map((game, which) => html`<${TurnSplit} key=${which} game=${game} rules=${rules} at=${at} />`)}</div>`;
}

/** Where a watched game goes on: review, assist at this turn, a link. */
function Onward({ watched, at }) {
  const linkOf = (game, turns) => toLink({ rules: game.rules, codemaker: game.codemaker,
    turns: game.turns.slice(0, turns).map(({ guess, feedback }) => [guess, feedback]) });
  return html`<div class="stack watch-onward">
    ${watched.games.map((game, which) => html`<p key=${which} class="row"><span>${game.codebreaker}</span>
      <a class="button" href=${`#/review/g/${linkOf(game)}`}>${t("Review this game")}</a>
      <a class="button" href=${`#/assist/g/${linkOf(game, at)}`}>${t("Advice at this turn")}</a></p>`)}
    <${ShareBox} label=${t("The link")} copyLabel=${t("Copy a link to it")} isOpen=${false}
      text=${addressOf(toFragment(watched.choices))} instead=${watched.games.map((game) => rowsText(game.rules,
        game.turns.map(({ guess, feedback }) => [guess, feedback]), game.secret)).join("\n\n")} /></div>`;
}

/** The turn in the address, once it rests: reloading comes back to it. */
function useTurnInAddress(watched, playback) {
  const rested = useRested(playback.at, 400);
  useWhen(() => {
    if (watched && !playback.isPlaying && rested === playback.at)
      history.replaceState(null, "", toFragment(watched.choices, rested));
  }, [rested, playback.isPlaying, watched]);
}

function turnSaid(game, turn, rules) {
  const turns = turnsOf(game, rules);
  if (turn > turns.length) return "";
  const now = turns[turn - 1];
  return `${t("{player}: {move}.",
    { player: game.codebreaker, move: turnInWords(now, turn - 1, rules) })} ${now.after === null ? ""
      : now.says}`.trim();
}

// Where a refusal belongs: a field that the form has; that of the second codebreaker has a name of its own.

const inField = (field, which = 0) => (error) => {
  if (error.name === "ApiError") {
    error.field = field ?? error.field;
    if (which === 1 && error.field?.startsWith("codebreaker")) error.field = "codebreaker2";
  }
  throw error;
};
const fieldOf = (error) => (error?.field ?? "").split(".")[0];
const isAtField = (error) => [...FIELDS, "codebreaker2"].includes(fieldOf(error));
const faults = (error, seedFault) => ({ ...(error && isAtField(error) ? { [fieldOf(error)]: error.message } : {}),
  ...(seedFault ? { seed: seedFault } : {}) });
