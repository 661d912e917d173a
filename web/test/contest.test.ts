import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { FakeChampionship } from "../dev/fake/championship";
import { faultOf } from "../src/state/account";
import {
  QUIET,
  answered,
  bracketsAfter,
  callAfter,
  called,
  keyOf,
  loud,
  missing,
  ownRunning,
  queueAfter,
} from "../src/state/contest";
import type { MatchCall, Queue } from "../src/net/protocol.gen";

const ID = "01J00000000000000000000000";
const TABLE = "01J00000000000000000000001";
const CALL: MatchCall = {
  championship: ID,
  tier: "bronze",
  match: "W1-1",
  table: TABLE,
  seat: 2,
  team: 1,
  animal: "bode",
  ms: 15_000,
};

const frame = (part: Partial<Queue>): Queue => ({ count: 9, wait_ms: 180_000, ...part });

describe("the queue", () => {
  it("counts what starts from the frame's own time", () => {
    const state = queueAfter(null, frame({ next: { tier: "bronze", ms: 60_000 } }), 5_000);
    expect(state.next).toEqual({ tier: "bronze", at: 65_000 });
    expect(state.ahead).toBeNull();
  });

  it("tells why somebody was taken out until they wait again", () => {
    const gone = queueAfter(queueAfter(null, frame({ ahead: 3 }), 0), frame({ left: "gone" }), 0);
    expect(gone.left).toBe("gone");
    const later = queueAfter(gone, frame({ count: 4 }), 0);
    expect(later.left).toBe("gone");
    const again = queueAfter(later, frame({ count: 5, ahead: 4 }), 0);
    expect(again).toMatchObject({ left: null, ahead: 4 });
    expect(queueAfter(again, frame({}), 0).left).toBeNull();
  });

  it("says how many are missing for the next size", () => {
    expect(missing(0)).toEqual({ tier: "bronze", people: 8 });
    expect(missing(8)).toEqual({ tier: "silver", people: 8 });
    expect(missing(31)).toEqual({ tier: "gold", people: 1 });
    expect(missing(33)).toBeNull();
  });
});

describe("a call", () => {
  it("is loud everywhere but at its own table, until it is answered", () => {
    const calls = called(QUIET, CALL, 1_000);
    expect(loud(calls, null)).toMatchObject({ match: "W1-1", startsAt: 16_000 });
    expect(loud(calls, ID)).not.toBeNull();
    expect(loud(calls, TABLE)).toBeNull();
    expect(loud(answered(calls, keyOf(CALL)), null)).toBeNull();
  });

  it("stays answered however often it is told again", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60_000), { minLength: 1 }), (times) => {
        const heard = answered(called(QUIET, CALL, 0), keyOf(CALL));
        const told = times.reduce((calls, now) => called(calls, { ...CALL, ms: 0 }, now), heard);
        expect(loud(told, null)).toBeNull();
        expect(told.call).not.toBeNull();
      }),
    );
  });

  it("is loud again for the next match", () => {
    const first = answered(called(QUIET, CALL, 0), keyOf(CALL));
    expect(loud(called(first, { ...CALL, match: "W2-1", table: ID }, 0), TABLE)).toMatchObject({ match: "W2-1" });
  });

  it("ends with its match and with the championship, not with others", () => {
    const championship = new FakeChampionship(ID, "bronze", () => 0.3);
    const calls = called(QUIET, CALL, 0);
    expect(callAfter(calls, championship.bracket()).call).not.toBeNull();
    championship.decide("W1-2", true);
    expect(callAfter(calls, championship.bracket()).call).not.toBeNull();
    expect(callAfter(calls, { ...championship.bracket(), id: TABLE, stage: "over" }).call).not.toBeNull();
    championship.decide("W1-1", true);
    expect(callAfter(calls, championship.bracket()).call).toBeNull();
    const other = new FakeChampionship(ID, "bronze", () => 0.3);
    other.cancel("power cut");
    expect(callAfter(calls, other.bracket()).call).toBeNull();
  });
});

describe("brackets", () => {
  const championship = new FakeChampionship(ID, "bronze", () => 0.3);
  const mine = { team: 1, animal: "bode" };
  const first = championship.bracket(mine);
  championship.decide("W1-1", true);
  const second = championship.bracket();

  it("are replaced by newer ones only, and keep who the person is", () => {
    const held = bracketsAfter(bracketsAfter(new Map(), first, 1), second, 2);
    expect(held.get(ID)).toMatchObject({ now: 2, bracket: { version: second.version, mine } });
    expect(bracketsAfter(held, first, 3)).toBe(held);
  });

  it("tell of the one that the person's team is not out of", () => {
    expect(ownRunning(bracketsAfter(new Map(), second, 1))).toBeNull();
    expect(ownRunning(bracketsAfter(new Map(), first, 1))?.id).toBe(ID);
    while (championship.step());
    expect(ownRunning(bracketsAfter(new Map(), championship.bracket(mine), 1))).toBeNull();
  });
});

describe("a nickname", () => {
  it.each([
    ["Zé", null],
    ["  Maria   da Conceição ", null],
    ["D'Ávila & Cia!", null],
    ["Z", "short"],
    ["   ", "short"],
    ["um nome que é comprido demais", "long"],
    ["Zé<script>", "signs"],
    ["--", "signs"],
    ["Zé\u200b1", "signs"],
  ] as const)("%j is %s", (name, fault) => {
    expect(faultOf(name)).toBe(fault);
  });
});
