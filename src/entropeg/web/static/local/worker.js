// Does the tasks of the page beside it: {id, name, spec, given} comes in, {id, result} or {id, error} goes out.

import { loadKernels } from "./kernels.js";
import { done } from "./tasks.js";

const kernels = loadKernels(async (name) => {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
});
kernels.catch(() => {});

addEventListener("message", async ({ data: { id, name, spec, given } }) => {
  try {
    postMessage({ id, result: done(await kernels, name, spec, given) });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
});
