// Chance that can be done again: bytes from a digest, and a shuffle by them. Deals and draws are
// made of both (docs/fair-deal.md, docs/fair-draw.md).

import { joined } from "./bytes";
import { sha256 } from "./sha256";

export type Stream = Generator<number, never>;

function bigEndian(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, number);
  return new Uint8Array(view.buffer);
}

/** One byte after another: block i is the digest of all parts, and i. */
export function* stream(...parts: readonly Uint8Array[]): Stream {
  const start = joined(...parts);
  for (let i = 0; ; i++) yield* sha256(joined(start, bigEndian(i)));
}

/** A number below n, each as likely as the others: bytes that would favour some are thrown away. */
function below(n: number, bytes: Stream): number {
  let byte = bytes.next().value;
  while (byte >= 256 - (256 % n)) byte = bytes.next().value;
  return byte % n;
}

/** Another order of the same items, by the bytes that come next; from the end to the front. */
export function shuffled<T>(items: readonly T[], bytes: Stream): T[] {
  const order = [...items];
  for (let place = order.length - 1; place > 0; place--) {
    const other = below(place + 1, bytes);
    [order[place], order[other]] = [order[other] as T, order[place] as T];
  }
  return order;
}
