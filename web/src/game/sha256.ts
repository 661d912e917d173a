// SHA-256 (FIPS 180-4). Browsers offer it only to pages that came over TLS, and a deal can be
// checked on any page.

const ROUNDS = 64;
const BLOCK = 64;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

/** The first 32 bits behind the point. */
const fraction = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;

const PRIMES = primes(ROUNDS);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ADDED = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const turned = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** The message, a one, zeros, and its length in bits, in whole blocks. */
function padded(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length << 3);
  return view;
}

function schedule(data: DataView, offset: number): Int32Array {
  const words = new Int32Array(ROUNDS);
  for (let i = 0; i < 16; i++) words[i] = data.getInt32(offset + 4 * i);
  const at = (i: number) => words[i] as number;
  for (let i = 16; i < ROUNDS; i++) {
    const [one, two] = [at(i - 15), at(i - 2)];
    const small = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3);
    const large = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
    words[i] = at(i - 16) + small + at(i - 7) + large;
  }
  return words;
}

type State = [number, number, number, number, number, number, number, number];

function compressed(state: State, words: Int32Array): State {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i++) {
    const large = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + large + choice + (ADDED[i] as number) + (words[i] as number)) | 0;
    const small = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    // One by one: on their first use a browser takes far longer for them as a list.
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + small + majority) | 0;
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + (state[i] as number)) | 0) as State;
}

export function sha256(message: Uint8Array): Uint8Array {
  const data = padded(message);
  let state = START as State;
  for (let offset = 0; offset < data.byteLength; offset += BLOCK) {
    state = compressed(state, schedule(data, offset));
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setInt32(4 * i, word);
  return new Uint8Array(digest.buffer);
}
