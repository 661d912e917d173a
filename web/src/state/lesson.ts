// The first match with hints: at which table it is, and whether to offer it unasked.

import { signal } from "@preact/signals";
import { go, tablePath } from "../router";
import { openTable } from "./doors";
import { recall, remember, visitStore } from "./settings";

const stored = visitStore("lesson");

/** The table at which hints are given. */
export const lessonAt = signal<string | null>(stored.read());

const KNOWN = "knows";

/** Nobody on this device has played a match, taken a lesson or declined one. */
export const newcomer = signal(recall(KNOWN) === null);

export function knowsTheGame(): void {
  if (!newcomer.value) return;
  newcomer.value = false;
  remember(KNOWN, "yes");
}

/** A match against three bots, with hints. */
export function startLesson(): void {
  knowsTheGame();
  const id = openTable({}, true);
  stored.keep(id);
  lessonAt.value = id;
  go(tablePath(id));
}

/** The match goes on without hints. */
export function endLesson(): void {
  stored.keep(null);
  lessonAt.value = null;
}
