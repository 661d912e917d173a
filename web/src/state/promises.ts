// What the house had promised about a draw when this browser first saw it: only so can it be told
// that the promise was not changed since.

import { recall, remember } from "./settings";

type Promised = readonly (readonly [championship: string, commitment: string])[];

const KEPT = 12;

function kept(): Promised {
  try {
    const read: unknown = JSON.parse(recall("promises") ?? "[]");
    return Array.isArray(read) ? (read as Promised) : [];
  } catch {
    return []; // Written by another version of the page.
  }
}

/** The commitment that was shown first for a championship; this one, if there was none before. */
export function firstPromise(championship: string, commitment: string): string {
  const before = kept();
  const known = before.find(([id]) => id === championship);
  if (known !== undefined) return known[1];
  remember("promises", JSON.stringify([...before, [championship, commitment]].slice(-KEPT)));
  return commitment;
}
