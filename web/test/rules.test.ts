import { describe, expect, it } from "vitest";

import { dominoOf } from "../src/game/domino";
import { tileKey, weight } from "../src/game/tiles";
import type { Tile } from "../src/net/protocol.gen";
import { parse, rulesPath } from "../src/router";
import * as shown from "../src/screens/rules/examples";
import { en } from "../src/screens/rules/words/en";
import { es } from "../src/screens/rules/words/es";
import { pt } from "../src/screens/rules/words/pt";
import { en as lessonEn } from "../src/screens/lesson/words/en";
import { es as lessonEs } from "../src/screens/lesson/words/es";
import { pt as lessonPt } from "../src/screens/lesson/words/pt";

const keys = (tiles: readonly Tile[]) => tiles.map(tileKey);

const CHAINS: Readonly<Record<string, shown.Chain>> = {
  fits: shown.FITS.chain,
  "nothing fits": shown.NOTHING_FITS.chain,
  blocked: shown.BLOCKED,
  ...shown.LAST,
  all: shown.CALLS.all.chain,
  end: shown.CALLS.end.chain,
};

const endsOf = (chain: shown.Chain): [number, number] => [chain[0]?.[0] ?? -1, chain.at(-1)?.[1] ?? -1];

describe.each(Object.entries(CHAINS))("the picture of %s", (_, chain) => {
  it("is a chain of different tiles", () => {
    for (const [i, tile] of chain.slice(1).entries()) expect(tile[0]).toBe(chain[i]?.[1]);
    expect(new Set(keys(chain)).size).toBe(chain.length);
  });
});

const points = (tier: keyof typeof shown.POINTS) => {
  const { places } = shown.POINTS[tier];
  return places.map((_, i) => shown.pointsOf(places, i));
};

describe("the pictures", () => {
  it.each(["domino_simple", "domino_double", "la_e_lo", "cruzada"] as const)("show a %s", (kind) => {
    const before: shown.Chain = shown.LAST[kind].slice(0, -1);
    const last: Tile = shown.LAST[kind][shown.LAST[kind].length - 1] ?? [0, 0];
    expect(dominoOf(last, endsOf(before))).toBe(kind);
  });

  it("show tiles that fit where they say so", () => {
    const { chain, tile, both } = shown.FITS;
    const [left, right] = endsOf(chain);
    expect(tile).toContain(right);
    expect(tile).not.toContain(left);
    expect(both.toSorted()).toEqual([left, right].toSorted());
    const open = endsOf(shown.NOTHING_FITS.chain);
    expect(shown.NOTHING_FITS.hand.filter((held) => open.some((end) => held.includes(end)))).toEqual([]);
  });

  it("show a table that is blocked, with one lowest hand", () => {
    const [left, right] = endsOf(shown.BLOCKED);
    const hands = shown.LEFT_OVER.flat();
    expect(hands.filter((tile) => tile.includes(left) || tile.includes(right))).toEqual([]);
    expect(new Set(keys([...shown.BLOCKED, ...hands])).size).toBe(24);
    const counts = shown.LEFT_OVER.map((hand) => hand.reduce((sum, tile) => sum + weight(tile), 0));
    expect(counts.filter((count) => count === Math.min(...counts))).toHaveLength(1);
  });

  it("have the points of each place", () => {
    expect(points("gold")).toEqual([128, 64, 32, 16, 8, 4, 2, 1]);
    expect(points("silver")).toEqual([32, 16, 8, 4, 2, 1]);
    expect(points("bronze")).toEqual([8, 4, 2, 1]);
  });
});

const placeholders = (text: string) => (text.match(/\{\w+\}|\*/g) ?? []).toSorted();

describe.each([
  ["rules in es", pt, es],
  ["rules in en", pt, en],
  ["lesson in es", lessonPt, lessonEs],
  ["lesson in en", lessonPt, lessonEn],
] as readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>])[])(
  "the words of the %s",
  (_, source, words) => {
    it("are the same in number, with the same placeholders and strong words", () => {
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(source).toSorted());
      for (const [key, text] of Object.entries(words)) {
        expect(text.trim()).not.toBe("");
        expect([key, placeholders(text)]).toEqual([key, placeholders(source[key] ?? "")]);
      }
    });
  },
);

it("has an address for each part", () => {
  expect(parse(rulesPath(null))).toEqual({ page: "rules", at: null });
  expect(parse(rulesPath("batida"))).toEqual({ page: "rules", at: "batida" });
  expect(parse("/regras/r15")).toEqual({ page: "rules", at: "r15" });
  expect(parse("/regras/a/b")).toEqual({ page: "lost" });
});
