import fc from "fast-check";
import { describe, expect, it } from "vitest";

import vectors from "../../tests/vectors/fair-deal.json";
import { fromHex, isFair, orderOf, tileOf, toHex } from "../src/game/deal";
import type { Tile } from "../src/net/protocol.gen";

describe.each(vectors.vectors)("the seed $seed", ({ seed, commitment, order }) => {
  const tiles = order.map(tileOf);
  const hands = [0, 1, 2, 3].map((seat) => tiles.slice(6 * seat, 6 * seat + 6));
  /** As if each seat had laid its first tiles. */
  const chain = hands.flatMap((hand, seat) => hand.slice(0, seat + 1));
  const left = hands.map((hand, seat) => hand.slice(seat + 1));

  it("gives its order", async () => {
    expect(await orderOf(fromHex(seed))).toEqual(order);
  });

  it("is fair if everything came from where it was dealt to", async () => {
    expect(await isFair({ commitment, end: { seed, hands: left }, chain })).toBe(true);
  });

  it("is unfair with another seed than was promised", async () => {
    const other = `ff${commitment.slice(2)}`.replace(/^ffff/, "00");
    expect(await isFair({ commitment: other, end: { seed, hands: left }, chain })).toBe(false);
  });

  it("is unfair if two hands were exchanged", async () => {
    const swapped = [left[1], left[0], left[2], left[3]] as Tile[][];
    expect(await isFair({ commitment, end: { seed, hands: swapped }, chain })).toBe(false);
  });

  it("is unfair if a sleeping tile was laid", async () => {
    const woken = [...chain.slice(1), tiles[27] as Tile];
    expect(await isFair({ commitment, end: { seed, hands: left }, chain: woken })).toBe(false);
  });
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
