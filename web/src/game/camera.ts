// From units to the pixels of a board.

import type { Box, Placed } from "./layout";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of the board, in pixels. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** A point (x, y) in units is drawn at (this.x + scale·x, this.y + scale·y). */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const LOW_BOARD = 300;
const SMALLEST_TARGET = 44;

/** The board without its border; the speech bubbles hang into its top. */
export function usable(board: Size): Rect {
  const low = board.height < LOW_BOARD;
  const [top, side, bottom] = low ? [12, 12, 12] : [40, 16, 20];
  return {
    x: side,
    y: top,
    width: Math.max(1, board.width - 2 * side),
    height: Math.max(1, board.height - top - bottom),
  };
}

export interface Wish {
  /** No larger than this, in pixels for half a tile. */
  readonly largest?: number;
  /** Times the size that is comfortable for most people, where there is room. */
  readonly times?: number;
}

/** Keeps the opening tile in the middle and moves away from there only as far as needed. */
export function aim(board: Size, box: Box, { largest, times = 1 }: Wish = {}): Camera {
  const area = usable(board);
  const comfortable = times * Math.min(72, Math.max(40, board.width / 19));
  const scale = Math.min(
    comfortable,
    largest ?? comfortable,
    area.width / (box.right - box.left),
    area.height / (box.bottom - box.top),
  );
  const x = shifted(area.x, area.width, box.left * scale, box.right * scale);
  const y = shifted(area.y, area.height, box.top * scale, box.bottom * scale);
  return { x, y, scale };
}

function shifted(start: number, length: number, low: number, high: number): number {
  const middle = start + length / 2;
  const least = start - low;
  const most = start + length - high;
  return Math.min(Math.max(middle, least), Math.max(least, most));
}

/** The rectangle of a placed tile on the board. */
export function onScreen(camera: Camera, tile: Placed): Rect {
  const [width, height] = tile.lying
    ? [2 * camera.scale, camera.scale]
    : [camera.scale, 2 * camera.scale];
  const x = camera.x + tile.x * camera.scale - width / 2;
  const y = camera.y + tile.y * camera.scale - height / 2;
  return { x, y, width, height };
}

/** The same rectangle, large enough for a finger. */
export function touchable(rect: Rect): Rect {
  const width = Math.max(rect.width, SMALLEST_TARGET);
  const height = Math.max(rect.height, SMALLEST_TARGET);
  return {
    x: rect.x - (width - rect.width) / 2,
    y: rect.y - (height - rect.height) / 2,
    width,
    height,
  };
}
