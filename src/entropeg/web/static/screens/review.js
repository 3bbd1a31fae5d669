// Reviews games: what each guess lost, what luck gave, and what would have been better.

import { html, useMemo, useState } from "../vendor/ui.js";
import { language, nameBy, t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { HowTo } from "../parts/how.js";
import { useShell } from "../shell.js";
import { GameReview } from "../review/game.js";
import { GameList } from "../review/list.js";
import { gamesOf, sourceOf } from "../review/sources.js";
import { Start } from "../review/start.js";
import { boardInWords, linkInWords } from "../sharing.js";
import { useWhen } from "../parts/when.js";

export default function Review({ address }) {
  const path = address.rest.join("/");
  const source = useMemo(() => sourceOf(address.rest), [address.rest]);
  nameBy(null);
  if (source.kind === "start") return html`<${Reading} />`;
  return html`<${Found} key=${source.kind === "pasted" ? "pasted" : path} source=${source} path=${path} />`;
}

/** Asks for a game. A text that is pasted is read first: what is wrong with it is told beside it. */
function Reading() {
  const { go } = useShell();
  const [state, ask] = useAsk();
  const readText = async () => {
    const games = await ask((options) => gamesOf({ kind: "pasted" }, options));
    if (games) go(games.length === 1 ? "#/review/t/1" : "#/review/t");
  };
  return html`<div class="screen single review-screen"><div class="screen-head"><h1>${t("Review")}</h1>
    <${HowTo} screen="review" /></div>
    <${Start} wrong=${state.error} onText=${readText} busy=${state.busy} /></div>`;
}

/** The games that the address names. */
function Found({ source, path }) {
  const [state, ask] = useAsk();
  const [problem, setProblem] = useState(null);
  useWhen(() => {
    setProblem(null);
    ask((options) => gamesOf(source, options).catch((error) => {
      if (error.name === "LinkError") { setProblem(linkInWords(error)); return []; }
      throw error;
    }), { fresh: true }).then((games) => { if (games === null)
      setProblem(t("This game is no longer kept in this browser.")); });
  }, [language()]);
  const games = state.data;
  const isPasted = source.kind === "pasted";
  const index = isPasted ? source.index ?? (games?.length === 1 ? 0 : null) : 0;
  const game = index === null ? null : games?.[index];
  nameBy(game?.rules);
  return html`<div class="screen single review-screen"><div class="screen-head"><h1>${t("Review")}</h1>
      ${game && html`<span class="sub">
        ${[isPasted && games.length > 1 ? t("Game {n} of {total}", { n: index + 1, total: games.length }) : null,
          boardInWords(game.rules), game.codebreaker].filter(Boolean).join(" · ")}</span>`}
      <span class="row no-print">${isPasted && games?.length > 1 && source.index !== null
        && html`<a href="#/review/t">${t("All games")}</a>`}<a href="#/review">${t("Another game")}</a></span>
          <${HowTo} screen="review" /></div>
    ${state.busy && html`<${Busy} says=${t("Reading the game …")} />`}
    ${(problem || state.error) && html`<${Broken} problem=${problem} error=${state.error} />`}
    ${games && !problem && index === null && html`<${GameList} games=${games} />`}
    ${game && (game.turns.length > 0 ? html`<${GameReview} key=${`${path} ${language()}`} path=${path} game=${game} />`
      : html`<p class="note warn">${t("No guess was made in this game: there is nothing to review.")}</p>`)}
    ${games && !problem && index !== null && !game
      && html`<p class="note bad">${t("There is no game {n} in the text.", { n: index + 1 })}</p>`}</div>`;
}

function Broken({ problem, error }) {
  return html`<div class="stack">${problem ? html`<p class="note bad" role="alert">${problem}</p>`
    : html`<${Refusal} error=${error} />`}
    <p class="row"><a class="button" href="#/review">${t("Review another game")}</a>
      <a class="button" href="#/play">${t("Play a new game")}</a></p></div>`;
}
