import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handAt, leapt, momentIn, scoresBefore, searchFor, situationAt, stepped, within } from "../src/game/replay";
import { sameTile } from "../src/game/tiles";
import type { End, Move, PastHand, Replay, Tile } from "../src/net/protocol.gen";
import { extended } from "../src/state/table";
import { stateAt } from "../src/state/past";

const SEATS: Replay["seats"] = [
  { kind: "person", name: "Ana" },
  { kind: "bot", level: "simple" },
  { kind: "person", name: "Caio", guest: true },
  { kind: "empty" },
];

const ALL: readonly Tile[] = Array.from({ length: 7 }, (_, high) =>
  Array.from({ length: high + 1 }, (__, low): Tile => [low, high]),
).flat();

interface Fitting {
  readonly tile: Tile;
  readonly end: End | undefined;
}

function fittingOf(held: readonly Tile[], ends: readonly [number, number] | undefined): readonly Fitting[] {
  if (ends === undefined) return held.map((tile) => ({ tile, end: undefined }));
  const [left, right] = ends;
  return held.flatMap((tile): Fitting[] => [
    ...(tile.includes(left) ? [{ tile, end: "left" as const }] : []),
    ...(tile.includes(right) ? [{ tile, end: "right" as const }] : []),
  ]);
}

/** A hand in which everybody lays whatever fits, as a source of chance says. */
function playedHand(number: number, order: readonly Tile[], choose: (count: number) => number): PastHand {
  const dealt = [0, 1, 2, 3].map((seat) => order.slice(6 * seat, 6 * seat + 6));
  const held = dealt.map((tiles) => [...tiles]);
  const moves: Move[] = [];
  let lies = { chain: [] as readonly Tile[], opened: 0 } as Parameters<typeof extended>[0];
  for (let turn = 0, passes = 0; passes < 4 && held.every((tiles) => tiles.length > 0); turn++) {
    const seat = turn % 4;
    const fitting = fittingOf(held[seat] ?? [], lies.ends);
    const play = fitting[choose(fitting.length)];
    if (play === undefined) {
      passes += 1;
      moves.push({ seat, after_ms: turn, calls: [{ kind: "pass" }], ...(lies.ends && { ends: lies.ends }) });
      continue;
    }
    passes = 0;
    lies = extended(lies, play.tile, play.end);
    held[seat] = (held[seat] ?? []).filter((tile) => !sameTile(tile, play.tile));
    moves.push({ seat, after_ms: turn, calls: [], tile: play.tile, ...(play.end && { end: play.end }), ...(lies.ends && { ends: lies.ends }) });
  }
  const end = { reason: "count", points: 1, multiplier: 1, counts: [0, 0, 0, 0], hands: held, scores: [number, 0], seed: "" } as const;
  return { number, at: 0, opening: "first", multiplier: 1, seats: SEATS, dealt, opener: 0, moves, end, ended: 1, commitment: "" };
}

const hands = fc
  .array(fc.tuple(fc.shuffledSubarray([...ALL], { minLength: 28 }), fc.infiniteStream(fc.nat())), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([order, chance], i) => playedHand(i + 1, order, (count) => (count === 0 ? 0 : chance.next().value % count))));
const replays = hands.map((all): Replay => ({ table: "T", match: 1, started: 0, seats: SEATS, hands: all }));

describe("a hand of the past", () => {
  it("leads from the deal to what was left, tile by tile", () => {
    fc.assert(
      fc.property(replays, ({ hands: [hand] }) => {
        if (hand === undefined) throw new Error("no hand");
        let before = situationAt(hand, 0);
        expect(before.hands).toEqual(hand.dealt);
        for (const [i, move] of hand.moves.entries()) {
          const now = situationAt(hand, i + 1);
          const laid = move.tile === undefined ? 0 : 1;
          expect(now.chain.length).toBe(before.chain.length + laid);
          expect(now.hands.flat().length).toBe(before.hands.flat().length - laid);
          expect(now.chain.slice(now.opened, now.opened + 1)).toEqual(before.chain.length === 0 ? now.chain : before.chain.slice(before.opened, before.opened + 1));
          expect([now.chain[0]?.[0], now.chain.at(-1)?.[1]]).toEqual(now.ends);
          for (const [at, tile] of now.chain.slice(1).entries()) expect(tile[0]).toBe(now.chain[at]?.[1]);
          before = now;
        }
        expect(before.hands).toEqual(hand.end.hands);
      }),
    );
  });
});

describe("moments", () => {
  it("stepping on from the first meets every moment once, and back again", () => {
    fc.assert(
      fc.property(replays, (replay) => {
        const seen = [within(replay, { hand: 1, move: 0 })];
        for (;;) {
          const at = seen.at(-1) ?? { hand: 0, move: 0 };
          const next = stepped(replay, at, 1);
          if (next.hand === at.hand && next.move === at.move) break;
          expect(stepped(replay, next, -1)).toEqual(at);
          seen.push(next);
        }
        expect(seen.length).toBe(replay.hands.reduce((sum, { moves }) => sum + moves.length + 1, 0));
      }),
    );
  });

  it("an address names the nearest moment that there is", () => {
    fc.assert(
      fc.property(replays, fc.nat(20), fc.nat(60), (replay, hand, move) => {
        const asked = { hand, move };
        expect(momentIn(searchFor(asked))).toEqual(asked);
        const found = within(replay, asked);
        expect(handAt(replay, found.hand)).toBeDefined();
        expect(within(replay, found)).toEqual(found);
      }),
    );
    expect(momentIn("?mao=x&lance=-4")).toEqual({ hand: 1, move: 0 });
    expect(momentIn("")).toEqual({ hand: 1, move: 0 });
  });

  it("leaps to the edges of hands", () => {
    const [one, two] = fc.sample(replays.filter(({ hands: all }) => all.length === 2), { numRuns: 1, seed: 1 })[0]?.hands ?? [];
    if (one === undefined || two === undefined) throw new Error("no hands");
    const replay = { hands: [one, two] };
    const end = one.moves.length;
    expect(leapt(replay, { hand: 1, move: 2 }, -1)).toEqual({ hand: 1, move: 0 });
    expect(leapt(replay, { hand: 1, move: 0 }, -1)).toEqual({ hand: 1, move: 0 });
    expect(leapt(replay, { hand: 1, move: 2 }, 1)).toEqual({ hand: 1, move: end });
    expect(leapt(replay, { hand: 1, move: end }, 1)).toEqual({ hand: 2, move: 0 });
    expect(leapt(replay, { hand: 2, move: 0 }, -1)).toEqual({ hand: 1, move: end });
  });
});

describe("a moment as a table", () => {
  it("shows points, score sheet and end only from when they were", () => {
    fc.assert(
      fc.property(replays, (replay) => {
        for (const hand of replay.hands) {
          const before = stateAt(replay, { hand: hand.number, move: 0 })?.view;
          const after = stateAt(replay, { hand: hand.number, move: hand.moves.length })?.view;
          expect(before?.scores).toEqual(scoresBefore(replay, hand.number));
          expect([before?.sheet.length, after?.sheet.length]).toEqual([hand.number - 1, hand.number]);
          expect([before?.hand_end, after?.hand_end]).toEqual([undefined, hand.end]);
          expect(after?.scores).toEqual(hand.end.scores);
        }
      }),
    );
    expect(stateAt({ table: "T", match: 1, started: 0, seats: SEATS, hands: [] }, { hand: 1, move: 0 })).toBeNull();
  });
});
