// Names what there is to find in puzzles, and how hard they may be.

import { t } from "../texts.js";
import { difficultyFor } from "./record.js";

export const themeName = (theme) => ({
  deduce: t("Deduce"), split: t("Tell apart"), outside: t("Think outside"), trap: t("Trap"), mend: t("Wrong row"),
    learn: t("Own mistake"),
})[theme] ?? theme;

export const themeSays = (theme) => ({
  deduce: t("One code is left: which?"), split: t("One guess tells all codes left apart: which?"),
  outside: t("The best guess cannot be the secret: which is it?"),
  trap: t("Many codes left differ in one peg alone: which guess is best?"),
  mend: t("One row of the board is wrong: which?"), learn: t("A mistake of yours: what is better?"),
})[theme] ?? theme;

export const LEVELS = ["any", "easy", "middling", "hard", "rating"];
export const levelName = (level) => ({
  any: t("any"), easy: t("easy"), middling: t("middling"), hard: t("hard"), rating: t("near my rating"),
})[level] ?? level;

/** Themes of which puzzles differ in difficulty: of the others it is the same, or not known. */
export const isGraded = (theme) => ["", "split", "outside", "trap"].includes(theme);

/** The shares of codebreakers, {least, most}, that may fail a puzzle of a level. */
export function boundsOf(level, rating) {
  if (level === "easy") return { least: 0, most: 0.35 };
  if (level === "middling") return { least: 0.35, most: 0.55 };
  if (level === "hard") return { least: 0.55, most: 1 };
  if (level !== "rating") return {};
  const middle = Math.max(0.2, Math.min(0.7, difficultyFor(rating)));
  return { least: Math.round(100 * (middle - 0.2)) / 100, most: Math.round(100 * (middle + 0.2)) / 100 };
}
