// Keeps in the address where one is in a review: the turn, and what was played again or tried against a mistake.

const MOST_ROWS = 200;
const MODES = ["again", "mistake"];

/**
 * The place that the address names now: {turn (from 1), mode: {name: "look"} | {name: "again" | "mistake", index (from
 * 0)}, rows, isTold}; `rows` are the guesses as texts. What was replaced in the address is seen here as well.
 */
export function placeNow() {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const counted = (name) => (/^[1-9]\d{0,5}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : null);
  const name = MODES.find((one) => counted(one) !== null);
  return {
    turn: counted("turn") ?? 1, mode: name ? { name, index: counted(name) - 1 } : { name: "look" },
    rows: query.getAll("row").slice(0, MOST_ROWS), isTold: query.has("told"),
  };
}

/** Writes a place into the address of a review; a reload comes back to it. */
export function keepPlace(path, { turn, mode, rows = [], isTold = false }) {
  const query = new URLSearchParams({ turn: String(turn) });
  if (mode.name !== "look") query.set(mode.name, String(mode.index + 1));
  for (const row of rows) query.append("row", row);
  if (isTold) query.set("told", "1");
  history.replaceState(null, "", `#/review/${path}?${query}`);
}
