// Whom the person does not want to hear. The client's own business: nobody is told.

import { signal } from "@preact/signals";
import type { TableState } from "./table";

const muted = signal<ReadonlySet<string>>(new Set());

/** A person keeps their silence only in the seat where they were given it. */
function keyOf({ id, view }: TableState, seat: number): string {
  return `${id} ${seat} ${view.seats[seat]?.name ?? ""}`;
}

export function isMuted(state: TableState, seat: number): boolean {
  return muted.value.has(keyOf(state, seat));
}

export function mute(state: TableState, seat: number, silent: boolean): void {
  const next = new Set(muted.value);
  if (silent) next.add(keyOf(state, seat));
  else next.delete(keyOf(state, seat));
  muted.value = next;
}
