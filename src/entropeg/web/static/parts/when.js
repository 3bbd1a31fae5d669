// What is done when something becomes another: an effect that follows less than what it uses.

import { useEffect, useLayoutEffect } from "../vendor/ui.js";

/**
 * Runs an effect first, and again when one of `reasons` has become another value; all else that it uses it takes as it
 * is at that time. So a review is asked for when a game ends, and not again when the language of the page changes. What
 * has to follow all that it uses is a `useEffect`, whose dependencies are checked.
 */
export function useWhen(effect, reasons) {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the reasons are named by whoever calls: that is its purpose
  useEffect(effect, reasons);
}

/** The same before anything is drawn: a screen that opens in steps is drawn once, not after each of them. */
export function useAtOnce(effect, reasons) {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- as above
  useLayoutEffect(effect, reasons);
}
