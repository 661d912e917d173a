// Just enough of the game to make frames for tests and for looking at the page without servers.
// It is no second engine: the rules service is the law, this only has to be believable.

import type { Call, End, Play, Reason, Tile } from "../../src/net/protocol.gen";
import { isDouble, sameTile, weight } from "../../src/game/tiles";

export type Random = () => number;

export function wholeSet(): Tile[] {
  const tiles: Tile[] = [];
  for (let high = 0; high <= 6; high++) {
    for (let low = 0; low <= high; low++) tiles.push([low, high]);
  }
  return tiles;
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}

export function highestDouble(hands: readonly (readonly Tile[])[]): { seat: number; tile: Tile } {
  for (let number = 6; number >= 0; number--) {
    const tile: Tile = [number, number];
    const seat = hands.findIndex((hand) => hand.some((held) => sameTile(held, tile)));
    if (seat >= 0) return { seat, tile };
  }
  throw new Error("no double in any hand");
}

export function playsOf(
  hand: readonly Tile[],
  ends: readonly [number, number] | undefined,
  must: Tile | null,
): Play[] {
  if (ends === undefined) {
    return hand.filter((tile) => must === null || sameTile(tile, must)).map((tile) => ({ tile }));
  }
  return hand.flatMap((tile) => {
    const fits = (["left", "right"] as const).filter((end) => tile.includes(endOf(ends, end)));
    return fits.length === 0 ? [] : [{ tile, ends: fits }];
  });
}

export function endOf(ends: readonly [number, number], end: End): number {
  return end === "left" ? ends[0] : ends[1];
}

export function dominoKind(tile: Tile, ends: readonly [number, number] | undefined): Reason {
  if (ends === undefined) return "domino_simple";
  const [left, right] = ends;
  if (isDouble(tile)) return left === right ? "cruzada" : "domino_double";
  return left !== right && tile.includes(left) && tile.includes(right) ? "la_e_lo" : "domino_simple";
}

export const POINTS: Readonly<Record<Reason, number>> = {
  domino_simple: 1,
  domino_double: 2,
  la_e_lo: 3,
  cruzada: 4,
  count: 1,
  tie: 0,
};

/** What is called for a tile that is not the last one (R30). */
export function callOf(tile: Tile, opening: boolean, after: readonly [number, number], end: End | undefined): Call {
  if (isDouble(tile)) return { kind: "double", number: tile[0] };
  if (opening) return { kind: "opening", number: Math.max(...tile), low: Math.min(...tile) };
  if (after[0] === after[1]) return { kind: "all", number: after[0] };
  return { kind: "end", number: endOf(after, end ?? "left") };
}

/** Who wins a blocked hand: the lowest count; -1 if both teams share it. */
export function lowestCount(hands: readonly (readonly Tile[])[], last: number): number {
  const counts = hands.map((hand) => hand.reduce((sum, tile) => sum + weight(tile), 0));
  const lowest = Math.min(...counts);
  const seats = [0, 1, 2, 3].map((step) => (last + step) % 4).filter((seat) => counts[seat] === lowest);
  const teams = new Set(seats.map((seat) => seat % 2));
  return teams.size > 1 ? -1 : (seats[0] ?? -1);
}
