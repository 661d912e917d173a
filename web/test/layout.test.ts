import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { wholeSet } from "../dev/fake/rules";
import { aim, onScreen, usable, type Size } from "../src/game/camera";
import {
  GAP,
  boxAround,
  boxOf,
  gridFor,
  layOut,
  placeAt,
  slotAt,
  type Grid,
  type Placed,
} from "../src/game/layout";
import { tileKey } from "../src/game/tiles";
import type { End, Tile } from "../src/net/protocol.gen";

const BOARDS: Readonly<Record<string, Size>> = {
  "320x568": { width: 308, height: 262 },
  "360x640": { width: 348, height: 334 },
  "390x844": { width: 378, height: 510 },
  "844x390": { width: 560, height: 314 },
  "1280x800": { width: 960, height: 518 },
  "1920x1080": { width: 1600, height: 798 },
};

const EPSILON = 1e-9;

interface Chain {
  readonly chain: readonly Tile[];
  readonly opened: number;
  readonly grown: readonly End[];
}

/** All 28 tiles in one line: every number has an even count of halves, so there is one. */
function wholeLine(order: readonly Tile[]): Tile[] {
  const left = [...order];
  const walk = (from: number): Tile[] => {
    const at = left.findIndex((tile) => tile.includes(from));
    const [tile] = at < 0 ? [] : left.splice(at, 1);
    if (tile === undefined) return [];
    const to = tile[0] === from ? tile[1] : tile[0];
    const rest = walk(to);
    // What the walk has left lying is a round trip from here, to be made before going on.
    return [...walk(from), [from, to], ...rest];
  };
  return walk((order[0] as Tile)[0]);
}

/** Which end grew when, from the opening tile until the chain is whole. */
function growth(opened: number, length: number, turns: readonly boolean[]): End[] {
  let [left, right] = [opened, length - 1 - opened];
  return turns.slice(0, length - 1).map((wantsLeft) => {
    const end: End = right === 0 || (wantsLeft && left > 0) ? "left" : "right";
    if (end === "left") left -= 1;
    else right -= 1;
    return end;
  });
}

/** Chains of 1 to 28 tiles that grow evenly, more to one side, or to one side alone. */
const chains: fc.Arbitrary<Chain> = fc
  .record({
    order: fc.shuffledSubarray([...wholeSet()], { minLength: 28 }),
    length: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant(28)),
    leftShare: fc.constantFrom(0, 0.5, 0.5, 0.8, 1),
    turns: fc.array(fc.boolean(), { minLength: 27, maxLength: 27 }),
  })
  .map(({ order, length, leftShare, turns }) => {
    const chain = wholeLine(order).slice(0, length);
    const opened = Math.round((length - 1) * leftShare);
    return { chain, opened, grown: growth(opened, length, turns) };
  });

function apart(one: Placed, other: Placed): boolean {
  const a = boxOf(one);
  const b = boxOf(other);
  const dx = Math.max(a.left - b.right, b.left - a.right);
  const dy = Math.max(a.top - b.bottom, b.top - a.bottom);
  return Math.max(dx, dy) >= GAP - EPSILON;
}

/** The centres of a tile's two halves with their numbers; a double joins by its middle. */
function halves({ x, y, lying, a, b }: Placed) {
  if (a === b) return [{ x, y, number: a }];
  const [dx, dy] = lying ? [0.5, 0] : [0, 0.5];
  return [
    { x: x - dx, y: y - dy, number: a },
    { x: x + dx, y: y + dy, number: b },
  ];
}

/** The numbers that neighbours in the chain show each other, where their halves are closest. */
function touching(one: Placed, other: Placed): [number, number] {
  const pairs = halves(one).flatMap((a) =>
    halves(other).map((b) => ({ a, b, distance: Math.hypot(a.x - b.x, a.y - b.y) })),
  );
  const nearest = pairs.reduce((best, pair) => (pair.distance < best.distance ? pair : best));
  return [nearest.a.number, nearest.b.number];
}

it("makes chains of all 28 tiles", () => {
  fc.assert(
    fc.property(chains, ({ chain, opened, grown }) => {
      const joins = chain.slice(1).every((tile, i) => tile[0] === (chain[i] as Tile)[1]);
      const all = new Set(chain.map((tile) => tileKey(tile)));
      expect([joins, all.size, grown.length]).toEqual([true, chain.length, chain.length - 1]);
      expect(grown.filter((end) => end === "left")).toHaveLength(opened);
    }),
  );
});

describe.each(Object.entries(BOARDS))("on the board of %s", (_, board) => {
  const area = usable(board);
  const grid: Grid = gridFor(area.width, area.height);

  it("keeps any two tiles apart", () => {
    fc.assert(
      fc.property(chains, ({ chain, opened }) => {
        const { tiles } = layOut(grid, chain, opened);
        const pairs = tiles.flatMap((one, i) => tiles.slice(i + 1).map((other) => [one, other] as const));
        return pairs.every(([one, other]) => apart(one, other));
      }),
      { numRuns: 1500 },
    );
  });

  it("never moves a tile that lies", () => {
    fc.assert(
      fc.property(chains, ({ chain, opened, grown }) => {
        const { tiles } = layOut(grid, chain, opened);
        let [from, to] = [opened, opened + 1];
        for (const end of grown) {
          if (end === "left") from -= 1;
          else to += 1;
          const earlier = layOut(grid, chain.slice(from, to), opened - from);
          expect(earlier.tiles).toEqual(tiles.slice(from, to));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("lets equal numbers touch", () => {
    fc.assert(
      fc.property(chains, ({ chain, opened }) => {
        const { tiles } = layOut(grid, chain, opened);
        return tiles.slice(1).every((tile, i) => {
          const [one, other] = touching(tiles[i] as Placed, tile);
          return one === other;
        });
      }),
      { numRuns: 500 },
    );
  });

  it("shows every tile and both next places inside the border", () => {
    fc.assert(
      fc.property(chains, fc.constantFrom(0.8, 1, 1.25), ({ chain, opened }, times) => {
        const layout = layOut(grid, chain, opened);
        const all = [...layout.tiles, slotAt(grid, layout, "left"), slotAt(grid, layout, "right")];
        const camera = aim(board, boxAround(all), { times });
        return all.every((tile) => {
          const rect = onScreen(camera, tile);
          const right = area.x + area.width - rect.x - rect.width;
          const bottom = area.y + area.height - rect.y - rect.height;
          return Math.min(rect.x - area.x, rect.y - area.y, right, bottom) >= -1e-6;
        });
      }),
      { numRuns: 1500 },
    );
  });

  it("puts a ghost where the tile then comes to lie", () => {
    fc.assert(
      fc.property(chains, ({ chain, opened, grown }) => {
        const end = grown.at(-1);
        fc.pre(end !== undefined);
        const [before, at, tile] =
          end === "left"
            ? [chain.slice(1), opened - 1, chain[0]]
            : [chain.slice(0, -1), opened, chain.at(-1)];
        const open = end === "left" ? tile?.[1] : tile?.[0];
        const ghost = placeAt(grid, layOut(grid, before, at), end as End, tile as Tile, open ?? 0);
        const placed = layOut(grid, chain, opened).tiles.at(end === "left" ? 0 : -1);
        expect(ghost).toEqual(placed);
      }),
      { numRuns: 100 },
    );
  });
});

it("chooses the roomy grid where tiles stay large enough", () => {
  expect(gridFor(288, 202).roomy).toBe(false);
  expect(gridFor(346, 450)).toMatchObject({ roomy: true, vertical: true });
  expect(gridFor(928, 458)).toMatchObject({ roomy: true, vertical: false });
});
