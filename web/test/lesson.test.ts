import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { FakeTable } from "../dev/fake/table";
import { dominoKind } from "../dev/fake/rules";
import { dominoOf } from "../src/game/domino";
import type { Tile, Turn } from "../src/net/protocol.gen";
import { BEGINNING, taskOf, teach, type Heard, type Progress, type Topic } from "../src/screens/lesson/hints";
import { fromSnapshot, type FullView } from "../src/state/table";

const ME = 0;
const SILENT: Heard = { knocked: false, called: false };

/** What seat 0 sees at each moment of a match that plays itself. */
function* momentsOf(seed: number): Generator<FullView> {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const table = new FakeTable("t", random);
  table.sit(ME, { kind: "person", name: "Anna" });
  table.start();
  do {
    yield fromSnapshot(table.snapshot(ME)).view;
  } while (table.step());
}

const ownTurn = (view: FullView): Turn | null => (view.turn?.seat === ME ? view.turn : null);

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

describe("what can be done", () => {
  it("is said truly at every moment of a match", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const view of momentsOf(seed)) {
          const open = ownTurn(view);
          const task = taskOf(view, open, null);
          const plays = open?.plays ?? [];
          if (view.phase === "match_over") expect(task.do).toBe("over");
          else if (open === null) expect(["wait", "between"]).toContain(task.do);
          else if (open.choosing) expect(task.do).toBe("choose");
          else if (open.must_pass) expect(task.do).toBe("pass");
          else if ("tile" in task) expect(plays.map(({ tile }) => tile)).toEqual([task.tile]);
          else if (task.do === "some_fit") expect(task.count).toBe(plays.length);
          else expect(task.do).toBe("open_any");
        }
      }),
      { numRuns: 30 },
    );
  });

  it("asks for the double only where nothing else may open", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const view of momentsOf(seed)) {
          const task = taskOf(view, ownTurn(view), null);
          if (task.do !== "open_double") continue;
          expect(view.chain).toEqual([]);
          expect(task.tile[0]).toBe(task.tile[1]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("asks for an end when a tile is lifted that fits two different ones", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const view of momentsOf(seed)) {
          const open = ownTurn(view);
          const both = open?.plays?.find(({ ends = [] }) => ends.length === 2);
          if (both === undefined || view.ends === undefined) continue;
          const asked = taskOf(view, open, both.tile).do === "pick_end";
          expect(asked).toBe(view.ends[0] !== view.ends[1]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("says that an answer is on its way", () => {
    for (const view of momentsOf(5)) {
      if (ownTurn(view) !== null) expect(taskOf(view, null, null).do).toBe("sent");
    }
  });
});

describe("what is taught", () => {
  it("comes once each, in turns of one's own, one at a time", () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), fc.boolean(), (seed, knocked, called) => {
        let progress: Progress = BEGINNING;
        const shown: Topic[] = [];
        for (const view of momentsOf(seed)) {
          const next = teach(progress, view, taskOf(view, ownTurn(view), null), { knocked, called });
          if (ownTurn(view) === null) expect(next).toBe(progress);
          if (next !== progress && next.topic !== null) shown.push(next.topic);
          expect(teach(next, view, taskOf(view, ownTurn(view), null), { knocked, called })).toBe(next);
          progress = next;
        }
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown).toEqual(progress.told);
      }),
      { numRuns: 30 },
    );
  });

  it("begins with the partner, and tells of passing when one has to pass", () => {
    for (const view of momentsOf(7)) {
      const open = ownTurn(view);
      if (open === null) continue;
      const task = taskOf(view, open, null);
      const first = teach(BEGINNING, view, task, SILENT).topic;
      if (task.do === "pass") expect(first).toBe("must_pass");
      else if (task.do === "choose") expect(first).toBe("choosing");
      else if (view.multiplier === 1) expect(first).toBe("partner");
    }
  });

  it("tells of knocks and calls only when there were some", () => {
    const told = [...momentsOf(11)].reduce(
      (so_far, view) => teach(so_far, view, taskOf(view, ownTurn(view), null), SILENT),
      BEGINNING,
    ).told;
    expect(told).not.toContain("knocked");
    expect(told).not.toContain("call");
  });
});

describe("the kind of domino", () => {
  const number = fc.integer({ min: 0, max: 6 });

  it("is what the table says", () => {
    fc.assert(
      fc.property(number, number, number, fc.boolean(), (left, right, other, atLeft) => {
        const tile: Tile = [atLeft ? left : right, other];
        expect(dominoOf(tile, [left, right])).toBe(dominoKind(tile, [left, right]));
      }),
    );
  });

  it.each([
    [[1, 6], [1, 1], "domino_simple"],
    [[4, 4], [4, 2], "domino_double"],
    [[3, 5], [5, 3], "la_e_lo"],
    [[2, 2], [2, 2], "cruzada"],
  ] as const)("of %j on %j is %s", (tile, ends, kind) => {
    expect(dominoOf(tile, ends)).toBe(kind);
  });
});
