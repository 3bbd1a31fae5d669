// Plays a watched game like a film: turns by time or by hand, at a speed, back and forth.

import { html, useState } from "../vendor/ui.js";
import { language, t } from "../texts.js";
import { useWhen } from "../parts/when.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const SIGNS = { restart: "M7 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", step: "M8 5l9 7-9 7z",
  play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14" };

/** Whether motion that nobody asked for is to be spared. */
export const isStill = (settings) => settings.motion === "none"
  || matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * {at, isPlaying, speed, go(turn), play(), pause(), setSpeed}; `film` is what is played, {start: {turn, isPlaying}}:
 * another one begins where it says. `last` is its number of turns.
 */
export function usePlayback(film, last, onEnd) {
  const [state, set] = useState({ film: null, at: 0, isPlaying: false });
  const [speed, setSpeed] = useState(1);
  const now = state.film === film ? state : { film, at: Math.min(film?.start.turn ?? 0, last),
    isPlaying: film?.start.isPlaying ?? false };
  useWhen(() => {
    if (!now.isPlaying) return undefined;
    if (now.at >= last) {
      set({ ...now, isPlaying: false });
      onEnd();
      return undefined;
    }
    const waiting = setTimeout(() => set({ ...now, at: now.at + 1 }), 1000 / speed);
    return () => clearTimeout(waiting);
  }, [film, now.at, now.isPlaying, speed, last]);
  const go = (turn) => set({ film, at: Math.max(0, Math.min(last, turn)), isPlaying: false });
  const play = () => set({ film, at: now.at >= last ? 0 : now.at, isPlaying: true });
  const pause = () => set({ ...now, isPlaying: false });
  return { at: now.at, isPlaying: now.isPlaying, speed, setSpeed, go, play, pause };
}

const Sign = ({ name }) => html`<svg class="film-sign" viewBox="0 0 24 24" aria-hidden="true">
  <path d=${SIGNS[name]} /></svg>`;

/** The buttons of the film; `onStep(turn)` is called where a person goes to a turn by hand. */
export function Film({ playback, last, onStep }) {
  const { at, isPlaying, speed } = playback;
  const to = (turn) => onStep(Math.max(0, Math.min(last, turn)));
  return html`<div class="film" role="group" aria-label=${t("The game as a film")}>
    <div class="row"><button class="film-button" aria-label=${t("From the start")} title=${t("From the start")}
      aria-disabled=${at === 0 ? "true" : undefined} onClick=${() => to(0)}><${Sign} name="restart" /></button>
      <button class="film-button" aria-label=${t("One turn back")} title=${t("One turn back")}
        aria-disabled=${at === 0 ? "true" : undefined} onClick=${() => to(at - 1)}><${Sign} name="back" /></button>
      <button class="film-button main film-play" aria-label=${isPlaying ? t("Pause") : t("Play on")}
        title=${isPlaying ? t("Pause") : t("Play on")} onClick=${isPlaying ? playback.pause : playback.play}>
        <${Sign} name=${isPlaying ? "pause" : "play"} /></button>
      <button class="film-button" aria-label=${t("One turn on")} title=${t("One turn on")}
        aria-disabled=${at === last ? "true" : undefined} onClick=${() => to(at + 1)}><${Sign} name="step" /></button>
      <label class="film-speed"><span class="unseen">${t("Speed")}</span>
        <select value=${String(speed)} onChange=${(event) => playback.setSpeed(Number(event.currentTarget.value))}>
        ${SPEEDS.map((one) =>
          html`<option key=${one} value=${String(one)}>
            ${t("{n} × speed", { n: new Intl.NumberFormat(language()).format(one) })}</option>`)}</select></label></div>
    <label class="film-turn"><span>${t("Turn {n} of {last}", { n: at, last })}</span>
      <input type="range" min="0" max=${last} value=${at} onInput=${(event) => to(Number(event.currentTarget.value))} />
        </label></div>`;
}
