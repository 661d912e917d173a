import type { Tile } from "../net/protocol.gen";

/** A name for a tile that is the same whichever way it is turned. */
export function tileKey(tile: Tile): string {
  return tile[0] < tile[1] ? `${tile[0]}|${tile[1]}` : `${tile[1]}|${tile[0]}`;
}

export function sameTile(one: Tile, other: Tile): boolean {
  return tileKey(one) === tileKey(other);
}

export function isDouble(tile: Tile): boolean {
  return tile[0] === tile[1];
}

export function weight(tile: Tile): number {
  return tile[0] + tile[1];
}

export function without(tiles: readonly Tile[], tile: Tile): readonly Tile[] {
  return tiles.filter((held) => !sameTile(held, tile));
}

/** The tile turned so that it can be laid at the left end, which shows `end`. */
export function turnedForLeft(tile: Tile, end: number): Tile {
  return tile[1] === end ? tile : [tile[1], tile[0]];
}

/** The tile turned so that it can be laid at the right end, which shows `end`. */
export function turnedForRight(tile: Tile, end: number): Tile {
  return tile[0] === end ? tile : [tile[1], tile[0]];
}
