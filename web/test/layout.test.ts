import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { shuffled, wholeSet } from "../dev/fake/rules";
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
import { extended } from "../src/state/table";
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

/** A chain as long as it gets from a shuffled set, growing to the left as often as wanted. */
function grownFrom(seed: number, leftShare: number, length: number): Chain {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const tiles = shuffled(wholeSet(), random);
  const first = tiles.pop() as Tile;
  let line = extended({ chain: [], opened: 0 }, first, undefined);
  const grown: End[] = [];
  while (line.chain.length < length) {
    const wanted: End = random() < leftShare ? "left" : "right";
    const fitting = (end: End) =>
      tiles.findIndex((tile) => tile.includes((line.ends as [number, number])[end === "left" ? 0 : 1]));
    const other: End = wanted === "left" ? "right" : "left";
    const end = fitting(wanted) >= 0 || leftShare === 0 || leftShare === 1 ? wanted : other;
    const index = fitting(end);
    if (index < 0) break;
    line = extended(line, tiles.splice(index, 1)[0] as Tile, end);
    grown.push(end);
  }
  return { chain: line.chain, opened: line.opened, grown };
}

const chains = fc
  .record({
    seed: fc.integer({ min: 1, max: 2 ** 30 }),
    leftShare: fc.constantFrom(0, 0.5, 0.5, 0.8, 1),
    length: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ seed, leftShare, length }) => grownFrom(seed, leftShare, length));

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
      { numRuns: 300 },
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
      { numRuns: 60 },
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
      { numRuns: 200 },
    );
  });

  it("shows every tile and both next places inside the border", () => {
    fc.assert(
      fc.property(chains, ({ chain, opened }) => {
        const layout = layOut(grid, chain, opened);
        const all = [...layout.tiles, slotAt(grid, layout, "left"), slotAt(grid, layout, "right")];
        const camera = aim(board, boxAround(all));
        return all.every((tile) => {
          const rect = onScreen(camera, tile);
          const right = area.x + area.width - rect.x - rect.width;
          const bottom = area.y + area.height - rect.y - rect.height;
          return Math.min(rect.x - area.x, rect.y - area.y, right, bottom) >= -1e-6;
        });
      }),
      { numRuns: 300 },
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
