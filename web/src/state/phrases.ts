// What the person may say at the table, and how often.

import type { Phrase } from "../net/protocol.gen";
import { allowed, AT_ONCE } from "./rate";
import { ask, table } from "./session";

export const PHRASES: readonly Phrase[] = [
  "hello",
  "good_luck",
  "well_played",
  "thanks",
  "sorry",
  "thinking",
  "again",
  "bye",
];

let spoken: number[] = [];

/** Says something to the table; false if it is too soon for that. */
export function speakUp(phrase: Phrase): boolean {
  const now = performance.now();
  const state = table.value;
  if (state === null || !allowed(spoken, now)) return false;
  spoken = [...spoken.slice(-AT_ONCE), now];
  void ask({ t: "say", table: state.id, d: { phrase } });
  return true;
}
