// Finds rows that cannot all be true: every smallest set of rows that no code fits together, as
// entropeg.candidates.conflict does.

/** Notes of many rows can have very many of them. */
const MOST = 1000;

/** Whether so many of the rows that are allowed hit every pattern. */
function isHit(patterns, allowed, size) {
  if (patterns.length === 0) return true;
  if (size === 0) return false;
  const hits = patterns.map((pattern) => pattern.filter((row) => allowed.has(row)));
  const fewest = hits.reduce((least, each) => (each.length < least.length ? each : least));
  const rest = new Set(allowed);
  return fewest.some((row) => {
    rest.delete(row); // sets with this row are all looked at here, and not again
    return isHit(patterns.filter((pattern) => !pattern.includes(row)), rest, size - 1);
  });
}

/** Every set of `size` rows from the first on that hits every pattern, in order. */
function* hitting(patterns, first, size, rows) {
  if (size === 0) {
    yield [];
    return;
  }
  const allowed = new Set(Array.from({ length: rows - first }, (_, at) => first + at));
  for (let row = first; row <= rows - size; row += 1) {
    allowed.delete(row);
    const rest = patterns.filter((pattern) => !pattern.includes(row));
    if (isHit(rest, allowed, size - 1))
      for (const others of hitting(rest, row + 1, size - 1, rows)) yield [row, ...others];
  }
}

/** Smallest sets of rows, from 0, that no code fits together: `broken` says of each row which codes break it. */
export function conflictsOf(broken) {
  const once = new Map();
  for (let code = 0; code < broken[0].length; code += 1) {
    const pattern = broken.flatMap((row, at) => (row[code] === 1 ? [at] : []));
    once.set(pattern.join(), pattern);
  }
  const patterns = [...once.values()];
  const every = new Set(broken.map((_, row) => row));
  const size = broken.findIndex((_, most) => isHit(patterns, every, most + 1)) + 1;
  const found = [];
  for (const rows of hitting(patterns, 0, size, broken.length)) {
    if (found.length === MOST) break;
    found.push(rows);
  }
  return found;
}
