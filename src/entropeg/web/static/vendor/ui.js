// The page's building blocks in one place: what screens import from Preact, and `html`, which makes elements of text.

import htm from "./htm.js";
import { h } from "./preact.js";

export const html = htm.bind(h);

export { Component, Fragment, cloneElement, createContext, createRef, render } from "./preact.js";
export {
  useCallback,
  useContext,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "./hooks.js";
