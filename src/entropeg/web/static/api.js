// Asks the server: every request of the page goes through here, and every refusal comes back as an ApiError.

import { language, t } from "./texts.js";

/**
 * The values that the laboratory tells, by name: `Api["Advice"]`. Types are made of its OpenAPI by scripts/page-types.
 * @typedef {import("laboratory").components["schemas"]} Api
 * @typedef {import("laboratory").paths} Paths
 */

/**
 * What a request is answered with: that of its address, and anything where the address is put together.
 * @template {string} Method
 * @template {string} Path
 * @typedef {`/api/${Path}` extends keyof Paths
 *   ? Paths[`/api/${Path}`] extends Record<Method, { responses: infer Told }>
 *   ? Told extends { 200: { content: { "application/json": infer Good } } } ? Good
 *   : Told extends { 201: { content: { "application/json": infer Made } } } ? Made : any : any : any} Answer
 */

/** What the server refused, or that it does not answer. `field` and `row` say where, `expected` what would be right. */
class ApiError extends Error {
  constructor(message, { status = 0, field = null, row = null, expected = null, data = {} } = {}) {
    super(message);
    this.name = "ApiError";
    /** @type {any} */
    this.data = data;
    this.status = status;
    this.field = field;
    this.row = row;
    this.expected = expected;
  }

  /** Whether the server could not be reached at all. */
  get isOffline() { return this.status === 0; }
}

/** Whether there is no server, so that the page answers itself: `entropeg site` says so in its page. */
export const isAlone = typeof document === "object"
  && document.querySelector('meta[name="entropeg"]')?.getAttribute("content") === "alone";
const backend = isAlone ? import("./local/backend.js") : null;

async function answerHere(method, path, question) {
  try {
    const answer = await (await backend).answered(method, path, question);
    // Of an answer that comes too late nobody hears.
    if (question.signal?.aborted) throw new DOMException("given up", "AbortError");
    return answer;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(error.message, { status: error.status ?? 500, field: error.field ?? null, row: error.row ?? null,
      expected: error.expected ?? null, data: error.data ?? {} });
  }
}

let underWay = 0;

/** Has the page say, as `data-settled` of its root, when nothing is under way any more and what came of it is drawn. */
export async function awaited(work) {
  underWay += 1;
  delete document.documentElement.dataset.settled;
  try {
    return await work;
  } finally {
    underWay -= 1;
    // What came is drawn before the first frame, and what that asks for in turn is asked right after it.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      if (underWay === 0) document.documentElement.dataset.settled = "";
    })));
  }
}

/** @returns {Promise<any>} */
const ask = (method, path, question) => awaited((isAlone ? answerHere : answerTo)(method, path, question));

async function answerTo(method, path, { query = {}, body = undefined, signal = undefined }) {
  const address = new URL(`/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") address.searchParams.set(name, value);
  }
  const headers = { Accept: "application/json", "Accept-Language": language() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, { method, headers, signal, body: body === undefined ? undefined
      : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(t("The laboratory does not answer: is “entropeg serve” still running? Nothing that you did is lost."));
  }
  const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
  let data;
  try {
    data = isJson ? await answer.json() : await answer.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(t("The answer of the laboratory broke off. Try again."));
  }
  if (answer.ok) return data;
  const told = isJson ? data : {};
  throw new ApiError(told.error ?? t("The laboratory refused this (code {status}).", { status: answer.status }), {
    status: answer.status, field: told.field ?? null, row: told.row ?? null, expected: told.expected
      ?? null, data: told,
  });
}

/**
 * @template {string} Path
 * @param {Path} path
 * @param {Record<string, any>} [query]
 * @param {object} [options]
 * @returns {Promise<Answer<"get", Path>>}
 */
export const get = (path, query, options) => ask("GET", path, { query, ...options });
/**
 * @template {string} Path
 * @param {Path} path
 * @param {any} [body]
 * @param {object} [options]
 * @returns {Promise<Answer<"post", Path>>}
 */
export const post = (path, body, options) => ask("POST", path, { body, ...options });
export const remove = (path, query, options) => ask("DELETE", path, { query, ...options });

/** Whether an error only says that its request was given up. */
export const isAborted = (error) => error?.name === "AbortError";

/** The names of a table of answers stand in the place of symbols: a code is one of them. */
const withNames = (rules) => (!rules.answers ? rules : { ...rules, more_symbols: 0,
  symbols: [...rules.answers.secrets, ...rules.answers.questions].map((text, index) => ({ index, text, name: text,
    fill: "", ink: "", path: "", drop: 0, tile: false })) });

const known = new Map();

/**
 * The facts of rules, asked once for each text: whoever gives the question up leaves it to the others who have asked.
 * @returns {Promise<any>}
 */
export function rulesOf(text) {
  const key = `${language()} ${text}`;
  if (!known.has(key)) {
    const asked = get("rules", { text }).then(withNames);
    known.set(key, asked);
    asked.catch(() => known.delete(key));
    if (known.size > 60) known.delete(known.keys().next().value);
  }
  return known.get(key);
}

/** Listens to a stream of events; returns a function that ends it. `on` has a function for each name of event. */
export function listen(path, on) {
  if (isAlone) return () => {};
  const source = new EventSource(`/api/${path}`);
  for (const [name, heard] of Object.entries(on)) {
    source.addEventListener(name, (event) => {
      if (name === "error" || event.data === undefined) return heard(event);
      return heard(JSON.parse(event.data));
    });
  }
  return () => source.close();
}
