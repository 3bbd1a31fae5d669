// Shows advice: the best guess large, the next ones small, and what each of them is expected to do.

import { html } from "../vendor/ui.js";
import { number, t, tn } from "../texts.js";
import { colorsOfSecrets, symbolName, symbolText } from "../codes.js";
import { Bars, Heat, percent } from "../parts/charts.js";
import { Code, Peg } from "../parts/pegs.js";
import { nameOf } from "../parts/marks.js";
import { areMixed, told } from "../parts/told.js";

/** @import { Api } from "../api.js" */

const MOST_COLORS = 40;
const MOST_BARS = 40;

/** How much a guess loses to the best, in words. */
/** @param {Api["RatedGuess"]} guess */
export function lossInWords(guess) {
  const { loss } = guess;
  if (!loss || loss.value === null) return t("what it loses is unknown");
  if (Math.abs(loss.value) < Math.max(5e-4, loss.error ?? 0))
    return loss.sign === "=" ? t("as good as the best") : t("about as good as the best");
  return t("loses {loss} guesses against the best",
    { loss: loss.sign === "=" ? number(loss.value, 3) : told(loss, { digits: 3 }) });
}

/** @param {Api["Advice"]} advice */
const mixedIn = ({ guesses, also }) => areMixed([...guesses, ...also].map(({ expected }) => expected));

/** @param {Api["RatedGuess"]} guess */
function facts(guess, isAmong) {
  return [
    t("{expected} guesses to go", { expected: told(guess.expected, { digits: 3, isAmong }) }),
    !guess.candidate ? t("cannot be the secret") : guess.chance > 0 ? t("the secret with {chance}",
      { chance: percent(guess.chance) }) : t("may be the secret"),
    tn("{n} different answer", "{n} different answers", guess.parts),
    tn("at most {n} code left after it", "at most {n} codes left after it", guess.largest),
  ];
}

/** A guess, its text, and the button that puts it into the row. */
export function Guess({ text, rules, onUse, isBest = false, children = null }) {
  return html`<span class=${isBest ? "best-guess" : "next-guess"}>
    ${children}<span class=${isBest ? "code large" : "code"}><${Code} text=${text} rules=${rules} /></span>
    <button class=${isBest ? "main" : "tiny"} aria-label=${t("Use it: {guess}", { guess: text })}
      onClick=${() => onUse(text)}>${t("Use it")}</button></span>`;
}

/** `advice` is the answer of the laboratory; `onUse(guess)` puts a guess into the row that is made. */
/** @param {{advice: Api["Advice"], rules: Api["RulesShown"], onUse: (guess: string) => void}} props */
export function Advice({ advice, rules, onUse }) {
  const [best, ...next] = advice.guesses;
  if (!best) return null;
  const isAmong = mixedIn(advice);
  return html`<section class="card" aria-label=${t("Advice")}>
    <h2>${advice.left.count === 1 ? t("The only code left") : t("Best guess")}</h2>
    <${Guess} text=${best.guess} rules=${rules} onUse=${onUse} isBest />
    <p>${advice.says[0]}</p>
    ${advice.left.count !== 1
      && html`<ul class="why small">${facts(best, isAmong).map((fact) => html`<li key=${fact}>${fact}</li>`)}</ul>`}
    ${next.length > 0 && html`<h3>${t("Next best")}</h3>
      <ol class="guesses" start="2">${next.map((guess) => html`<li key=${guess.guess}>
      <${Guess} text=${guess.guess} rules=${rules} onUse=${onUse} />
      <div class="small muted">${[...facts(guess, isAmong).slice(0, 3), lossInWords(guess)].join(" · ")}</div></li>`)}
        </ol>`}
    <p class="small muted">${advice.proven ? t("Proved: no guess does better.") : isAmong
      ? t("= is exact, ≥ a bound, ≈ an estimate.") : t("All numbers are exact.")}</p></section>`;
}

/** The guess that one had in mind beside the best. */
/** @param {{advice: Api["Advice"], rules: Api["RulesShown"], onUse: (guess: string) => void}} props */
export function Mine({ advice, rules, onUse }) {
  return advice.also.map((guess, index) => html`<section key=${guess.guess} class="card" aria-label=${t("Your guess")}>
    <h2>${t("Your guess")}</h2><${Guess} text=${guess.guess} rules=${rules} onUse=${onUse} />
    <p><strong>${lossInWords(guess)}</strong></p>
    <ul class="why small">${facts(guess, mixedIn(advice)).map((fact) => html`<li key=${fact}>${fact}</li>`)}</ul>
    <p class="small">${advice.says[advice.guesses.length + index]}</p></section>`);
}

/** What each answer to the best guess would leave. */
/** @param {{advice: Api["Advice"], rules: Api["RulesShown"]}} props */
export function Answers({ advice, rules }) {
  const { answers } = advice;
  if (answers.length < 2) return null;
  const items = answers.slice(0, MOST_BARS)
    .map((answer, key) => ({ key, name: nameOf(answer.feedback, rules), value: answer.codes,
      shown: `${number(answer.codes)} · ${percent(answer.chance)}` }));
  return html`<details class="card"><summary>${t("What each answer to the best guess would leave")}</summary>
    <${Bars} items=${items} label=${t("Codes that each answer would leave, and its chance")} />
    ${answers.length > MOST_BARS
      && html`<p class="small muted">${tn("and {n} answer more", "and {n} answers more", answers.length - MOST_BARS)}
        </p>`}</details>`;
}

/** A table color × peg of the chance that the peg has the color, and that the color is in the secret at all. */
/** @param {{advice: Api["Advice"], rules: Api["RulesShown"]}} props */
export function Chances({ advice, rules }) {
  const { marginals, presence } = advice;
  if (!marginals?.length) return null;
  const colors = colorsOfSecrets(rules);
  const chanceOf = (peg, color) => peg[symbolText(color, rules)] ?? 0;
  const ofColor = (color) => chanceOf(presence, color);
  const alive = colors.filter((color) => ofColor(color) > 0);
  const shown = alive.length > MOST_COLORS ? [...alive].sort((one, other) => ofColor(other) - ofColor(one))
    .slice(0, MOST_COLORS) : colors.length > MOST_COLORS ? alive : colors;
  const rows = shown.map((color) => ({
    key: color,
    head: html`<span class="unseen">${rules.symbols[color]?.name ?? symbolName(color, rules, t("blank"))}</span>
      <${Peg} color=${color} rules=${rules} />`,
    values: [...marginals.map((peg) => chanceOf(peg, color)), ofColor(color)],
  }));
  const heads = [...marginals.map((_, place) => String(place + 1)), t("anywhere")];
  return html`<details class="card" open><summary>${t("What the secret may be, peg by peg")}</summary>
    ${advice.left.sample
      && html`<p class="small muted">${t("By a sample of {n} codes.", { n: advice.left.sample })}</p>`}
    <${Heat} heads=${heads} rows=${rows} caption=${t("Chance of each color at each peg, and anywhere in the secret")}
      corner=${t("Color")} />
    ${shown.length < alive.length
      && html`<p class="small muted">
        ${tn("and {n} color less likely", "and {n} colors less likely", alive.length - shown.length)}</p>`}</details>`;
}

/** The codes left, as far as they are listed. */
/** @param {{advice: Api["Advice"]}} props */
export function CodesLeft({ advice }) {
  const { left } = advice;
  const isMore = left.sample !== null || left.count !== left.codes.length;
  return html`<details class="card"><summary>${t("Codes left")}</summary>
    <p class="small">${left.says}
      ${isMore && left.codes.length > 0
        ? ` · ${left.sample ? t("some of them:") : tn("the first {n}:", "the first {n}:", left.codes.length)}` : ""}</p>
    <ul class="codes-left mono">${left.codes.map((code) => html`<li key=${code}>${code}</li>`)}</ul></details>`;
}
