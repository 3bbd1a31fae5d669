// Writes games into links and reads them again: a version, the game, and a checksum; all of it in the fragment.

/** Why a link cannot be read: "damaged", "newer" (made by a later version) or "none". */
export class LinkError extends Error {
  constructor(reason) {
    super(reason);
    this.name = "LinkError";
    this.reason = reason;
  }
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The CRC-32 of bytes (IEEE 802.3), as eight hexadecimal digits. */
function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")),
  (char) => char.charCodeAt(0));

/** How the secret of a number is drawn now, as `entropeg.web.numbered` has it; links of versions 1 and 2 mean 1. */
export const SECRETS = 2;

/**
 * A game as text for a fragment. `game` has rules, codemaker, number or token, and turns as pairs of texts.
 * Version 3: `3.PAYLOAD.CHECKSUM`, the payload a JSON list [rules, codemaker, number, token, turns, secrets] in
 * base64url.
 */
export function toLink(game) {
  const payload = [game.rules, game.codemaker ?? "honest", game.number ?? null, game.token ?? null, game.turns ?? [],
    game.secrets ?? SECRETS];
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return `3.${toBase64(bytes)}.${checksum(bytes)}`;
}

/** Reads what `toLink` wrote, also in versions 1 (without a codemaker) and 2; throws LinkError. */
export function fromLink(text) {
  const [version, payload, sum, ...rest] = String(text).split(".");
  if (!payload || !sum || rest.length > 0 || !/^\d{1,3}$/.test(version)) throw new LinkError("damaged");
  if (Number(version) > 3) throw new LinkError("newer");
  let data;
  try {
    const bytes = fromBase64(payload);
    // The last character may carry bits that mean nothing: only the one way to write the bytes is let through.
    if (checksum(bytes) !== sum || toBase64(bytes) !== payload) throw new LinkError("damaged");
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new LinkError("damaged");
  }
  const game = gameOf(version, data);
  if (game === null || !isGame(game)) throw new LinkError("damaged");
  return game;
}

function gameOf(version, data) {
  if (!Array.isArray(data)) return null;
  if (version === "1" && data.length === 3)
    return { rules: data[0], codemaker: "honest", number: data[1], token: null, turns: data[2], secrets: 1 };
  const [rules, codemaker, number, token, turns, secrets] = data;
  if (version === "2" && data.length === 5) return { rules, codemaker, number, token, turns, secrets: 1 };
  if (version === "3" && data.length === 6) return { rules, codemaker, number, token, turns, secrets };
  return null;
}

const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= 100_000;

function isGame({ rules, codemaker, number, token, turns, secrets }) {
  return Number.isInteger(secrets) && secrets >= 1 && secrets <= SECRETS && isText(rules) && isText(codemaker)
    && (number === null || (Number.isSafeInteger(number) && number > 0)) && (token === null || isText(token))
    && Array.isArray(turns) && turns.length <= 1000
    && turns.every((turn) => Array.isArray(turn) && turn.length === 2 && turn.every(isText));
}
