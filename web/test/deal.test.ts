import fc from "fast-check";
import { describe, expect, it } from "vitest";

import vectors from "../../tests/vectors/fair-deal.json";
import { fromHex, toHex } from "../src/game/bytes";
import { isFair, orderOf, prove, tileOf } from "../src/game/deal";
import { sha256 } from "../src/game/sha256";
import type { Added, Tile } from "../src/net/protocol.gen";

interface Vector {
  readonly seed: string;
  readonly commitment: string;
  readonly added?: readonly Added[];
  readonly order: readonly number[];
}

describe.each(vectors.vectors as readonly Vector[])("the seed $seed", (vector) => {
  const { seed, commitment, added = [], order } = vector;
  const tiles = order.map(tileOf);
  const hands = [0, 1, 2, 3].map((seat) => tiles.slice(6 * seat, 6 * seat + 6));
  /** As if each seat had laid its first tiles. */
  const chain = hands.flatMap((hand, seat) => hand.slice(0, seat + 1));
  const left = hands.map((hand, seat) => hand.slice(seat + 1));
  const end = { seed, hands: left, added };
  const hand = { commitment, added, end, chain };

  it("gives its order", () => {
    expect(orderOf(fromHex(seed), added)).toEqual(order);
  });

  it("is fair if everything came from where it was dealt to", () => {
    const proof = prove(hand);
    expect(isFair(proof)).toBe(true);
    expect(proof.dealt).toEqual(tiles.slice(0, 24));
  });

  it("is unfair with another seed than was promised", () => {
    const other = `ff${commitment.slice(2)}`.replace(/^ffff/, "00");
    expect(prove({ ...hand, commitment: other })).toMatchObject({ seed: false, added: true, tiles: true });
  });

  it("is unfair if two hands were exchanged", () => {
    const exchanged = [left[1], left[0], left[2], left[3]] as Tile[][];
    expect(prove({ ...hand, end: { ...end, hands: exchanged } }).tiles).toBe(false);
  });

  it("is unfair if a sleeping tile was laid", () => {
    const woken = [...chain.slice(1), tiles[27] as Tile];
    expect(prove({ ...hand, chain: woken }).tiles).toBe(false);
  });

  it("is unfair if other bytes were used than had been announced", () => {
    const announced = [...added.slice(1), { seat: 3, bytes: "f0".repeat(16) }];
    expect(prove({ ...hand, added: announced }).added).toBe(false);
  });

  it("is unfair if one's own bytes were taken and not used", () => {
    const own = { seat: 2, bytes: "ab".repeat(16) };
    expect(prove({ ...hand, own }).added).toBe(false);
  });

  it("is fair if one's own bytes were used", () => {
    for (const own of added) expect(isFair(prove({ ...hand, own }))).toBe(true);
  });
});

it("gives another order for other bytes, whoever added them", () => {
  const bytes = fc.array(fc.nat(255), { minLength: 16, maxLength: 16 }).map((all) => toHex(Uint8Array.from(all)));
  const added = fc
    .uniqueArray(fc.record({ seat: fc.nat(3), bytes }), { selector: ({ seat }) => seat, minLength: 1 })
    .map((all) => all as readonly Added[]);
  const seed = new Uint8Array(32);
  fc.assert(
    fc.property(added, (all) => {
      expect(orderOf(seed, all)).not.toEqual(orderOf(seed, []));
      expect(orderOf(seed, all.toReversed())).toEqual(orderOf(seed, all));
      expect(orderOf(seed, all).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 28 }, (_, i) => i));
    }),
  );
});

it("names all tiles by number", () => {
  const names = Array.from({ length: 28 }, (_, number) => tileOf(number).join("|"));
  expect(new Set(names).size).toBe(28);
  expect(names.slice(0, 4)).toEqual(["0|0", "0|1", "1|1", "0|2"]);
  expect(names[27]).toBe("6|6");
});

it("reads back the hex that it writes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromHex(toHex(Uint8Array.from(bytes)))).toEqual(Uint8Array.from(bytes));
    }),
  );
});

function bytesOf(text: string): Uint8Array {
  return sha256(new TextEncoder().encode(text));
}

it("gives ten thousand deals the same orders as the server", () => {
  const { count, digest } = vectors.many;
  const orders = new Uint8Array(count * 28);
  for (let number = 0; number < count; number += 1) {
    const seats = [0, 1, 2, 3].filter((seat) => (number >> seat) & 1);
    const added = seats.map((seat) => ({
      seat,
      bytes: toHex(bytesOf(`laelo deal ${number} seat ${seat}`).slice(0, 16)),
    }));
    orders.set(orderOf(bytesOf(`laelo deal ${number}`), added), number * 28);
  }
  expect(toHex(sha256(orders))).toBe(digest);
}, 60_000);
