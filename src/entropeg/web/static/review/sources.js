// Finds the games that can be reviewed: those kept in this browser, of a link, and of a text that was pasted.

import { post } from "../api.js";
import { fromLink } from "../link.js";
import { language } from "../texts.js";
import { dataOf, keepInTab, keys, ofTab, read, write } from "../store.js";

/** That a review may take, about. */
export const SECONDS = 8;

const PASTED = "review/pasted";

/** Where the address says that the game is: {kind: "start" | "link" | "kept" | "pasted", ...}. */
export function sourceOf(rest) {
  const [kind, ...tail] = rest;
  if (kind === "g" && tail[0]) return { kind: "link", link: tail[0] };
  if (kind === "k" && tail.length > 0) return { kind: "kept", key: tail.join("/") };
  if (kind === "t") return { kind: "pasted", index: /^\d{1,6}$/.test(tail[0] ?? "") ? Number(tail[0]) - 1 : null };
  return { kind: "start" };
}

/** The games kept in this browser of which a guess was made, the last played first: [{key, at, game}]. */
export function keptGames() {
  return keys("game/").map((key) => ({ key, ...read(key) })).filter(({ data }) => isPlayed(data))
    .map(({ key, at, data }) => ({ key, at, game: data }));
}

const isPlayed = (data) => typeof data?.rules === "string" && Array.isArray(data.turns) && data.turns.length > 0
  && data.turns.every((turn) => Array.isArray(turn) && turn.length === 2
    && turn.every((text) => typeof text === "string"));

/** The text that was pasted last in this tab, else in any, with its rules: {text, rules}. */
export function pastedText() {
  const { text, rules } = parsed(ofTab(PASTED)) ?? dataOf(PASTED) ?? {};
  return { text: typeof text === "string" ? text : "", rules: typeof rules === "string" ? rules : "" };
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

/** Keeps the text, so that nothing that was typed is lost: each tab has its own, a new one begins with the last. */
export function keepText(pasted) {
  keepInTab(PASTED, JSON.stringify(pasted));
  write(PASTED, pasted, read(PASTED)?.rev ?? 0);
}

/** A kept or linked game as the laboratory reads it: what a request about it says. */
export const asked = (game) => ({
  rules: game.rules, turns: game.turns,
  ...(game.secret ? { secret: game.secret } : {}),
  ...(game.codemaker ? { codemaker: game.codemaker } : {}),
});

/**
 * The games of a source as {rules, turns, secret, codemaker, token, name, ...}. Throws LinkError where a link is
 * damaged, ApiError where a text cannot be read; null where a kept game is no longer there.
 */
export async function gamesOf(source, options) {
  if (source.kind === "link") {
    const game = fromLink(source.link);
    return (await readGames(asked(game), options))
      .map((found) => ({ ...found, token: game.token, number: game.number, secrets: game.secrets }));
  }
  if (source.kind === "kept") {
    const game = dataOf(source.key);
    if (!isPlayed(game)) return null;
    return (await readGames(asked(game), options))
      .map((found) => ({ ...found, token: game.token ?? null, number: game.number ?? null,
        secrets: game.secrets ?? 1 }));
  }
  const { text, rules } = pastedText();
  if (!text.trim()) return null;
  return readGames({ text, ...(rules.trim() ? { rules: rules.trim() } : {}) }, options);
}

async function readGames(body, options) {
  return (await post("reviews/games", body, options)).games;
}

const reviewed = new Map();

/** The review of a game, asked once while the page is open; options are {signal, seconds, others}. */
export async function reviewOf(game, options) {
  const key = JSON.stringify([language(), options.others !== false, game.rules, game.turns, game.secret,
    game.codemaker]);
  if (!reviewed.has(key)) {
    const { signal, seconds = SECONDS, others = true } = options;
    const told = await post("reviews", { ...asked(game), seconds, others, level: false }, { signal });
    reviewed.set(key, told.games[0]);
    if (reviewed.size > 200) reviewed.delete(reviewed.keys().next().value);
  }
  return reviewed.get(key);
}
