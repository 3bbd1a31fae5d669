// Scores a guess against a secret, and numbers feedback as the kernels do. The page needs no more of the engine before
// its worker has come.

const range = (n) => Array.from({ length: n }, (_, at) => at);

/** The answer to a guess, with its label as the kernels number it. @returns {any} */
export function scored(guess, secret, kind) {
  const pegs = guess.length;
  const left = new Map();
  let black = 0;
  guess.forEach((color, peg) => { if (color === secret[peg])
    black += 1; else left.set(secret[peg], (left.get(secret[peg]) ?? 0) + 1); });
  if (kind === "black") return { label: black, black };
  if (kind === "membership") {
    const white = guess.filter((color, peg) => color !== secret[peg] && secret.includes(color)).length;
    return { label: pegs * black + black + white, black, white };
  }
  const marks = Array.from(guess, (color, peg) => {
    if (color === secret[peg]) return 2;
    const copies = left.get(color) ?? 0;
    if (copies > 0) left.set(color, copies - 1);
    return copies > 0 ? 1 : 0;
  });
  const white = marks.filter((mark) => mark === 1).length;
  if (kind === "positional") return { label: marks.reduce((sum, mark) => 3 * sum + mark, 0), black, white, marks };
  return { label: pegs * black + black + white, black, white };
}

/** The label of feedback as people give it. */
/** @param {any} feedback @param {number} pegs @param {string} kind */
export const labelOf = ({ black, white, marks }, pegs, kind) => (
  kind === "positional" ? marks.reduce((sum, mark) => 3 * sum + mark, 0) : kind === "black" ? black : pegs * black
    + black + white);

/** The feedback of a label. @returns {any} */
export function feedbackAt(label, pegs, kind) {
  if (kind === "black") return { black: label };
  if (kind === "positional") {
    const marks = range(pegs).map((peg) => Math.floor(label / 3 ** (pegs - 1 - peg)) % 3);
    return { black: marks.filter((mark) => mark === 2).length,
      white: marks.filter((mark) => mark === 1).length, marks };
  }
  // The label of a win is that of `pegs` blacks.
  const black = label === pegs * (pegs + 1) ? pegs
    : Math.min(pegs, [...range(pegs + 1)].findLast((b) => label - pegs * b >= b && label - pegs * b <= pegs) ?? 0);
  return { black, white: label - pegs * black - black };
}
