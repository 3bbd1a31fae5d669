// Reviews games: what each guess lost, what luck gave, and what would have been better.

import { html, useEffect, useMemo, useState } from "../vendor/ui.js";
import { language, t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { useShell } from "../shell.js";
import { GameReview } from "../review/game.js";
import { GameList } from "../review/list.js";
import { gamesOf, sourceOf } from "../review/sources.js";
import { Start } from "../review/start.js";

const LINKS = { damaged: () => t("This link is damaged: a part of it is missing or changed."), newer: () => t("This link was made by a later version of entropeg."), none: () => t("There is no game in this link.") };

export default function Review({ address }) {
  const { go } = useShell();
  const path = address.rest.join("/");
  const source = useMemo(() => sourceOf(address.rest), [path]);
  const [state, ask] = useAsk();
  const [problem, setProblem] = useState(null);
  const [wrong, setWrong] = useState(null);
  const [isReading, setReading] = useState(false);
  const gameKey = source.kind === "pasted" ? "pasted" : path;
  useEffect(() => {
    setProblem(null);
    if (source.kind === "start") return;
    ask((options) => gamesOf(source, options).catch((error) => {
      if (error.name === "LinkError") { setProblem(LINKS[error.reason]()); return []; }
      throw error;
    }), { fresh: true }).then((games) => { if (games === null) setProblem(t("This game is no longer kept in this browser.")); });
  }, [gameKey, language()]);
  const readText = async () => {
    setWrong(null);
    setReading(true);
    try {
      const games = await gamesOf({ kind: "pasted" }, {});
      go(games.length === 1 ? "#/review/t/1" : "#/review/t");
    } catch (error) {
      setWrong(error);
    } finally {
      setReading(false);
    }
  };
  const games = state.data;
  const index = source.kind === "pasted" ? source.index ?? (games?.length === 1 ? 0 : null) : 0;
  const game = index === null ? null : games?.[index];
  const keepTurn = (number) => history.replaceState(null, "", `#/review/${path}?turn=${number}`);
  return html`<div class="screen single review-screen"><div class="screen-head"><h1>${t("Review")}</h1>
      ${game && source.kind !== "start" && html`<span class="sub">${[source.kind === "pasted" && games.length > 1 ? t("Game {n} of {total}", { n: index + 1, total: games.length }) : null, game.rules, game.codebreaker].filter(Boolean).join(" · ")}</span>`}
      ${source.kind !== "start" && html`<span class="row no-print">${source.kind === "pasted" && games?.length > 1 && source.index !== null && html`<a href="#/review/t">${t("All games")}</a>`}<a href="#/review">${t("Another game")}</a></span>`}</div>
    ${source.kind === "start" && html`<${Start} wrong=${wrong} onText=${readText} busy=${isReading} />`}
    ${source.kind !== "start" && html`
      ${state.busy && html`<${Busy} says=${t("Reading the game …")} />`}
      ${(problem || state.error) && html`<${Broken} problem=${problem} error=${state.error} />`}
      ${games && !problem && index === null && html`<${GameList} games=${games} />`}
      ${game && (game.turns.length > 0 ? html`<${GameReview} key=${`${path} ${language()}`} game=${game} turn=${Number(address.query.get("turn")) || 1} onTurn=${keepTurn} />` : html`<p class="note warn">${t("No guess was made in this game: there is nothing to review.")}</p>`)}
      ${games && !problem && index !== null && !game && html`<p class="note bad">${t("There is no game {n} in the text.", { n: index + 1 })}</p>`}`}</div>`;
}

function Broken({ problem, error }) {
  return html`<div class="stack">${problem ? html`<p class="note bad" role="alert">${problem}</p>` : html`<${Refusal} error=${error} />`}
    <p class="row"><a class="button" href="#/review">${t("Review another game")}</a><a class="button" href="#/play">${t("Play a new game")}</a></p></div>`;
}
