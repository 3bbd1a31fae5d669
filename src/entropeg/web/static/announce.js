// Says one sentence to people who listen: the page has a single live region, and each sentence is said once.

const PAUSE = 60; // milliseconds between emptying and filling, so that the same sentence is said again

let waiting = 0;

/** Says a sentence; a later one takes its place. */
export function say(sentence) {
  const region = document.getElementById("live");
  if (!region || !sentence) return;
  clearTimeout(waiting);
  region.textContent = "";
  waiting = setTimeout(() => { region.textContent = sentence; }, PAUSE);
}

const heard = new Set();

/** Has a function called with each sentence that concerns the whole page; returns what ends that. */
export function onNotice(tell) {
  heard.add(tell);
  return () => { heard.delete(tell); };
}

/** Tells the page a sentence that concerns all of it. */
export const notice = (sentence) => heard.forEach((tell) => tell(sentence));
