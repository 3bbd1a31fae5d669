// Hands tasks to workers, one of which is started before it is needed, so that a game that has begun goes on without a
// network.

import { t } from "../texts.js";
import { Refused } from "./rules.js";

/** Tasks that take seconds: they have a worker of their own, so that a game that is begun meanwhile waits for none. */
const LONG = new Set(["review"]);

const notLoaded = () => new Refused(t("A part of the page could not be loaded."), { status: 0 });

/**
 * A worker, which does one task after the other; it is started when it is first asked, and again after it was ended.
 */
class Worked {
  constructor() {
    /** The worker, once its script has come. @type {Promise<Worker> | null} */
    this.worker = null;
    this.waiting = new Map();
    this.count = 0;
  }

  /** Everyone who waits hears of a worker that is gone. */
  gone(reason) {
    this.worker?.then((one) => one.terminate(), () => {});
    this.worker = null;
    for (const { no } of this.waiting.values()) no(reason());
    this.waiting.clear();
  }

  /** A worker of the page's own text: from a disk browsers start none of a file. */
  async #started() {
    const begins = await globalThis.entropeg.data("work");
    const made = new Worker(URL.createObjectURL(new Blob([`(${begins})()`], { type: "text/javascript" })));
    made.onmessage = ({ data: { id, result, error } }) => {
      const who = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) who?.yes(result);
      else who?.no(new Refused(t("This could not be worked out here: {reason}", { reason: error }), { status: 500 }));
    };
    // One that cannot start answers nothing.
    made.onerror = () => this.gone(notLoaded);
    return made;
  }

  running() {
    this.worker ??= this.#started();
    return this.worker;
  }

  /** What a task comes to. */
  ask(name, spec, given, signal) {
    return new Promise((yes, no) => {
      if (signal?.aborted) return no(new DOMException("given up", "AbortError"));
      this.count += 1;
      const id = this.count;
      this.waiting.set(id, { yes, no, name, spec, given });
      signal?.addEventListener("abort", () => this.#giveUp(id));
      return this.running().then((one) => this.waiting.has(id) && one.postMessage({ id, name, spec, given }),
        () => this.gone(notLoaded));
    });
  }

  #giveUp(id) {
    const asked = this.waiting.get(id);
    if (!this.waiting.delete(id)) return;
    asked.no(new DOMException("given up", "AbortError"));
    // A task cannot be told to stop: its worker ends, and others who wait are asked again by a new one.
    const others = [...this.waiting.values()];
    this.waiting.clear();
    this.gone(() => null);
    for (const each of others) this.ask(each.name, each.spec, each.given).then(each.yes, each.no);
  }
}

const [short, long] = [new Worked(), new Worked()];

let does = null;
const isCome = new Promise((yes) => { setTimeout(yes, 3000); });
/** Resolves once what the first screen needs has come: on a slow line the 170 KB of a worker would hold that up. */
export const come = async () => { if (does === null) await isCome; };
if (typeof Worker === "function") come().then(() => short.running()).catch(() => { short.worker = null; });

/** Has tasks done by a function of name, specification and what is given, in place of the workers: for tests. */
export const workBy = (function_) => { does = function_; };

/** What a task comes to; a question that is given up ends with an AbortError. */
export function work(name, spec, given, signal) {
  if (does !== null) return Promise.resolve(does(name, spec, given));
  return (LONG.has(name) ? long : short).ask(name, spec, given, signal);
}
