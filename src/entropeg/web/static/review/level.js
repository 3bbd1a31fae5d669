// Tells which codebreakers lose as much a game: at once on small boards, when it is asked for on others.

import { html } from "../vendor/ui.js";
import { post } from "../api.js";
import { say } from "../announce.js";
import { language, t } from "../texts.js";
import { useAsk } from "../parts/ask.js";
import { Busy } from "../parts/busy.js";
import { Refusal } from "../parts/field.js";
import { sentence } from "../parts/told.js";
import { useWhen } from "../parts/when.js";

/** @import { Api } from "../api.js" */

/** Secrets of a board up to which the level is told without being asked for: it takes two seconds, then none. */
const SMALL = 1300;
/** That the first level of a larger board may take. */
const SECONDS = 50;

/** What totals need of a review. */
/** @param {Api["Review"]} review */
export const resultOf = (review) => ({
  guesses: review.guesses, won: review.won, par: review.par, loss: review.loss, luck: review.luck,
    remaining: review.remaining,
  marks: review.turns.map((turn) => turn.mark),
});

/** Whether a level can be told by reviews: of some of them every number is known. */
const isKnown = (reviews) => reviews.some(({ par, loss, luck }) => [par, loss,
  luck].every(({ sign, value }) => value !== null && sign !== "≥"));

/** `reviews` are of games on `rules` (their facts). */
export function Level({ rules, reviews }) {
  const [state, ask, cancel] = useAsk();
  const isSmall = rules.secret_count !== null && rules.secret_count <= SMALL;
  const tell = async (isAsked) => {
    const told = await ask((options) => post("reviews/totals",
      { rules: rules.text, games: reviews.map(resultOf) }, options));
    if (told && isAsked) say(told.level ? sentence(told.level.says) : t("No level can be told on this board."));
  };
  useWhen(() => { if (isSmall && isKnown(reviews)) tell(false); }, [rules.text, reviews, language()]);
  if (!isKnown(reviews)) return null;
  if (state.busy)
    return html`<${Busy} says=${t("Comparing with codebreakers …")} seconds=${isSmall ? null : SECONDS}
      onCancel=${cancel} />`;
  if (state.data)
    return html`<p class="level">${state.data.level ? sentence(state.data.level.says)
      : t("No level can be told on this board.")}</p>`;
  return html`<div class="stack no-print"><${Refusal} error=${state.error} />
    <div class="row"><button type="button" onClick=${() => tell(true)}>${t("Tell the level of play")}</button>
      </div></div>`;
}
