// Breaks a code that the laboratory hides: the board, the row that is made, and all that belongs to a game.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isOver, keyOf, kept, linked, setCurrent, stepsUsed } from "../games.js";
import { Board } from "../parts/board.js";
import { drop, hold, keyed, moveTo, put as putPeg } from "../parts/draft.js";
import { useDrag } from "../parts/drag.js";
import { FirstVisit, HowTo } from "../parts/how.js";
import { isByPeg } from "../parts/marks.js";
import { Dock, Palette } from "../parts/palette.js";
import { ShareBox } from "../parts/sharebox.js";
import { useSound } from "../parts/sound.js";
import { Ending, useEnd } from "../play/ending.js";
import { Actions, GiveUp, Refused, Row } from "../play/controls.js";
import { Keys } from "../play/help.js";
import { Ladder, useLadder } from "../play/ladder.js";
import { NewGame, addressOfLink } from "../play/newgame.js";
import { Notes, knownOf, learned, useNotes } from "../play/notes.js";
import { useSession } from "../play/session.js";
import { Dailies, Finished, Statistics, Unfinished, useGames } from "../play/shelf.js";
import { FromDate, FromLink, FromRules, open, openCurrent, titleOf, underTitle } from "../play/wall.js";
import { columnsOf } from "../play/columns.js";
import { usePlayKeys } from "../play/keys.js";
import { hasNames } from "../codes.js";
import { inviteText } from "../sharing.js";
import { useShell } from "../shell.js";
import { nameBy, t } from "../texts.js";
import { useAtOnce, useWhen } from "../parts/when.js";

export default function Play({ address }) {
  const shell = useShell();
  const [kind, value] = address.rest;
  const isCurrent = kind === undefined;
  useAtOnce(() => { if (isCurrent) openCurrent(shell.settings, { replace: true }); }, [isCurrent]);
  const notFound = (reason, canTryAgain) => html`<${NotFound} reason=${reason} canTryAgain=${canTryAgain} />`;
  const asked = { settings: shell.settings, notFound };
  if (isCurrent) return html`<div class="screen" aria-busy="true"></div>`;
  if (kind === "game" && value && kept(value)) return html`<${Table} key=${value} id=${value} />`;
  return html`<div class="screen single"><div class="screen-head"><h1>${t("Play")}</h1><${HowTo} screen="play" /></div>
    ${kind === "game" ? notFound(t("This game is not kept in this browser."), false)
    : (kind === "g" || kind === "on") && value ? html`<${FromLink} text=${value} isAsked=${kind === "g"} ...${asked} />`
      : kind === "daily" && value ? html`<${FromDate} date=${value} ...${asked} />`
        : kind === "new" ? html`<${FromRules} query=${address.query} ...${asked} />`
          : notFound(t("There is no such game."), false)}</div>`;
}

/** A button of the game that is clicked does not take the focus: Enter submits the row, whatever was clicked before. */
function keepFocus(event) {
  const button = event.target.closest("button");
  if (button && !button.closest("tr.draft, form")) event.preventDefault();
}

/** What cannot be opened, why, and a new game instead. */
function NotFound({ reason, canTryAgain }) {
  const { about, settings, change } = useShell();
  return html`<div class="stack play-other"><div class="note bad" role="alert"><p>${reason}</p>
      ${canTryAgain && html`<p><button type="button" onClick=${() => location.reload()}>${t("Try again")}</button></p>`}
        </div>
    <section class="card"><h2>${t("New game")}</h2><${NewGame} about=${about} settings=${settings} change=${change}
      onStart=${open} /></section></div>`;
}

/** Who hides the code, where that is not the honest codemaker. */
const hiderOf = ({ codemaker }) => codemaker !== "honest" && t("codemaker: {name}", { name: codemaker });

let isAnother = false; // whether a game was shown before on this page

const cursorOf = (stage) => stage.current?.querySelector("tr.draft .cursor") ?? null;

/** The row that is made has the focus where another game had it, and stays in sight, with the palette. */
function useInSight(stage, { isReady, rows, over }) {
  useWhen(() => {
    if (isReady && isAnother && document.activeElement === document.body)
      cursorOf(stage)?.focus({ preventScroll: true });
    isAnother ||= isReady;
  }, [isReady]);
  useWhen(() => {
    if (rows.length > 0 && !over) stage.current?.scrollIntoView({ block: "nearest" });
  }, [rows.length]);
}

/** The list of keys, [isShown, show(is)]: it takes the focus, and gives it back to the row. */
function useHelp(stage) {
  const [isHelp, setHelp] = useState(false);
  const show = (is) => {
    setHelp(is);
    if (!is) setTimeout(() => (cursorOf(stage) ?? document.getElementById("end-head"))?.focus(), 0);
  };
  return [isHelp, show];
}

/** Keys, drags and sounds of the game. */
function usePlaying(session, { stage, settings, onHint, onHelp }) {
  const { game, rules, draft, rows, change } = session;
  const isReady = Boolean(rules && draft);
  const pegs = draft?.pegs.filter((peg) => peg !== null).length ?? 0;
  useSound(settings.sound === "on" && isReady, { pegs, rows: game.turns.length, state: game.state });
  useDrag(stage, (color, at, from) => change((now) => drop(now, color, at, from)));
  usePlayKeys({
    isOn: !isOver(game) && isReady, isEverywhere: settings.keys === "everywhere", rules, session, rows, onHint,
      onHelp, keyed,
    hold: () => change((now) => hold(now)),
  });
}

function Table({ id }) {
  const { settings } = useShell();
  const session = useSession(id, { settings });
  const { game, rules, draft, rows } = session;
  nameBy(game.rules);
  const over = isOver(game);
  const isReady = Boolean(rules && draft);
  const ladder = useLadder(session);
  const notes = useNotes(session, settings.notes);
  const end = useEnd(session);
  const games = useGames();
  const stage = useRef(null);
  const [isHelp, showHelp] = useHelp(stage);
  const [isNew, setNew] = useState(false);
  const wasOpen = useRef(!over);
  const begun = useRef(null); // rows that were there when the game was opened: later ones settle and mark themselves
  if (isReady) begun.current ??= rows.length;
  useEffect(() => setCurrent(id), [id]);
  useInSight(stage, { isReady, rows, over });
  usePlaying(session, { stage, settings, onHint: ladder.next, onHelp: () => showHelp(!isHelp) });
  const start = (made) => {
    setNew(false);
    open(made);
  };
  const beginNew = () => {
    setNew(true);
    setTimeout(() => document.getElementById("new-game")?.querySelector("select").focus(), 0);
  };
  const isFirst = !over && games.every((one) => one.id === id || one.turns.length === 0) && rows.length === 0;
  const known = rules && !hasNames(rules) && (isByPeg(rules) ? learned(rows) : settings.notes !== "off" && notes.isKnown
    ? knownOf(rules, notes.cellOf) : null);
  return html`<div class="screen play"
    style=${rules && { "--pegs": rules.pegs, "--rows": Math.min(rules.limit ?? 10, 12) }}>
    <div class="screen-head"><h1>${titleOf(game)}</h1>
      <span class="sub">${[...underTitle(game), hiderOf(game), game.strict && t("strict")].filter(Boolean).join(" · ")}
        </span><${HowTo} screen="play" rules=${rules} isFirst=${isFirst} /></div>
    ${isReady && isFirst && html`<${FirstVisit} rules=${rules} />`}
    <div class=${`stage ${game.state.replace(" ", "-")}${wasOpen.current ? "" : " seen"}`} ref=${stage}
      onMouseDown=${settings.keys === "everywhere" && !over ? keepFocus : undefined}>
      ${isReady ? html`<${Rows} session=${session} ladder=${ladder} begun=${begun.current} />
        ${!over && html`<${Dock}>
          <${Palette} rules=${rules} state=${known} onColor=${(color) => session.change((now) => putPeg(now, color))} />
          <${Actions} session=${session} /></${Dock}>`}`
    : session.rulesError ? html`<p class="note bad" role="alert">${session.rulesError.message}</p>`
    : html`<div class="board-to-come" aria-busy="true"></div>`}
    </div>
    ${isReady && over && html`<${Ending} session=${session} end=${end} isFresh=${wasOpen.current} onStart=${start}
      onOther=${beginNew} reviewTo=${`#/review/k/${encodeURIComponent(keyOf(game.id))}`} />`}
    ${(isReady || session.rulesError) && html`<${Side} session=${session} games=${games} ladder=${ladder} notes=${notes}
      onStart=${start} ...${{ isNew, setNew, isHelp, showHelp }} />`}</div>`;
}

/** What stands beside the board: the days, help, notes, other games, and what this one is. */
function Side({ session, games, ladder, notes, isNew, setNew, isHelp, showHelp, onStart }) {
  const { settings, change, about } = useShell();
  const { game, rules } = session;
  const isPlayed = rules && !isOver(game);
  return html`<div class="panel">
      ${isHelp && html`<section class="card" aria-labelledby="keys-head"><${Keys} isFocused />
        <div class="row"><button type="button" onClick=${() => showHelp(false)}>${t("Close")}</button></div></section>`}
      <${Dailies} games=${games} current=${game} />
      ${isPlayed && html`<${Ladder} ladder=${ladder} session=${session} used=${stepsUsed(game)} />
        ${!hasNames(rules) && html`<${Notes} session=${session} mode=${settings.notes}
          onMode=${(mode) => change({ notes: mode })} notes=${notes} />`}`}
      <details class="card" id="new-game" open=${isNew} onToggle=${(event) => setNew(event.currentTarget.open)}>
        <summary>${t("New game")}</summary>
        ${isNew && html`<${NewGame} about=${about} settings=${settings} change=${change} onStart=${onStart} />`}
          </details>
      <${Unfinished} games=${games} currentId=${game.id} /><${Statistics} games=${games} />
        <${Finished} games=${games} currentId=${game.id} />
      ${isPlayed && html`<${ThisGame} session=${session} onHelp=${isHelp ? null : () => showHelp(true)} />`}
    </div>`;
}

/** The board of a game: its rows, and the row that is made. */
function Rows({ session, ladder, begun }) {
  const { settings } = useShell();
  const { game, rules, draft, rows, refusal } = session;
  const over = isOver(game);
  const limit = rules.limit ?? null;
  const waiting = limit === null ? Math.max(0, 6 - rows.length) : limit - rows.length - (over ? 0 : 1)
    - (refusal ? 1 : 0);
  const classOf = (index) => {
    const isWrong = refusal?.row === index + 1;
    const isNoted = ladder.steps.some((step) => step.row === index + 1);
    return `${isWrong ? "wrong" : isNoted ? "noted" : ""}${index >= begun ? " fresh" : ""}`;
  };
  return html`<${Board} rules=${rules} turns=${rows} draft=${over ? null : draft} columns=${columnsOf(settings)}
    caption=${t("The board: guesses and their marks")}
    waiting=${waiting} onPlace=${(at) => session.change((now) => moveTo(now, at))}
    onUse=${over ? null : (index) => session.use(rows[index].pegs)}
    rowClass=${(_, index) => classOf(index)}
    draftNote=${!over && refusal ? html`<${Refused} refusal=${refusal} game=${game} onWord=${session.open} />` : null}
    draftCells=${!over && html`<${Row} session=${session} />`} />`;
}

/** What the rules of the game are, its link, the keys, and giving it up. */
function ThisGame({ session, onHelp }) {
  const { game, rules } = session;
  return html`<section class="card" aria-labelledby="game-head"><h2 id="game-head">${t("This game")}</h2>
    <p class="small muted">${rules.says}</p>
    ${hasNames(rules) && html`<p class="small muted">
      ${t("Its link opens in this laboratory alone: others have no such table.")}</p>`}
    <div class="shares"><${ShareBox} label=${t("Link to the game")} copyLabel=${t("Copy the link")}
      text=${addressOfLink(linked(game))} instead=${inviteText(game)} isOpen=${false} />
      ${onHelp && html`<button type="button" onClick=${onHelp}>${t("All keys (?)")}</button>`}
        <${GiveUp} session=${session} /></div></section>`;
}
