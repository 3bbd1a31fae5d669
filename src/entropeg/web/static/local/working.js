// Hands tasks to the worker, which is started before it is needed, so that a game that has begun goes on without a network.

import { t } from "../texts.js";
import { Refused } from "./rules.js";

/** The worker, once its script has come. @type {Promise<Worker> | null} */
let worker = null;
let count = 0;
const waiting = new Map();

/** Everyone who waits hears of a worker that is gone; the next question starts another one. */
function gone(reason) {
  worker?.then((one) => one.terminate(), () => {});
  worker = null;
  for (const { no } of waiting.values()) no(reason());
  waiting.clear();
}

const notLoaded = () => gone(() => new Refused(t("A part of the page could not be loaded."), { status: 0 }));

/** A worker of the page's own text: from a disk browsers start none of a file. */
async function started() {
  const begins = await globalThis.entropeg.data("work");
  const made = new Worker(URL.createObjectURL(new Blob([`(${begins})()`], { type: "text/javascript" })));
  made.onmessage = ({ data: { id, result, error } }) => {
    const who = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) who?.yes(result);
    else who?.no(new Refused(t("This could not be worked out here: {reason}", { reason: error }), { status: 500 }));
  };
  // One that cannot start answers nothing.
  made.onerror = notLoaded;
  return made;
}

function running() {
  worker ??= started();
  return worker;
}

// After what the first screen needs has come: on a slow line its 170 KB would hold that up.
if (typeof Worker === "function") setTimeout(() => running().catch(() => { worker = null; }), 3000);

let does = null;
/** Has tasks done by a function of name, specification and what is given, in place of the worker: for tests. */
export const workBy = (function_) => { does = function_; };

/** What a task comes to; a question that is given up ends with an AbortError. */
export function work(name, spec, given, signal) {
  if (does !== null) return Promise.resolve(does(name, spec, given));
  return new Promise((yes, no) => {
    if (signal?.aborted) return no(new DOMException("given up", "AbortError"));
    count += 1;
    const id = count;
    waiting.set(id, { yes, no });
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      no(new DOMException("given up", "AbortError"));
      // A task cannot be told to stop: its worker ends, and others who wait are asked again by a new one.
      const others = [...waiting];
      waiting.clear();
      gone(() => null);
      for (const [, each] of others) work(each.name, each.spec, each.given).then(each.yes, each.no);
    });
    Object.assign(waiting.get(id), { name, spec, given });
    return running().then((one) => waiting.has(id) && one.postMessage({ id, name, spec, given }), notLoaded);
  });
}
