// Says what the game is, and what the screen is for: on a first visit beside the board, else behind «How to play» of
// every screen.

import { html, useState } from "../vendor/ui.js";
import { rulesOf } from "../api.js";
import { codeText, hasNames, symbolText } from "../codes.js";
import { Legend } from "../play/help.js";
import { useShell } from "../shell.js";
import { language, t } from "../texts.js";
import { Dot, Marks } from "./marks.js";
import { Peg } from "./pegs.js";
import { useWhen } from "./when.js";

const USUAL = "4x6/limit=10";

/** Guesses at A C D B: pegs, black and white marks, what they tell of the colors `a` and `c`. */
const examples = (a, c) => [
  [[4, 4, 0, 5], 0, 1, t("{a} belongs elsewhere.", { a })],
  [[0, 5, 4, 2], 1, 1, t("{a} is right, {c} elsewhere.", { a, c })],
  [[0, 2, 3, 1], 4, 0, t("Found!")],
];

/** What marks mean, by three rows that mark themselves; in words where marks are of another kind. */
function Marking({ rules }) {
  if (hasNames(rules)) return html`<p class="legend">${askingOf(rules)}</p>`;
  if (rules.feedback !== "standard" || rules.words || rules.symbols.length < 6)
    return html`<${Legend} rules=${rules} />`;
  return html`<ul class="legend"><li><${Dot} kind="black" /> ${t("right color, right place")}</li>
    <li><${Dot} kind="white" /> ${t("right color, other place")}</li></ul>
    <ol class="examples">${examples(symbolText(0, rules), symbolText(2, rules))
      .map(([pegs, black, white, says], row) => html`<li key=${row} style=${{ "--row": row }}>
      <span class="unseen">${codeText(pegs, rules)}: </span>
        <span class="code-pegs" aria-hidden="true">
          ${pegs.map((color, place) => html`<${Peg} key=${place} color=${color} rules=${rules} />`)}</span>
      <${Marks} feedback=${{ black, white }} pegs=${4} /><span class="small">${says}</span></li>`)}</ol>
    <p class="small muted">${t("Marks do not say which peg they speak of: that is the puzzle.")}</p>`;
}

/** How a table of answers is played. */
const askingOf = ({ answers }) => (answers.naming
  ? t("Choose a question or a name, and submit the row: the answer stands beside it. Naming the secret wins.")
  : t("Choose a question, and submit the row: the answer stands beside it. The game ends when one secret is left."));

const goalOf = (rules) => (hasNames(rules) ? t("Find the secret by questions.")
  : rules.words ? t("Find the hidden word.") : t("Find the hidden code."));

/** The game in a card, for whoever sees it for the first time. */
export const FirstVisit = ({ rules }) => html`<section class="card how first" aria-labelledby="how-head">
  <h2 id="how-head">${goalOf(rules)}</h2><${Marking} rules=${rules} /></section>`;

/** What a screen is for, and the pages of the documentation that tell more: [path, title]. */
const toldOf = (screen) => ({
  play: [t("Click colors or type their letters, then submit the row. Each step of help tells a little more."),
    ["learn/first-game", t("A first game")], ["lookup/variants", t("Variants")]],
  assist: [t("For a game at a real board: note each guess and its marks, and the best next guess stands beside them."),
    ["do/real-board", t("Help at a real board")], ["do/advice", t("Advice")]],
  explore: [t("Choose a guess, then an answer to it, to go deeper; every guess shows what it is worth."),
    ["do/explore", t("The explorer")], ["understand/exact", t("Exact numbers")]],
  watch: [t("Choose who plays, and step through the game: what each answer would have left, and which one came."),
    ["lookup/strategies", t("Strategies")], ["understand/cheats", t("Cheats")]],
  review: [t("Choose a game that you have played, or paste one: each guess shows what it lost, each answer what luck gave."), ["do/review", t("Review of a game")], ["understand/luck", t("Luck")]],
  train: [t("Find the best guess of a position. A hint tells more, and lowers what the puzzle counts."),
    ["do/train", t("Train")], ["learn/index", t("Learn")]],
  compare: [t("Choose two players and start: both play the same secrets, and the picture shows who needs fewer guesses, and how sure that is."), ["do/arena", t("The arena")], ["do/prove", t("Prove an optimum")]],
  settings: [t("What is chosen here holds in this browser, for all games."), ["do/page", t("The page in the browser")]],
})[screen];

/**
 * «How to play», folded away at the top of a screen; `rules` are those of the board that it shows, else the usual ones;
 * `isFirst`: marks are explained beside it.
 */
export function HowTo({ screen, rules = null, isFirst = false }) {
  const { about } = useShell();
  const [isOpen, setOpen] = useState(false);
  const [usual, setUsual] = useState(null);
  useWhen(() => {
    if (isOpen && rules === null) rulesOf(USUAL).then(setUsual, () => {});
  }, [isOpen, rules === null, language()]);
  const shown = rules ?? usual;
  const [says, ...pages] = toldOf(screen);
  return html`<details class="how-to no-print" onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${t("How to play")}</summary>
    ${isOpen && html`<div class="card how">${shown && !isFirst && html`<h2>${goalOf(shown)}</h2>`}
      ${!(screen === "play" && hasNames(shown)) && html`<p>${says}</p>`}
      ${shown && !isFirst && html`<${Marking} rules=${shown} />`}
      <p class="row small"><span>${t("Read more:")}</span>
        ${[...pages, ...(screen === "settings" ? [] : [["do/page", t("The page in the browser")]])].map(([path,
          title]) => html`<span key=${path}>${about?.docs
    ? html`<a href=${pageOf(path)} target="_blank" rel="noopener">${title}</a>`
    : html`${title} <code>docs/${path}.md</code>`}</span>`)}</p></div>`}</details>`;
}

/** The address of a page of the documentation that is built beside the page, in its language. */
const pageOf = (path) => `docs/${language() === "en" ? "" : `${language()}/`}${path}.html`;
