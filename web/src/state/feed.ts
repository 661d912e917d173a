// Puts the frames of one table into their order: each number once, none left out.

import type { EventFrame, SnapshotFrame } from "../net/protocol.gen";
import { afterEvents, fromSnapshot, type TableState } from "./table";

export interface Feed {
  readonly table: TableState | null;
  /** Frames that came before one that is still missing, by number. */
  readonly early: readonly EventFrame[];
}

export type TableFrame = EventFrame | SnapshotFrame;

export const EMPTY_FEED: Feed = { table: null, early: [] };

const MOST_EARLY = 64;

/** The feed after one more frame, and the commits that thereby came into effect. */
export function receive(feed: Feed, frame: TableFrame): { feed: Feed; applied: EventFrame[] } {
  return frame.t === "snapshot" ? replaced(feed, frame) : drained(feed.table, kept(feed, frame));
}

/** Whether something is missing that has to be asked for. */
export function hasGap(feed: Feed): boolean {
  return feed.early.length > 0;
}

function replaced(feed: Feed, frame: SnapshotFrame): { feed: Feed; applied: EventFrame[] } {
  const older = feed.table !== null && frame.seq < feed.table.seq;
  return drained(older ? feed.table : fromSnapshot(frame), feed.early);
}

function kept(feed: Feed, frame: EventFrame): readonly EventFrame[] {
  if (feed.early.some((held) => held.seq === frame.seq)) {
    return feed.early;
  }
  const frames = [...feed.early, frame].toSorted((one, other) => one.seq - other.seq);
  return frames.slice(0, MOST_EARLY);
}

function drained(
  start: TableState | null,
  frames: readonly EventFrame[],
): { feed: Feed; applied: EventFrame[] } {
  const applied: EventFrame[] = [];
  const early: EventFrame[] = [];
  let table = start;
  for (const frame of frames) {
    if (table !== null && frame.seq === table.seq + 1) {
      table = afterEvents(table, frame);
      applied.push(frame);
    } else if (table === null || frame.seq > table.seq) {
      early.push(frame);
    }
  }
  return { feed: { table, early }, applied };
}
