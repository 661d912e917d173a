import fc from "fast-check";
import { expect, it } from "vitest";

import { FakeTable } from "../dev/fake/table";
import { sameTile } from "../src/game/tiles";
import { forcedMove, hesitation } from "../src/state/forced";
import { table } from "../src/state/session";
import { fromSnapshot } from "../src/state/table";

const TABLE = "01J00000000000000000000000";

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A table at somebody's turn to play or pass, and the seat whose turn it is. */
const turns = fc.record({ seed: fc.nat(), steps: fc.nat({ max: 120 }) }).map(({ seed, steps }) => {
  const fake = new FakeTable(TABLE, seeded(seed), {}, null, () => 1000);
  fake.start();
  for (let i = 0; i < steps; i++) if (!fake.step()) fake.start();
  while (fake.phase !== "play" || fake.turnSeat === null) if (!fake.step()) fake.start();
  return { fake, seat: fake.turnSeat };
});

it("takes a turn only where nothing can be chosen", () => {
  fc.assert(
    fc.property(turns, ({ fake, seat }) => {
      table.value = fromSnapshot(fake.snapshot(seat));
      const { ends: open } = table.value.view;
      const plays = fake.legal(seat);
      const ways = plays.flatMap(({ tile, ends = [] }) => {
        const different = ends.length < 2 || open?.[0] === open?.[1] ? [ends[0]] : ends;
        return different.map((end) => ({ tile, end }));
      });
      const move = forcedMove();
      if (ways.length === 0) expect(move).toEqual({ kind: "pass" });
      else if (ways.length > 1) expect(move).toBeNull();
      else {
        expect(move?.kind).toBe("lay");
        if (move?.kind === "lay") expect(sameTile(move.tile, ways[0]?.tile ?? [9, 9])).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

it("leaves others' turns alone", () => {
  fc.assert(
    fc.property(turns, fc.constantFrom(1, 2, 3), ({ fake, seat }, step) => {
      table.value = fromSnapshot(fake.snapshot((seat + step) % 4));
      expect(forcedMove()).toBeNull();
    }),
    { numRuns: 60 },
  );
});

it("waits from one to four seconds", () => {
  expect(hesitation(0)).toBe(1_000);
  expect(hesitation(1)).toBe(4_000);
});
