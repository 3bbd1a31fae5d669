// Asks the laboratory from a component: the last question counts, earlier ones are given up.

import { useCallback, useEffect, useRef, useState } from "../vendor/ui.js";
import { isAborted } from "../api.js";
import { useAtOnce } from "./when.js";

/**
 * Returns [state, ask, cancel]; state is {busy, data, error}. `ask(function)` calls the function with {signal}; a later
 * call gives up the one before, and `cancel` the last. What was there stays until the new answer comes, unless `ask` is
 * told {fresh: true}. `ask` resolves to the data, or undefined.
 * @returns {[{busy: boolean, data: any, error: any}, <T>(asked: (options: {signal: AbortSignal}) => Promise<T>, how?:
 * {fresh?: boolean}) => Promise<T | undefined>, () => void]}
 */
export function useAsk() {
  const [state, setState] = useState({ busy: false, data: null, error: null });
  const running = useRef(null);
  useEffect(() => () => running.current?.abort(), []);
  const ask = useCallback(async (function_, { fresh = false } = {}) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((now) => ({ busy: true, data: fresh ? null : now.data, error: null }));
    try {
      const data = await function_({ signal: controller.signal });
      if (running.current === controller) setState({ busy: false, data, error: null });
      return running.current === controller ? data : undefined;
    } catch (error) {
      if (isAborted(error) && controller.signal.aborted) return undefined;
      if (running.current === controller) setState((now) => ({ busy: false, data: fresh ? null : now.data, error }));
      return undefined;
    }
  }, []);
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState((now) => ({ ...now, busy: false }));
  }, []);
  return [state, ask, cancel];
}

/**
 * Asks of one thing after the other, until it is stopped or there is enough: [{found, busy, error}, start, stop].
 * `start(things, asked, isEnough)` resolves to what was found by then; undefined after an error, or where its asker has
 * left or begun anew.
 */
export function useSeries() {
  const [state, set] = useState({ found: [], busy: false, error: null });
  const running = useRef(null);
  const stop = () => running.current?.abort();
  useEffect(() => () => { stop(); running.current = null; }, []);
  const start = async (things, asked, isEnough = (_found) => false) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    const told = (found, busy, error = null) => { if (running.current === controller) set({ found, busy, error }); };
    let found = [];
    told(found, true);
    try {
      while (found.length < things.length && !isEnough(found)) {
        found = [...found, await asked(things[found.length], { signal: controller.signal })];
        told(found, true);
      }
    } catch (error) {
      if (!isAborted(error)) return told(found, false, error);
    }
    told(found, false);
    return running.current === controller ? found : undefined;
  };
  return [state, start, stop];
}

/**
 * What the laboratory tells now, {data, error}: `asked({signal})` is called again after as many milliseconds as
 * `rest(error, data)` says, where it says any, and begins anew where one of `reasons` changes. What was told stays
 * until something else is.
 */
export function useFollowed(asked, rest, reasons) {
  const [state, set] = useState({ data: null, error: null });
  useAtOnce(() => {
    const controller = new AbortController();
    let waiting = 0;
    const look = async () => {
      const found = await asked({ signal: controller.signal })
        .then((data) => ({ data, error: null }), (error) => ({ error }));
      if (controller.signal.aborted) return;
      set((now) => ({ ...now, ...found }));
      const pause = rest(found.error, found.data);
      if (pause) waiting = setTimeout(look, pause);
    };
    look();
    return () => {
      controller.abort();
      clearTimeout(waiting);
    };
  }, reasons);
  return state;
}

/** A value that follows another after it has rested for some milliseconds. */
export function useRested(value, milliseconds = 250) {
  const [rested, set] = useState(value);
  useEffect(() => {
    const waiting = setTimeout(() => set(value), milliseconds);
    return () => clearTimeout(waiting);
  }, [value, milliseconds]);
  return rested;
}
