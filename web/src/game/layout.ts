// Where each tile of the chain lies. The unit is half a tile; the origin is the centre of the
// opening tile. The chain winds like a snake in two arms: the right one only ever grows downwards,
// the left one is the same thing point-reflected, so the two can't meet.

import type { End, Tile } from "../net/protocol.gen";
import { isDouble } from "./tiles";

/** Space between two tiles. */
export const GAP = 0.08;

/** Numbers that stay as they are for a whole hand, so that no placed tile ever moves. */
export interface Grid {
  /** Rows have air between them; without it more tiles fit. */
  readonly roomy: boolean;
  /** The main axis runs down the board instead of across it. */
  readonly vertical: boolean;
  /** Length of a row. */
  readonly width: number;
}

/** A tile in its place: `a` is its left or upper half, `b` its right or lower one. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly lying: boolean;
  readonly a: number;
  readonly b: number;
}

/** A rectangle in units. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The growing end of an arm, as if it were the right one of a horizontal chain. */
export interface Arm {
  readonly edge: number;
  readonly row: number;
  readonly dir: 1 | -1;
  /** Where the corner tile stands, as long as nothing follows it. */
  readonly corner: number | null;
}

export interface Layout {
  readonly tiles: readonly Placed[];
  readonly left: Arm;
  readonly right: Arm;
}

/** A tile as an arm sees it: the half that touches the chain, and the one that will be open. */
interface Link {
  readonly inner: number;
  readonly outer: number;
}

const ROOMY_FROM = 27;
const ROOMY = { pitch: 3 + 2 * GAP, capacity: 62 };
const TIGHT = { pitch: 2 + GAP, capacity: 70 };
const SHORTEST_ROW = 7;

/** The grid for a usable rectangle of this size in pixels. */
export function gridFor(width: number, height: number): Grid {
  const roomy = Math.sqrt((width * height) / (ROOMY.capacity * ROOMY.pitch)) >= ROOMY_FROM;
  const { pitch, capacity } = roomy ? ROOMY : TIGHT;
  const long = Math.max(width, height);
  const short = Math.max(1, Math.min(width, height));
  const row = Math.max(SHORTEST_ROW, Math.sqrt((capacity * pitch * long) / short));
  return { roomy, vertical: height > width, width: row };
}

/** The next tile of an arm, and the arm after it. */
function extend(grid: Grid, arm: Arm, { inner, outer }: Link): [Placed, Arm] {
  const { edge, row, dir } = arm;
  const half = grid.width / 2;
  const room = (dir > 0 ? half - edge : edge + half) - GAP;
  const double = inner === outer;
  const [back, front] = dir > 0 ? [inner, outer] : [outer, inner];
  if (grid.roomy && arm.corner !== null && double) {
    const tile = { x: arm.corner, y: row, lying: true, a: inner, b: outer };
    return [tile, { edge: arm.corner + dir, row, dir, corner: null }];
  }
  // A double stands across only if an ordinary tile fits behind it.
  if (double && room >= 1 + GAP + 2) {
    const tile = { x: edge + dir * (GAP + 0.5), y: row, lying: false, a: inner, b: outer };
    return [tile, { edge: edge + dir * (GAP + 1), row, dir, corner: null }];
  }
  if (!double && room >= 2) {
    const tile = { x: edge + dir * (GAP + 1), y: row, lying: true, a: back, b: front };
    return [tile, { edge: edge + dir * (GAP + 2), row, dir, corner: null }];
  }
  return turn(grid, arm, { inner, outer });
}

/** A tile that goes round the corner: it stands below the last half of the row. */
function turn(grid: Grid, arm: Arm, { inner, outer }: Link): [Placed, Arm] {
  const x = arm.edge - arm.dir * 0.5;
  const dir = arm.dir > 0 ? -1 : 1;
  const tile = { x, y: arm.row + 0.5 + GAP + 1, lying: false, a: inner, b: outer };
  const { pitch } = grid.roomy ? ROOMY : TIGHT;
  const edge = grid.roomy ? x - dir * (0.5 + GAP) : x + dir * 0.5;
  return [tile, { edge, row: arm.row + pitch, dir, corner: x }];
}

const transposed = (tile: Placed): Placed => ({
  ...tile,
  x: tile.y,
  y: tile.x,
  lying: !tile.lying,
});

const reflected = (tile: Placed): Placed => ({
  ...tile,
  x: -tile.x,
  y: -tile.y,
  a: tile.b,
  b: tile.a,
});

/** From an arm's own view to the board. */
function onBoard(grid: Grid, end: End, tile: Placed): Placed {
  const placed = end === "left" ? reflected(tile) : tile;
  return grid.vertical ? transposed(placed) : placed;
}

function grow(grid: Grid, start: Arm, end: End, links: readonly Link[]): [Placed[], Arm] {
  const tiles: Placed[] = [];
  let arm = start;
  for (const link of links) {
    const [tile, next] = extend(grid, arm, link);
    tiles.push(onBoard(grid, end, tile));
    arm = next;
  }
  return [tiles, arm];
}

/** Places a chain, which lies left to right; `opened` is the index of its opening tile. */
export function layOut(grid: Grid, chain: readonly Tile[], opened: number): Layout {
  const first = chain[opened];
  const double = first !== undefined && isDouble(first);
  const start: Arm = { edge: double ? 0.5 : 1, row: 0, dir: 1, corner: null };
  if (first === undefined) {
    return { tiles: [], left: start, right: start };
  }
  const opening = onBoard(grid, "right", { x: 0, y: 0, lying: !double, a: first[0], b: first[1] });
  const leftLinks = chain
    .slice(0, opened)
    .toReversed()
    .map(([outer, inner]) => ({ inner, outer }));
  const rightLinks = chain.slice(opened + 1).map(([inner, outer]) => ({ inner, outer }));
  const [before, left] = grow(grid, start, "left", leftLinks);
  const [after, right] = grow(grid, start, "right", rightLinks);
  return { tiles: [...before.toReversed(), opening, ...after], left, right };
}

/** Where a tile would come to lie at an end that shows `open`. */
export function placeAt(grid: Grid, layout: Layout, end: End, tile: Tile, open: number): Placed {
  const inner = open;
  const outer = tile[0] === open ? tile[1] : tile[0];
  const [placed] = extend(grid, layout[end], { inner, outer });
  return onBoard(grid, end, placed);
}

/** The next place of an ordinary tile at an end. */
export function slotAt(grid: Grid, layout: Layout, end: End): Placed {
  const [placed] = extend(grid, layout[end], { inner: 0, outer: 1 });
  return onBoard(grid, end, placed);
}

export function boxOf(tile: Placed): Box {
  const [w, h] = tile.lying ? [1, 0.5] : [0.5, 1];
  return { left: tile.x - w, right: tile.x + w, top: tile.y - h, bottom: tile.y + h };
}

/** The smallest box around some tiles; the opening tile's place if there are none. */
export function boxAround(tiles: readonly Placed[]): Box {
  const boxes = tiles.map(boxOf);
  if (boxes.length === 0) {
    return { left: -1, right: 1, top: -1, bottom: 1 };
  }
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}
