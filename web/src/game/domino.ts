// What the last tile of a hand is worth (R14, R15).

import type { Reason, Tile } from "../net/protocol.gen";
import { isDouble } from "./tiles";

export type Domino = Extract<Reason, "domino_simple" | "domino_double" | "la_e_lo" | "cruzada">;

export const DOMINO_POINTS: Readonly<Record<Domino, number>> = {
  domino_simple: 1,
  domino_double: 2,
  la_e_lo: 3,
  cruzada: 4,
};

/** The kind of domino, read from the two ends before the tile; it is taken for granted that it fits. */
export function dominoOf(tile: Tile, [left, right]: readonly [number, number]): Domino {
  if (isDouble(tile)) return left === right ? "cruzada" : "domino_double";
  const both = left !== right && tile.includes(left) && tile.includes(right);
  return both ? "la_e_lo" : "domino_simple";
}
