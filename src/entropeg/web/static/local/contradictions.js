// Says what is wrong with notes that no code fits, as entropeg.advise.contradictions does: which rows, how likely each
// is, and ways to mend them.

import { listed, t, tn } from "../texts.js";

const slipInWords = (kind) => ({
  off: t("the feedback is one off"), colors: t("black and white are exchanged"),
  neighbors: t("two neighboring pegs of the guess are exchanged"), misread: t("one peg of the guess is misread"),
  exchanged: t("the feedbacks of two rows are exchanged"), foreign: t("the row belongs to another game"),
})[kind];

/** A whole number of percent, halves to the even one, as the laboratory rounds. */
function percentText(chance) {
  const [percent, below] = [100 * Math.min(chance, 1), Math.floor(100 * Math.min(chance, 1))];
  const isUp = percent - below > 0.5 || (percent - below === 0.5 && below % 2 === 1);
  return chance >= 0.01 ? t("{percent} %", { percent: String(below + (isUp ? 1 : 0)) }) : t("less than 1 %");
}

const inRows = (rows) => listed(rows.map((row) => String(row + 1)));

/** What rows were, of one mistake. */
function slipSaid({ kind: name, rows: [row, other], meant }, rowText) {
  const kind = slipInWords(name);
  if (name === "foreign") return t("row {row} is left out ({kind})", { row: row + 1, kind });
  if (other === undefined)
    return t("row {row} was {meant} ({kind})", { row: row + 1, meant: rowText(meant[0]), kind });
  return t("rows {rows} were {meant} ({kind})",
    { rows: inRows([row, other]), meant: listed(meant.map(rowText)), kind });
}

function mendTold({ slips, codes: count, chance, rows, turns }, rowText) {
  const [one, other] = slips.map((slip) => slipSaid(slip, rowText));
  const said = other === undefined ? one : t("{slip}; and {other}", { slip: one, other });
  return { says: tn("{slips}: {n} code left, {chance}", "{slips}: {n} codes left, {chance}", count,
    { slips: said, chance: percentText(chance) }),
    kinds: slips.map(({ kind }) => slipInWords(kind)), changes: rows.map((row) => row + 1), codes: count, exact: true,
    probability: chance, rows: turns.map(rowText) };
}

/** How likely it is that a row is wrong in a way that is told elsewhere, or nowhere. */
function restSaid({ before, others }) {
  const of = ({ ways, chance }) => ({ ways: tn("{n} way", "{n} ways", ways), chance: percentText(chance) });
  const said = [];
  if (before.ways > 0) {
    said.push(before.rows.length === 1 ? t("or as told at row {row} ({ways}, {chance})",
      { row: before.rows[0] + 1, ...of(before) }) : t("or as told at rows {rows} ({ways}, {chance})",
      { rows: inRows(before.rows), ...of(before) }));
  }
  if (others.ways > 0) {
    said.push(others.areMisread ? t("or a peg of its guess is another color ({ways}, {chance})", of(others))
      : t("or it is wrong in another way ({ways}, {chance})", of(others)));
  }
  return said.length === 2 ? t("{way}; {other}", { way: said[0], other: said[1] }) : said[0] ?? "";
}

/** Which rows cannot all be true. */
function wrongSaid([shortest], texts) {
  const told = (row) => `${row + 1} (${texts[row]})`;
  if (shortest.length === 1)
    return t("No code fits row {row} ({turn}): it cannot be.", { row: shortest[0] + 1, turn: texts[shortest[0]] });
  if (shortest.length === texts.length && shortest.length > 4) {
    return t("No code fits all {count} rows together, and each of them may be wrong.",
      { count: String(shortest.length) });
  }
  return t("No code fits rows {rows} together: at least one of them is wrong.",
    { rows: listed(shortest.map(told)) });
}

/** What `slips.js` found of rows as texts; `rowText` writes a turn. */
export function contradictionTold({ conflicts, mistakes, suspects }, texts, situation, rowText) {
  const rows = suspects.map(({ row, chance, mends, before, others }) => ({
    row: row + 1, probability: chance, says: t("row {row} ({turn}) may be wrong: {chance}",
      { row: row + 1, turn: texts[row], chance: percentText(chance) }),
    mends: mends.map((mend) => mendTold(mend, rowText)), rest: restSaid({ before, others }),
  }));
  return { says: wrongSaid(conflicts, texts), situation, proved: true,
    conflicts: conflicts.map((each) => each.map((row) => row + 1)), mistakes, rows, undecided: [], doubt: null };
}
