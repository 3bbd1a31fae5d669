// A tone for a peg, a row and a code that is found, for whoever has asked for sound: made here, so that nothing is
// loaded.

import { useRef } from "../vendor/ui.js";
import { useWhen } from "./when.js";

/** Tones: hertz, one after the other, 90 ms apart. */
const TONES = { peg: [330], row: [440, 554], won: [523, 659, 784, 1047], lost: [294, 247] };
const APART = 0.09;

let speaker = null;

function play(kind) {
  if (typeof AudioContext === "undefined") return;
  speaker ??= new AudioContext();
  TONES[kind].forEach((hertz, place) => {
    const [tone, volume, at] = [speaker.createOscillator(), speaker.createGain(), speaker.currentTime + place * APART];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    tone.connect(volume).connect(speaker.destination);
    tone.start(at);
    tone.stop(at + 0.2);
  });
}

/** Sounds of a game, where `isOn`: `pegs` are set in the row, `rows` answered, `state` is that of the game. */
export function useSound(isOn, { pegs, rows, state }) {
  const before = useRef(null);
  useWhen(() => {
    const was = before.current;
    before.current = { pegs, rows };
    if (!isOn || was === null) return;
    if (rows > was.rows) play(state === "won" ? "won" : state === "lost" ? "lost" : "row");
    else if (rows === was.rows && pegs > was.pegs) play("peg");
  }, [pegs, rows]);
}
