// What is done when something becomes another: an effect that follows less than what it uses.

import { useLayoutEffect } from "../vendor/ui.js";

/**
 * Runs an effect first, and again when one of `reasons` has become another value; all else that it uses it takes as it
 * is at that time. So a review is asked for when a game ends, and not again when the language of the page changes. It
 * runs before anything is drawn, so that what opens in steps is drawn once. What has to follow all that it uses is a
 * `useEffect`, whose dependencies are checked.
 */
export function useWhen(effect, reasons) {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the reasons are named by whoever calls: that is its purpose
  useLayoutEffect(effect, reasons);
}
