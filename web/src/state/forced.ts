// A tile or a pass without a choice may be done by the page itself: off at first, and only at
// tables of friends. The wait is drawn anew each time, so that it tells the others nothing.

import { computed, effect } from "@preact/signals";
import type { End, Tile } from "../net/protocol.gen";
import { isOfficial } from "./names";
import { endsToChoose, lay, mayPass, myTurn, pass, plays } from "./play";
import { locked, table } from "./session";
import { settings } from "./settings";

const SHORTEST = 1_000;
const LONGEST = 4_000;

export type Forced =
  | { readonly kind: "pass" }
  | { readonly kind: "lay"; readonly tile: Tile; readonly end: End | undefined };

/** What is to be done in the open turn, if there is no choice in it. */
export function forcedMove(): Forced | null {
  if (mayPass.value) return { kind: "pass" };
  const [only, ...others] = plays.value;
  if (only === undefined || others.length > 0 || myTurn.value?.choosing) return null;
  const ends = endsToChoose(only);
  return ends.length > 1 ? null : { kind: "lay", tile: only.tile, end: ends[0] };
}

/** How long the page waits with it, in milliseconds; `random` is from 0 to 1. */
export const hesitation = (random: number): number => SHORTEST + random * (LONGEST - SHORTEST);

function act(move: Forced): void {
  if (move.kind === "pass") pass();
  else lay(move.tile, move.end);
}

/** The turn in which the page is to act for the person. */
const due = computed(() => {
  const state = table.value;
  if (!settings.value.forced || locked.value || state === null || isOfficial(state)) return null;
  return forcedMove() === null ? null : (myTurn.value?.turn ?? null);
});

/** Plays what is forced, for as long as the person wants it, until the answer is called. */
export function playForced(): () => void {
  return effect(() => {
    if (due.value === null) return undefined;
    const timer = setTimeout(() => {
      const move = forcedMove();
      if (move !== null) act(move);
    }, hesitation(Math.random()));
    return () => clearTimeout(timer);
  });
}
