// Writes a game for other people: one line that names it, a line of squares for each guess, and the same in words.

import { countsInWords, feedbackOf } from "./parts/marks.js";
import { language, t, tn } from "./texts.js";

const SQUARES = { black: "⬛", white: "⬜", blue: "🟦", none: "➖" };
const TILES = ["⬛", "🟨", "🟩"];
const MOST_SQUARES = 12;

/** Rules as they are named to people: without the limit of guesses and the fingerprint of a list. */
export const shortRules = (rules) => rules.split("/").filter((part) => !/^(limit|digest)=/.test(part)).join("/");

/** Options of rules as people say them; those that are left out here are about how codes are written. */
const optionInWords = (name) => ({
  "no-repeats": t("no color twice"), "guess-repeats": t("guesses may repeat"), blanks: t("with empty holes"),
    "blanks-in-secrets": t("with empty holes in the secret"),
  black: t("black marks only"), membership: t("white marks only"), positional: t("a mark for each peg"),
  hard: t("hard"), identify: t("until one secret is left"),
  digits: "", numbers: "", names: "", course: "", letters: "",
})[name] ?? name;

/** A board as people say it: “4 pegs, 6 colors”, “Words of 5 letters”; a game of one's own by its name. */
export function boardInWords(rules) {
  const [first, ...rest] = shortRules(rules).split("/");
  const options = rest.filter((part) => !/^(pegs|probes|digest|shapes)=/.test(part));
  if (/^words:/.test(first)) {
    const letters = rest.map((part) => /^pegs=(\d+)$/.exec(part)?.[1]).find(Boolean) ?? "5";
    return [t("Words of {n} letters", { n: letters }), ...options.filter((name) => name !== "positional")
      .map(optionInWords)].filter(Boolean).join(", ");
  }
  if (/^table:/.test(first)) return [first.slice(6), ...options.map(optionInWords)].join(", ");
  const [, pegs, colors] = /^(\d+)x(\d+)$/.exec(first) ?? [];
  if (!pegs) return shortRules(rules);
  if (`${first} ${options.join(" ")}` === "4x10 no-repeats digits") return t("Bulls and Cows");
  const shapes = rest.map((part) => /^shapes=(\d+)$/.exec(part)?.[1]).find(Boolean);
  const board = shapes ? t("{pegs} pegs, {colors} colors and shapes", { pegs, colors })
    : t("{pegs} pegs, {colors} colors", { pegs, colors });
  return [board, ...options.map(optionInWords)].filter(Boolean).join(", ");
}

/** Formats of days: to make one takes a phone a tenth of a second. */
const days = new Map();

/** A day as people say it: “Tue 24 November”. */
/** @param {string} date @param {"short" | "long"} weekday */
export function dayInWords(date, weekday = "short") {
  const key = `${language()} ${weekday}`;
  if (!days.has(key)) days.set(key, new Intl.DateTimeFormat(language(), { weekday, day: "numeric", month: "long" }));
  return days.get(key).format(new Date(`${date}T12:00`));
}

/** The name of a game: “Puzzle of the day, Tue 24 November”, “4 pegs, 6 colors, no. 123456”. */
export function nameOf(game) {
  if (game.kind === "daily" && game.date) return `${t("Puzzle of the day")}, ${dayInWords(game.date)}`;
  return game.number === null || game.kind === "own" ? boardInWords(game.rules)
    : `${boardInWords(game.rules)}, ${t("no. {number}", { number: String(game.number) })}`;
}

const shortName = (game) => (game.number === null || game.kind === "own" ? shortRules(game.rules)
  : `${shortRules(game.rules)} #${game.number}`);

/**
 * The result in one line: `entropeg 4x6 #123 5/10*`; `X` stands for a secret that was not found, `*` for strict play.
 * Tests ask for it alone.
 */
export function resultLine(game, limit) {
  const title = game.kind === "daily" && game.date ? `${shortRules(game.rules)} ${game.date}` : shortName(game);
  const count = game.state === "won" ? String(game.turns.length) : "X";
  return `entropeg ${title} ${count}/${limit ?? "∞"}${game.strict ? "*" : ""}`;
}

/** The marks of a guess as squares. */
function squares(feedback, pegs) {
  if (feedback.marks) return feedback.marks.map((mark) => TILES[mark]).join("");
  const { black = 0, white = 0, blue = 0 } = feedback;
  if (pegs > MOST_SQUARES)
    return [black && `${black}${SQUARES.black}`, white && `${white}${SQUARES.white}`,
      blue && `${blue}${SQUARES.blue}`].filter(Boolean).join(" ") || `0${SQUARES.none}`;
  const rest = Math.max(0, pegs - black - white - blue);
  return SQUARES.black.repeat(black) + SQUARES.white.repeat(white) + SQUARES.blue.repeat(blue)
    + SQUARES.none.repeat(rest);
}

/** The whole game as text: the result, a line of squares a guess, and one line of words. */
export function shareText(game, rules) {
  const marks = game.turns.map(([, text]) => feedbackOf(text, rules) ?? {});
  const words = marks.map((feedback, index) => `${index + 1}: ${countsInWords(feedback)}`).join("; ");
  const help = Object.values(game.hinted).reduce((total, kinds) => total + kinds.length, 0);
  return [
    resultLine(game, rules.limit), ...marks.map((feedback) => squares(feedback, rules.pegs)),
      t("In words: {words}.", { words }),
    ...(help > 0 ? [tn("With {n} step of help.", "With {n} steps of help.", help)] : []),
  ].join("\n");
}

/**
 * A game as an invitation in words, for those whom its link does not reach: what to play, and the number of the secret.
 */
export function inviteText(game) {
  const told = game.kind === "own" || game.number === null ? null
    : t("entropeg: {board}. Play no. {number} of {rules}, and find the same code.",
      { board: boardInWords(game.rules), number: String(game.number), rules: game.rules });
  return told === null ? rowsText(game.rules, game.turns)
    : [told, ...game.turns.map(([guess, marks]) => `${guess} ${marks}`)].join("\n");
}

/** A position, or games with their secrets, as the text that Review and Assist read. */
export const rowsText = (rules, turns, secret = null) => [`rules: ${rules}`,
  ...(secret === null ? [] : [`secret: ${secret}`]), ...turns.map(([guess, marks]) => `${guess} ${marks}`)].join("\n");

/**
 * A fragment as words, for those whom its link does not reach: who have the page elsewhere, or, where the secret opens
 * on one installation alone, who come to that machine.
 */
export const fragmentText = (rules, fragment, isForAll) => {
  const given = { board: boardInWords(rules), fragment };
  return isForAll ? t("entropeg: {board}. A secret is hidden for you: open your page of entropeg, and put this behind its address: {fragment}", given)
    : t("entropeg: {board}. A secret is hidden for you on the machine where it was typed: open its page of entropeg there, and put this behind the address: {fragment}", given);
};

/** The page's own address with a fragment, what a link is made of: the one that it was given, or where it lies. */
export const addressOf =
  (fragment) => `${document.querySelector('meta[name="entropeg-address"]')?.getAttribute("content")
    ?? location.href.replace(/[?#].*/, "")}${fragment}`;

/** Why a link cannot be read, of a LinkError. */
export const linkInWords = ({ reason }) => ({
  newer: t("This link was made by a later version of entropeg, and cannot be read here."),
  none: t("The link shows guesses and answers without a secret behind them: Assist goes on with these."),
})[reason] ?? t("This link is damaged: a part of it is missing or changed. Copy the whole link again.");

/** Hands a text to the browser as a file of that name. */
export function saved(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
