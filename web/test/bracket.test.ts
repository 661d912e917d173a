import fc from "fast-check";
import { describe, expect, it } from "vitest";

import vectors from "../../tests/vectors/bracket.json";
import { FakeChampionship } from "../dev/fake/championship";
import { BOX, roundsOf, routesOf, sourcesOf, treeOf } from "../src/game/bracket";
import { nameIn } from "../src/game/match";
import { pathOf, standingOf } from "../src/game/path";
import type { Tier } from "../src/net/protocol.gen";

const ID = "01J00000000000000000000000";
const TIERS = { 4: "bronze", 8: "silver", 16: "gold" } as const;
const SIZES = [4, 8, 16] as const;

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function played(tier: Tier, seed: number, steps: number): FakeChampionship {
  const championship = new FakeChampionship(ID, tier, seeded(seed));
  for (let i = 0; i < steps; i++) championship.step();
  return championship;
}

interface Case {
  readonly given: { readonly size: number; readonly results: readonly (readonly [string, number])[] };
  readonly expect: {
    readonly matches?: Readonly<Record<string, readonly (number | null)[]>>;
    readonly champion?: number | null;
  };
}

const WHOLE = (vectors.cases as unknown as readonly Case[]).filter(({ expect: wanted }) => wanted.matches !== undefined);

describe("the ways through a bracket", () => {
  it.each(WHOLE)("are those of the vectors: $title", ({ given, expect: wanted }) => {
    const championship = new FakeChampionship(ID, TIERS[given.size as 4 | 8 | 16], seeded(1));
    for (const [match, winner] of given.results) {
      const teams = championship.bracket().matches.find(({ id }) => id === match)?.teams ?? [];
      championship.decide(match, teams[0] === winner);
    }
    const { matches, champion } = championship.bracket();
    expect(Object.fromEntries(matches.map(({ id, teams }) => [id, teams]))).toEqual(wanted.matches);
    expect(champion ?? null).toBe(wanted.champion);
  });

  it.each(SIZES)("bring two teams to each match of %i, each from another place", (size) => {
    const taken = [...sourcesOf(size).values()].flat().map(({ match, result }) => `${match} ${result}`);
    expect(new Set(taken).size).toBe(taken.length);
    const routes = routesOf(size);
    expect(routes.size).toBe(2 * size - 1);
    const out = [...routes].filter(([, { loser }]) => loser === null).map(([id]) => id);
    expect(out.every((id) => id.startsWith("L") || id === "F2")).toBe(true);
  });

  it("end with one champion, and every other team out by two defeats", () => {
    fc.assert(
      fc.property(fc.constantFrom("bronze", "silver", "gold"), fc.nat(), (tier: Tier, seed) => {
        const { teams, matches, champion, stage } = played(tier, seed, 40).bracket();
        expect(stage).toBe("over");
        for (const { number, place } of teams) {
          const lost = matches.filter(({ teams: pair, winner }) => pair.includes(number) && winner !== number);
          expect(lost.length === 2 || (number === champion && lost.length < 2)).toBe(true);
          expect(place).toBeDefined();
        }
      }),
    );
  });
});

describe("one team's path", () => {
  it("never shows more than one match that is not decided, and that one last", () => {
    fc.assert(
      fc.property(fc.constantFrom("bronze", "silver", "gold"), fc.nat(), fc.nat(40), (tier: Tier, seed, steps) => {
        const bracket = played(tier, seed, steps).bracket();
        for (const { number } of bracket.teams) {
          const path = pathOf(bracket, number);
          const decided = path.map(({ result }) => result !== null);
          expect(decided.slice(0, -1).every(Boolean)).toBe(true);
          const { kind } = standingOf(bracket, number);
          expect(decided.at(-1)).toBe(kind === "out" || kind === "champion");
          for (const { match, rival, awaits } of path) {
            const real = bracket.matches.find(({ id }) => id === match);
            expect(real).toBeDefined();
            if (rival === null) expect(bracket.matches.some(({ id }) => id === awaits?.match)).toBe(true);
          }
        }
      }),
    );
  });

  it("tells whom a team waits for before the bracket can", () => {
    const championship = new FakeChampionship(ID, "bronze", seeded(1));
    championship.decide("W1-1", true);
    const standing = standingOf(championship.bracket(), 2);
    expect(standing).toMatchObject({
      kind: "waits",
      step: { match: "L1-1", rival: null, awaits: { match: "W1-2", result: "loser" } },
    });
  });

  it("gives one's own points first", () => {
    const championship = new FakeChampionship(ID, "bronze", seeded(1));
    championship.decide("W1-1", false);
    const [first] = pathOf(championship.bracket(), 2);
    expect(first).toMatchObject({ match: "W1-1", rival: 1, result: "won" });
    expect(first?.scores?.[0]).toBe(6);
  });

  it("stops where an operator has stopped it", () => {
    const championship = played("silver", 3, 5);
    championship.cancel("power cut");
    expect(standingOf(championship.bracket(), championship.teamWith(0)).kind).toBe("stopped");
  });
});

describe.each(SIZES)("the tree of %i teams", (size) => {
  const matches = [...new FakeChampionship(ID, TIERS[size], seeded(1)).bracket().matches.map(({ id }) => id), "F2"];
  const tree = treeOf(size, matches);
  const spots = [...tree.spots.values()];

  it("has a place for every match, within its size, and no two overlap", () => {
    expect(tree.spots.size).toBe(matches.length);
    for (const [i, one] of spots.entries()) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + BOX.width).toBeLessThanOrEqual(tree.width);
      expect(one.y).toBeGreaterThanOrEqual(0);
      expect(one.y + BOX.height).toBeLessThanOrEqual(tree.height);
      for (const other of spots.slice(i + 1)) {
        const apart = Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height;
        expect(apart).toBe(true);
      }
    }
  });

  it("puts each match to the right of those that lead to it", () => {
    for (const [id, places] of sourcesOf(size)) {
      for (const { match } of places) {
        const [before, after] = [tree.spots.get(match), tree.spots.get(id)];
        expect(after?.x).toBeGreaterThanOrEqual(before?.x ?? 0);
        if (id !== "F2") expect(after?.x).toBeGreaterThan(before?.x ?? 0);
      }
    }
  });

  it("names its rounds in the order in which they are played", () => {
    const rounds = roundsOf(matches);
    expect(rounds[0]).toBe("W1");
    expect(rounds.at(-1)).toBe("F");
    expect(rounds.indexOf("L1")).toBeLessThan(rounds.indexOf("L2"));
    expect(tree.heads.size).toBe(rounds.length);
  });
});

it("reads the names of matches and nothing else", () => {
  expect(nameIn("W3-2")).toEqual({ side: "W", round: 3, number: 2 });
  expect(nameIn("F2")).toEqual({ side: "F", round: 2, number: 1 });
  expect(() => nameIn("X1-1")).toThrow();
});
