// Checks that a hand was dealt as the server had bound itself to (docs/fair-deal.md), written from
// that page alone.

import type { Added, HandEnd, Tile } from "../net/protocol.gen";
import { sha256 } from "./sha256";
import { tileKey } from "./tiles";

const LABEL = new TextEncoder().encode("laelo deal 2");
const TILES = 28;
const HAND = 6;

export function fromHex(text: string): Uint8Array {
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function bigEndian(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, number);
  return new Uint8Array(view.buffer);
}

/** One byte after another: block i is the digest of label, seed, what was added, and i. */
function* stream(seed: Uint8Array, added: Uint8Array): Generator<number, never> {
  for (let i = 0; ; i++) yield* sha256(joined(LABEL, seed, added, bigEndian(i)));
}

/** Who added what, in the order of their seats. */
function addedBytes(added: readonly Added[]): Uint8Array {
  const bySeat = added.toSorted((one, other) => one.seat - other.seat);
  return joined(...bySeat.map(({ seat, bytes }) => joined(Uint8Array.of(seat), fromHex(bytes))));
}

/** The order of the 28 tiles that follows from a seed and what was added to it, by their numbers. */
export function orderOf(seed: Uint8Array, added: readonly Added[]): number[] {
  const bytes = stream(seed, addedBytes(added));
  const order = Array.from({ length: TILES }, (_, i) => i);
  for (let place = TILES - 1; place > 0; place--) {
    const n = place + 1;
    let byte = bytes.next().value;
    while (byte >= 256 - (256 % n)) byte = bytes.next().value;
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

export interface Hand {
  readonly commitment: string;
  /** What had been added when the tiles were dealt, as the page was told then. */
  readonly added: readonly Added[];
  readonly end: Pick<HandEnd, "seed" | "hands" | "added">;
  readonly chain: readonly Tile[];
  /** What this page's own bytes are, once the server had taken them. */
  readonly own?: Added | undefined;
}

/** What was found out about a deal; it was fair if all of it is true. */
export interface Proof {
  /** The seed is the one that was promised. */
  readonly seed: boolean;
  /** Nothing that was added has changed since, one's own bytes are there. */
  readonly added: boolean;
  /** Every tile was dealt to whoever had it, and no sleeping one was laid. */
  readonly tiles: boolean;
  /** The 24 tiles that were dealt, six for each seat; the last four go on sleeping (R2). */
  readonly dealt: readonly Tile[];
}

export function prove({ commitment, added, end, chain, own }: Hand): Proof {
  const seed = fromHex(end.seed);
  const used = end.added ?? [];
  const dealt = orderOf(seed, used)
    .slice(0, 4 * HAND)
    .map(tileOf);
  const mine = used.filter(({ seat }) => seat === own?.seat);
  return {
    seed: toHex(sha256(seed)) === commitment,
    added: sameAdded(added, used) && (own === undefined || sameAdded([own], mine)),
    tiles: cameFrom(dealt, end.hands, chain),
    dealt,
  };
}

export function isFair({ seed, added, tiles }: Proof): boolean {
  return seed && added && tiles;
}

function sameAdded(one: readonly Added[], other: readonly Added[]): boolean {
  return toHex(addedBytes(one)) === toHex(addedBytes(other));
}

/** What is left in each hand was dealt to it, and exactly the other dealt tiles were laid. */
function cameFrom(
  dealt: readonly Tile[],
  left: readonly (readonly Tile[])[],
  chain: readonly Tile[],
): boolean {
  const laid: string[] = [];
  for (const [seat, tiles] of left.entries()) {
    const hand = new Set(dealt.slice(HAND * seat, HAND * (seat + 1)).map(tileKey));
    if (!tiles.every((tile) => hand.delete(tileKey(tile)))) return false;
    laid.push(...hand);
  }
  return laid.toSorted().join() === chain.map(tileKey).toSorted().join();
}
