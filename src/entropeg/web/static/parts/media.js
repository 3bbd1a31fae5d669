// Follows what the browser says of the window: whether it is wide, whether it is being printed.

import { useEffect, useState } from "../vendor/ui.js";

/** Whether a media query holds, now and later. */
export function useMedia(query) {
  const [holds, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = () => set(list.matches);
    changed();
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  }, [query]);
  return holds;
}
