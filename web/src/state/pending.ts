// What the person has done and the server has not confirmed yet, shown as if it were.

import { without } from "../game/tiles";
import type { End, Tile } from "../net/protocol.gen";
import { extended, type FullView, type TableState } from "./table";

/** A tile on its way; it is only meant for the turn that it names. */
export interface PendingPlay {
  readonly table: string;
  readonly turn: number;
  readonly tile: Tile;
  readonly end: End | undefined;
}

export interface Shown {
  readonly view: FullView;
  /** Index in the chain of the tile that is on its way. */
  readonly pendingAt: number | null;
}

/** Whether the turn that a command answers is still open. */
export function isOpen(state: TableState, pending: Pick<PendingPlay, "turn" | "table">): boolean {
  return state.id === pending.table && state.view.turn?.turn === pending.turn;
}

/** The view with the pending tile on the table; the bare view once the turn has moved on. */
export function shownView(state: TableState, pending: PendingPlay | null): Shown {
  const { view } = state;
  if (pending === null || !isOpen(state, pending) || view.me === undefined) {
    return { view, pendingAt: null };
  }
  const laid = extended(view, pending.tile, pending.end);
  const shown = { ...view, ...laid, tiles: without(view.tiles, pending.tile) };
  return { view: shown, pendingAt: pending.end === "left" ? 0 : laid.chain.length - 1 };
}
