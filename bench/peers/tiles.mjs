// Tiles, hands as bit masks, and which tiles may be laid: what server and clients both know.

export const SEATS = [0, 1, 2, 3];

/** All 28 tiles as [low, high]; a tile's number is its place here, as on our engine, and its bit
 * in a hand. */
export const TILES = [];
for (let high = 0; high <= 6; high++) {
  for (let low = 0; low <= high; low++) TILES.push([low, high]);
}

export const maskOf = (tiles) => tiles.reduce((mask, tile) => mask | (1 << tile), 0);

export const tilesIn = (mask) => TILES.flatMap((_, tile) => ((mask >> tile) & 1 ? [tile] : []));

export const isDouble = (tile) => TILES[tile][0] === TILES[tile][1];

/** What a hand counts when the table is blocked (R17). */
export const count = (mask) =>
  tilesIn(mask).reduce((sum, tile) => sum + TILES[tile][0] + TILES[tile][1], 0);

/** All tiles that show a number. */
const SHOWING = Array.from({ length: 7 }, (_, number) =>
  maskOf(TILES.flatMap((tile, at) => (tile.includes(number) ? [at] : []))),
);

/** The tiles of a hand that may be laid (R4, R7, R9); `ends` is empty before the first one. */
export function playable(hand, ends, mustOpen) {
  if (ends.length) return hand & (SHOWING[ends[0]] | SHOWING[ends[1]]);
  return mustOpen < 0 ? hand : 1 << mustOpen;
}

/** The ends at which a tile fits, 0 left and 1 right; none on the empty table (R7, R8). */
export const endsFitted = (tile, ends) =>
  ends.flatMap((number, end) => (TILES[tile].includes(number) ? [end] : []));
