// Does the tasks of the page beside it: {id, name, spec, given} comes in, {id, result} or {id, error} goes out.

import { loadKernels } from "./kernels.js";
import { done } from "./tasks.js";

// The compiled modules lie in the worker's own script: from a disk nothing else would come.
const kernels = loadKernels(async (name) => Uint8Array.from(atob(await globalThis.entropeg.data(name)),
  (byte) => byte.charCodeAt(0)));
kernels.catch(() => {});

addEventListener("message", async ({ data: { id, name, spec, given } }) => {
  try {
    postMessage({ id, result: done(await kernels, name, spec, given) });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
});
