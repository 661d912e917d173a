import fc from "fast-check";
import { describe, expect, it } from "vitest";

import vectors from "../../tests/vectors/fair-draw.json";
import { ANIMAL_IDS, FakeChampionship } from "../dev/fake/championship";
import { ascii, fromHex, toHex } from "../src/game/bytes";
import { draw, isKept, proveDraw, tableOf } from "../src/game/draw";
import { sha256 } from "../src/game/sha256";
import type { Bracket } from "../src/net/protocol.gen";

const ID = "01J00000000000000000000000";

it("knows the animals of the vectors", () => {
  expect(ANIMAL_IDS).toEqual(vectors.animals);
});

describe.each(vectors.vectors)("the seed $seed", ({ seed, commitment, players, teams }) => {
  it("gives its teams and animals", () => {
    expect(toHex(sha256(fromHex(seed)))).toBe(commitment);
    expect(draw(fromHex(seed), players, vectors.animals)).toEqual(teams);
  });
});

it.each(vectors.tables)("$match of $championship is played at its table", ({ seed, championship, match, table }) => {
  expect(tableOf(fromHex(seed), championship, match)).toBe(table);
});

it("agrees with the house on ten thousand draws", () => {
  const lines: string[] = [];
  for (let i = 0; i < vectors.many.count; i++) {
    const players = Array.from({ length: [8, 16, 32][i % 3] ?? 8 }, (_, n) => `p${n + 1}`);
    for (const team of draw(sha256(ascii(`laelo draw ${i}`)), players, vectors.animals)) {
      lines.push(`${[...team.players, ...team.animals].join(" ")}\n`);
    }
  }
  expect(toHex(sha256(ascii(lines.join(""))))).toBe(vectors.many.digest);
});

function finished(): Bracket {
  const championship = new FakeChampionship(ID, "silver", () => 0.3);
  while (championship.step());
  return championship.bracket();
}

describe("the proof of a draw", () => {
  const bracket = finished();
  const prove = (part: Partial<Bracket>) => proveDraw({ ...bracket, ...part }, bracket.commitment, ANIMAL_IDS);

  it("holds for what was drawn", () => {
    expect(isKept(prove({}))).toBe(true);
  });

  it("fails with another seed", () => {
    expect(prove({ seed: "00".repeat(32) })).toMatchObject({ seed: false, teams: false, animals: false, tables: false });
  });

  it("fails if the promise is not the one that was shown first", () => {
    expect(proveDraw(bracket, "ff".repeat(32), ANIMAL_IDS).seed).toBe(false);
    expect(prove({ commitment: "ff".repeat(32) }).seed).toBe(false);
  });

  it("fails if any two players or animals were exchanged", () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(7), (one, other) => {
        fc.pre(one !== other);
        const swap = <T>(items: readonly T[]) =>
          items.with(one, items[other] as T).with(other, items[one] as T);
        expect(prove({ drawn: swap(bracket.drawn ?? []) }).teams).toBe(false);
        expect(prove({ players: swap(bracket.players ?? []) }).teams).toBe(false);
        const animals = swap(bracket.teams.map((team) => team.animals));
        const teams = bracket.teams.map((team, i) => ({ ...team, animals: animals[i] as [string, string] }));
        expect(prove({ teams }).animals).toBe(false);
      }),
    );
  });

  it("fails if a match was played elsewhere", () => {
    const matches = bracket.matches.map((match, i) => (i === 4 ? { ...match, table: ID } : match));
    expect(prove({ matches }).tables).toBe(false);
  });

  it("proves nothing while there is nothing to prove", () => {
    const { seed: _, players: __, drawn: ___, ...hidden } = bracket;
    expect(isKept(proveDraw(hidden, bracket.commitment, ANIMAL_IDS))).toBe(false);
  });
});
