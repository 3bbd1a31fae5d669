// What the page's modules may say of types: the answers of the laboratory, by the names of its values.

import type { components, paths } from "./api";

declare global {
  /** What runs modules that were joined into scripts, and brings data: `local/joining.js`. */
  var entropeg: { need: (name: string) => any; define: (name: string, make: Function) => any; give: (name: string, value: any) => any; load: (name: string) => Promise<any>; data: (name: string) => Promise<any> };

  /** The values that the laboratory tells: `Api["Advice"]`. */
  type Api = components["schemas"];

  type Told<Responses> = Responses extends { 200: { content: { "application/json": infer Answer } } } ? Answer
    : Responses extends { 201: { content: { "application/json": infer Answer } } } ? Answer : any;

  /** What a request is answered with: that of its address, and anything where the address is put together. */
  type Answer<Method extends string, Path extends string> = `/api/${Path}` extends keyof paths
    ? paths[`/api/${Path}`] extends Record<Method, { responses: infer Responses }> ? Told<Responses> : any : any;
}
