// Rates a player by Glicko-2, as Mark E. Glickman describes it in "Example of the Glicko-2 system" (2013; glicko.net).

/** A player of whom nothing is known: rating, its deviation, and the volatility of the player (step 1 of the paper). */
export const UNRATED = { rating: 1500, deviation: 350, volatility: 0.06 };

/** How much volatility changes over time: the paper says from 0.3 to 1.2, and takes 0.5 in its example. */
const TAU = 0.5;

/** Points of the Glicko scale in one of Glicko-2's; and the rating that is 0 there (step 2). */
const SCALE = 173.7178;
const MIDDLE = 1500;

/** The volatility is found to within this (step 5.1). */
const CLOSE = 0.000001;

/** How much a result against somebody of such a deviation tells: g of the paper. */
const weight = (deviation) => 1 / Math.sqrt(1 + (3 * deviation ** 2) / Math.PI ** 2);

/** The score that is expected against another: E of the paper; all on Glicko-2's scale. */
const chance = (own, other, deviation) => 1 / (1 + Math.exp(-weight(deviation) * (own - other)));

/**
 * The score, from 0 to 1, that a player is expected to make against an opponent; both on the Glicko scale. It is here
 * for tests.
 */
export function expectedScore(player, opponent) {
  return chance((player.rating - MIDDLE) / SCALE, (opponent.rating - MIDDLE) / SCALE, opponent.deviation / SCALE);
}

/**
 * The player after a rating period. `games` are [{rating, deviation, score}], the score from 0 (lost) to 1 (won);
 * without games the deviation alone grows, never beyond that of somebody unrated.
 */
export function rated(player, games) {
  const own = (player.rating - MIDDLE) / SCALE;
  const deviation = player.deviation / SCALE;
  if (games.length === 0) {
    return { ...player, deviation: Math.min(SCALE * Math.hypot(deviation, player.volatility), UNRATED.deviation) };
  }
  let information = 0; // 1 / v of step 3
  let surplus = 0; // the sum in steps 4 and 7
  for (const game of games) {
    const other = (game.rating - MIDDLE) / SCALE;
    const told = weight(game.deviation / SCALE);
    const likely = chance(own, other, game.deviation / SCALE);
    information += told ** 2 * likely * (1 - likely);
    surplus += told * (game.score - likely);
  }
  const variance = 1 / information;
  const volatility = volatilityAfter(player.volatility, deviation, variance, variance * surplus);
  const before = Math.hypot(deviation, volatility); // step 6
  const after = 1 / Math.sqrt(1 / before ** 2 + information); // step 7
  return { rating: SCALE * (own + after ** 2 * surplus) + MIDDLE, deviation: SCALE * after, volatility };
}

/** Step 5: the zero of f, between two bounds that close in on it (the Illinois method). */
function volatilityAfter(volatility, deviation, variance, improvement) {
  const start = Math.log(volatility ** 2);
  const f = (x) => {
    const power = Math.exp(x);
    const whole = deviation ** 2 + variance + power;
    return (power * (improvement ** 2 - whole)) / (2 * whole ** 2) - (x - start) / TAU ** 2;
  };
  let low = start;
  let high;
  if (improvement ** 2 > deviation ** 2 + variance) {
    high = Math.log(improvement ** 2 - deviation ** 2 - variance);
  } else {
    let steps = 1;
    while (f(start - steps * TAU) < 0) steps += 1;
    high = start - steps * TAU;
  }
  let atLow = f(low);
  let atHigh = f(high);
  while (Math.abs(high - low) > CLOSE) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const atBetween = f(between);
    if (atBetween * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, atBetween];
  }
  return Math.exp(low / 2);
}
