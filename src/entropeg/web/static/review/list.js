// Reviews several games one after the other: a list that fills as it goes, with totals, stopped at any time.

import { html } from "../vendor/ui.js";
import { post, rulesOf } from "../api.js";
import { say } from "../announce.js";
import { language, t, tn } from "../texts.js";
import { useAsk, useSeries } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Table } from "../parts/charts.js";
import { Refusal } from "../parts/field.js";
import { sentence, told } from "../parts/told.js";
import { Level, resultOf } from "./level.js";
import { reviewOf } from "./sources.js";
import { useWhen } from "../parts/when.js";

/** The review of a game, or {refused}: one game that nobody can review does not stop the others. */
async function oneOf(game, options) {
  if (game.turns.length === 0) return { refused: t("no turn") };
  try {
    return await reviewOf(game, { ...options, others: false });
  } catch (error) {
    if (error.status !== 422) throw error;
    return { refused: error.message };
  }
}

async function totalsOf(games, found) {
  const groups = new Map();
  found.forEach(({ review }, index) => {
    if (!review) return;
    const name = games[index].codebreaker || "";
    const key = JSON.stringify([name, games[index].rules]);
    groups.set(key, [...(groups.get(key) ?? []), review]);
  });
  return Promise.all([...groups].map(async ([key, reviews]) => {
    const [name, rules] = JSON.parse(key);
    const [told,
      facts] = await Promise.all([post("reviews/totals", { rules, name, games: reviews.map(resultOf), level: false }),
        rulesOf(rules)]);
    return { key, says: told.says, facts, reviews };
  }));
}

/** `onGame(index)` opens one game. */
export function GameList({ games }) {
  const [{ found, error }, review, stop] = useSeries();
  const [{ data: totals, busy: isBusy }, ask] = useAsk();
  const start = () => ask(async () => {
    const done = await review(games, oneOf);
    if (!done) return null;
    say(tn("{n} game reviewed.", "{n} games reviewed.", done.length));
    return totalsOf(games, done).catch(() => []);
  }, { fresh: true });
  useWhen(() => { start(); }, [games, language()]);
  const numbers = [t("Guesses"), t("Par"), t("Lost"), t("Luck"), t("Without luck")];
  return html`<div class="review-list stack">
    ${isBusy
      && html`<${Busy}
        says=${t("Reviewing game {n} of {total} …", { n: Math.min(found.length + 1, games.length),
          total: games.length })} done=${found.length} total=${games.length} onCancel=${stop} />`}
    ${error && html`<${Refusal} error=${error} /><button type="button" onClick=${start}>${t("Try again")}</button>`}
    ${totals && found.length < games.length && html`<p class="note warn">
      ${t("Stopped after {n} of {total} games.", { n: found.length, total: games.length })} <button type="button"
        onClick=${start}>${t("Go on")}</button></p>`}
    ${totals?.map((one) => html`<section key=${one.key} class="card totals" aria-label=${t("Totals")}>
      ${one.says.map((line) => html`<p key=${line}>${sentence(line.trim())}</p>`)}
        <${Level} rules=${one.facts} reviews=${one.reviews} /></section>`)}
    <${Table} label=${t("The games")} heads=${[t("Game"), t("Rules"), ...numbers.map((head) => [head, "num"])]}>
      ${games.map((game, index) => html`<${GameRow} key=${index} game=${game} index=${index} one=${found[index]} />`)}
        </${Table}></div>`;
}

function GameRow({ game, index, one }) {
  const name = [t("Game {n}", { n: index + 1 }), game.codebreaker].filter(Boolean).join(", ");
  const head = html`<th scope="row"><a href=${`#/review/t/${index + 1}`}>${name}</a></th>
    <td class="mono">${game.rules}</td>`;
  if (one?.refused) return html`<tr>${head}<td colspan="5" class="warn">${one.refused}</td></tr>`;
  if (!one) return html`<tr>${head}<td class="num">${game.turns.length}</td><td colspan="4" class="muted">…</td></tr>`;
  const { guesses, par, loss, luck, adjusted } = one.review;
  return html`<tr>${head}<td class="num">${guesses}${game.won ? "" : "*"}</td><td class="num">${told(par)}</td>
    <td class="num">${told(loss)}</td><td class="num">${told(luck, { isSigned: true })}</td>
      <td class="num">${told(adjusted)}</td></tr>`;
}
