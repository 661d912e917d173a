// Checks that a hand was dealt as the server had bound itself to (docs/fair-deal.md), written from
// that page alone.

import type { HandEnd, Tile } from "../net/protocol.gen";
import { tileKey } from "./tiles";

const LABEL = new TextEncoder().encode("laelo deal 1");
const TILES = 28;
const HAND = 6;

type Bytes = Uint8Array<ArrayBuffer>;

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export function fromHex(text: string): Bytes {
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The seed's bytes, one after another: block i is the digest of label, seed and i. */
async function* stream(seed: Bytes): AsyncGenerator<number, never> {
  for (let i = 0; ; i++) {
    const block = new Uint8Array(LABEL.length + seed.length + 4);
    block.set(LABEL);
    block.set(seed, LABEL.length);
    new DataView(block.buffer).setUint32(LABEL.length + seed.length, i);
    yield* await sha256(block);
  }
}

/** The order of the 28 tiles that follows from a seed, by their numbers. */
export async function orderOf(seed: Bytes): Promise<number[]> {
  const bytes = stream(seed);
  const order = Array.from({ length: TILES }, (_, i) => i);
  for (let place = TILES - 1; place > 0; place--) {
    const n = place + 1;
    let byte = (await bytes.next()).value;
    while (byte >= 256 - (256 % n)) byte = (await bytes.next()).value;
    const other = byte % n;
    [order[place], order[other]] = [order[other] ?? 0, order[place] ?? 0];
  }
  return order;
}

/** Tile a|b with a ≥ b has the number a(a + 1)/2 + b. */
export function tileOf(number: number): Tile {
  const high = Math.floor((Math.sqrt(8 * number + 1) - 1) / 2);
  return [number - (high * (high + 1)) / 2, high];
}

interface Hand {
  readonly commitment: string;
  readonly end: Pick<HandEnd, "seed" | "hands">;
  readonly chain: readonly Tile[];
}

/**
 * Whether the seed is the one that was promised, what is left in each hand was dealt to it, and
 * exactly the other dealt tiles lie on the table.
 */
export async function isFair({ commitment, end, chain }: Hand): Promise<boolean> {
  const seed = fromHex(end.seed);
  if (toHex(await sha256(seed)) !== commitment) return false;
  const order = (await orderOf(seed)).map((number) => tileKey(tileOf(number)));
  const laid: string[] = [];
  for (const [seat, left] of end.hands.entries()) {
    const dealt = new Set(order.slice(HAND * seat, HAND * (seat + 1)));
    if (!left.every((tile) => dealt.delete(tileKey(tile)))) return false;
    laid.push(...dealt);
  }
  return laid.toSorted().join() === chain.map(tileKey).toSorted().join();
}
