// Checks that a hand was dealt as the server had bound itself to (docs/fair-deal.md), written from
// that page alone.

import type { Added, HandEnd, Tile } from "../net/protocol.gen";
import { ascii, fromHex, joined, toHex } from "./bytes";
import { sha256 } from "./sha256";
import { shuffled, stream } from "./shuffle";
import { tileKey } from "./tiles";

const LABEL = ascii("laelo deal 2");
const TILES = 28;
const HAND = 6;

/** Who added what, in the order of their seats. */
function addedBytes(added: readonly Added[]): Uint8Array {
  const bySeat = added.toSorted((one, other) => one.seat - other.seat);
  return joined(...bySeat.map(({ seat, bytes }) => joined(Uint8Array.of(seat), fromHex(bytes))));
}

/** The order of the 28 tiles that follows from a seed and what was added to it, by their numbers. */
export function orderOf(seed: Uint8Array, added: readonly Added[]): number[] {
  const tiles = Array.from({ length: TILES }, (_, i) => i);
  return shuffled(tiles, stream(LABEL, seed, addedBytes(added)));
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
