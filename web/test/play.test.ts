import fc from "fast-check";
import { expect, it } from "vitest";

import { FakeTable } from "../dev/fake/table";
import { spelled, tableIdIn, ulid, wantedIn } from "../src/game/ids";
import { tileKey } from "../src/game/tiles";
import { parse } from "../src/router";
import { usable } from "../src/state/settings";
import { shownView } from "../src/state/pending";
import { allowed } from "../src/state/rate";
import { fromSnapshot, turnLength } from "../src/state/table";
import { SILENCE, bubbleOf, overheard, spokeUp } from "../src/state/talk";

const TABLE = "01J00000000000000000000000";

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A table some steps into a match, at a moment when the viewer may play. */
function atTurn(seed: number, steps: number): FakeTable {
  const table = new FakeTable(TABLE, seeded(seed), { move_seconds: 15 }, null, () => 1000);
  table.start();
  for (let i = 0; i < steps; i++) table.step();
  while (table.phase !== "play" || table.legal(table.turnSeat ?? 0).length === 0) {
    if (!table.step()) table.start();
  }
  return table;
}

const tables = fc
  .record({ seed: fc.nat(), steps: fc.nat({ max: 120 }) })
  .map(({ seed, steps }) => atTurn(seed, steps));

it("shows a pending tile exactly as the server will", () => {
  fc.assert(
    fc.property(tables, fc.nat(), (table, pick) => {
      const seat = table.turnSeat ?? 0;
      const plays = table.legal(seat);
      const { tile, ends = [] } = plays[pick % plays.length] ?? { tile: [0, 0] as const };
      const end = ends[pick % Math.max(1, ends.length)];
      const before = fromSnapshot(table.snapshot(seat));
      const pending = { table: TABLE, turn: before.view.turn?.turn ?? 0, tile, end };
      const { view, pendingAt } = shownView(before, pending);
      table.play(seat, tile, end);
      const after = fromSnapshot(table.snapshot(seat)).view;
      expect(view.chain).toEqual(after.chain);
      expect(view.opened).toBe(after.opened);
      expect(view.ends).toEqual(after.ends);
      expect(view.tiles.map(tileKey)).toEqual(after.tiles.map(tileKey));
      expect(tileKey(view.chain[pendingAt ?? -1] ?? [9, 9])).toBe(tileKey(tile));
    }),
    { numRuns: 60 },
  );
});

it("shows a pending tile only in the turn that it is meant for", () => {
  const table = atTurn(3, 10);
  const state = fromSnapshot(table.snapshot(table.turnSeat));
  const turn = (state.view.turn?.turn ?? 0) + 1;
  const pending = { table: TABLE, turn, tile: [0, 0] as const, end: undefined };
  expect(shownView(state, pending)).toEqual({ view: state.view, pendingAt: null });
  expect(shownView(state, null).view).toBe(state.view);
});

it("runs the short clock only for oneself (R20, R24)", () => {
  fc.assert(
    fc.property(tables, fc.constantFrom(0, 1, 2, 3), (table, viewer) => {
      const { view } = fromSnapshot(table.snapshot(viewer));
      const forced = view.turn?.seat === viewer && (view.turn.plays?.length ?? 0) <= 1;
      return turnLength(view) === (forced ? 3_000 : 15_000);
    }),
    { numRuns: 60 },
  );
});

it("hears the last three calls of the hand, and no more", () => {
  const table = new FakeTable(TABLE, seeded(5), {}, null, () => 0);
  table.start();
  let talk = SILENCE;
  for (let seq = 1; table.step(); seq++) talk = overheard(talk, table.frame(seq, null));
  expect(talk.lines.length).toBeLessThanOrEqual(80);
  const dealt = talk.lines.findLastIndex((line) => line.kind === "dealt");
  const said = talk.lines.slice(dealt + 1).filter((line) => line.kind === "said");
  const bubbles = [0, 1, 2, 3].flatMap((seat) => bubbleOf(talk, seat) ?? []);
  expect(bubbles.toSorted((one, other) => one.seq - other.seq)).toEqual(said.slice(-3));
});

it("makes ids that a table can have", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (now) => {
      const id = ulid(now);
      return tableIdIn(`https://example.org/t/${id}`) === id && tableIdIn(` ${id.toLowerCase()} `) === id;
    }),
  );
  expect(tableIdIn("no table at all")).toBeNull();
});

it("knows its own addresses", () => {
  expect(parse("/")).toEqual({ page: "home" });
  expect(parse(`/t/${TABLE}`)).toEqual({ page: "table", table: TABLE });
  expect(parse("/t/short").page).toBe("lost");
  expect(parse(`/t/${TABLE}/more`).page).toBe("lost");
  expect(parse("/elsewhere").page).toBe("lost");
  expect(parse("/m/k7m-2qp")).toEqual({ page: "code", code: "K7M2QP" });
  expect(parse("/m/K7M%202QP")).toEqual({ page: "code", code: "K7M2QP" });
  expect(parse("/m/%E0%A4%A").page).toBe("lost");
  expect(parse("/m/O0I1").page).toBe("lost");
});

it("uses the settings it understands and no others", () => {
  expect(usable('{"dim":false,"strange":1}')).toMatchObject({ dim: false, confirm: false });
  expect(usable('{"strange":1}')).not.toHaveProperty("strange");
  expect(usable('{"dim":"no","theme":"pink","tiles":"large"}')).toEqual({ ...usable(null), tiles: "large" });
  expect(usable('{"toString":1,"lang":"es"}')).toEqual({ ...usable(null), lang: "es" });
  for (const text of ["no json", "null", "[]", "7"]) expect(usable(text)).toEqual(usable(null));
});

const CODE_SIGNS = [..."ABCDEFGHJKLMNPQRSTUVWXYZ23456789"];
const codes = fc.array(fc.constantFrom(...CODE_SIGNS), { minLength: 6, maxLength: 6 }).map((all) => all.join(""));

it("reads a code however it is written, and a link to it", () => {
  const gaps = fc.array(fc.constantFrom("", " ", "-", " - "), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(codes, gaps, fc.boolean(), (code, between, small) => {
      const spaced = [...code].map((sign, i) => sign + (between[i] ?? "")).join("");
      const written = small ? spaced.toLowerCase() : spaced;
      expect(wantedIn(written)).toEqual({ code });
      expect(wantedIn(`https://example.org/m/${code}?x=1`)).toEqual({ code });
      expect(wantedIn(spelled(code))).toEqual({ code });
    }),
  );
});

it("takes no code for one that has letters which could be digits", () => {
  for (const text of ["O7M2QP", "I7M2QP", "07M2QP", "17M2QP", "K7M2Q", "K7M2QPP", ""]) {
    expect(wantedIn(text)).toBeNull();
  }
  expect(wantedIn(`/t/${TABLE}`)).toEqual({ table: TABLE });
});

it("says three things at once, then one in two seconds", () => {
  expect(allowed([], 0)).toBe(true);
  expect(allowed([0, 1], 2)).toBe(true);
  expect(allowed([0, 1, 2], 3)).toBe(false);
  expect(allowed([0, 1, 2], 6_001)).toBe(true);
});

it("hears phrases, and who is gone, back or stood in for", () => {
  const table = new FakeTable(TABLE, seeded(3), {}, null, () => 1000);
  table.sit(0, { kind: "person", name: "Anna" });
  table.start();
  const from = table.seq;
  table.gone(0);
  table.standIn(0);
  table.back(0);
  const frames = [1, 2, 3].map((step) => table.frame(from + step, null));
  const talk = frames.reduce(overheard, SILENCE);
  const kinds = talk.lines.map((line) => (line.kind === "seat" ? line.what : line.kind));
  expect(kinds).toEqual(["gone", "stand_in", "back"]);
  const spoken = spokeUp(spokeUp(talk, { seat: 0, phrase: "hello" }, table.seq), { seat: 2, phrase: "bye" }, table.seq);
  expect(bubbleOf(spoken, 0)).toMatchObject({ kind: "phrase", phrase: "hello" });
  expect(bubbleOf(spoken, 1)).toBeNull();
});
