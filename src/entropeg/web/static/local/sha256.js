// SHA-256 in plain JavaScript: browsers have `crypto.subtle` on secure addresses alone, and a school's server is none.

const primes = (count) => {
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
};
/** The first 32 bits after the point. */
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The bytes, a one bit, zeros and the number of its bits: whole blocks of 64 bytes. */
function padded(given) {
  const bytes = new Uint8Array(64 * Math.ceil((given.length + 9) / 64));
  bytes.set(given);
  bytes[given.length] = 0x80;
  new DataView(bytes.buffer).setUint32(bytes.length - 4, 8 * given.length);
  return bytes;
}

function mixed(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[i] + words[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h];
}

/** The SHA-256 of bytes: 32 of them. */
export function sha256(given) {
  const bytes = padded(given);
  const view = new DataView(bytes.buffer);
  const [state, words] = [START.slice(), new Int32Array(64)];
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [x, y] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + words[i - 7]
        + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    mixed(state, words).forEach((word, i) => { state[i] += word; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** The first 48 bits of the SHA-256 of a text, a whole number. */
export const drawn = (text) => sha256(new TextEncoder().encode(text)).slice(0, 6)
  .reduce((value, byte) => value * 256 + byte, 0);
