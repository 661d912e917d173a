// wrong-board: the board was wrong after reconnecting (seen elsewhere: lichess-org/lila#20611). Here
// any pattern of dropped, repeated and delayed frames ends in the same client state as none.

import fc from "fast-check";
import { expect, it } from "vitest";

import { FakeTable } from "../dev/fake/table";
import type { EventFrame, SnapshotFrame } from "../src/net/protocol.gen";
import { EMPTY_FEED, hasGap, receive, type Feed, type TableFrame } from "../src/state/feed";
import { fromSnapshot } from "../src/state/table";

const TABLE = "01J00000000000000000000000";
const BYTES = "0123456789abcdef".repeat(2);
const person = (name: string) => ({ kind: "person", name }) as const;

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Story {
  readonly first: SnapshotFrame;
  readonly frames: readonly EventFrame[];
  /** Snapshots by the number of the frame after which they were taken. */
  readonly snapshots: ReadonlyMap<number, SnapshotFrame>;
}

type Incident = "gone" | "stand_in" | "back" | "held" | "given_back" | "bytes";

/** What else happens at a table: to its people, its clocks and its deals. */
function happen(table: FakeTable, what: Incident, seat: number): void {
  const hands = table.snapshot(null).d.hand;
  if (what === "gone") table.gone(seat);
  else if (what === "stand_in") table.standIn(seat);
  else if (what === "back") table.back(seat);
  else if (what === "held") table.hold(seat);
  else if (what === "given_back") table.giveBack(4_000);
  else if (table.phase === "pause") table.add(seat, hands + 1, BYTES);
}

interface Plot {
  readonly seed: number;
  readonly viewer: number | null;
  /** What happens after which step, again and again. */
  readonly incidents: readonly (readonly [Incident, number] | null)[];
}

const PEACE: Plot["incidents"] = [null];

/** Everything that a viewer is sent of a whole match and the beginning of the next. */
function storyOf({ seed, viewer, incidents }: Plot): Story {
  const table = new FakeTable(TABLE, seeded(seed), { move_seconds: 15 }, null, () => 1000);
  for (const [seat, name] of ["Anna", "Severino", "Maria", "Zé"].entries()) table.sit(seat, person(name));
  const first = table.snapshot(viewer);
  const snapshots = new Map([[table.seq, first]]);
  const keep = () => snapshots.set(table.seq, table.snapshot(viewer));
  let steps = 0;
  const meanwhile = () => {
    const incident = incidents[steps++ % incidents.length];
    if (incident) happen(table, ...incident);
    keep();
  };
  table.start(false);
  keep();
  do meanwhile();
  while (step(table, keep));
  if (viewer === null) swapped(table, keep);
  table.start();
  keep();
  meanwhile();
  table.close("host");
  keep();
  const numbers = Array.from({ length: table.seq - first.seq }, (_, i) => first.seq + 1 + i);
  return { first, frames: numbers.map((seq) => table.frame(seq, viewer)), snapshots };
}

function step(table: FakeTable, keep: () => void): boolean {
  const goes = table.step();
  keep();
  return goes;
}

/** Who changes seats is sent a snapshot, as what they may see has changed; the others see this. */
function swapped(table: FakeTable, keep: () => void): void {
  table.swap(0, 3);
  keep();
}

const incidents = fc.array(
  fc.option(
    fc.tuple(
      fc.constantFrom<Incident>("gone", "stand_in", "back", "held", "given_back", "bytes"),
      fc.nat({ max: 3 }),
    ),
  ),
  { minLength: 1, maxLength: 60 },
);

const stories = fc
  .record({ seed: fc.nat(), viewer: fc.constantFrom(null, 0, 1, 2, 3), incidents })
  .map(storyOf);

const fed = (start: Feed, frames: readonly TableFrame[]): Feed =>
  frames.reduce((feed, frame) => receive(feed, frame).feed, start);

it("knows after each event exactly what a snapshot would tell", () => {
  fc.assert(
    fc.property(stories, ({ first, frames, snapshots }) => {
      let feed = fed(EMPTY_FEED, [first]);
      for (const frame of frames) {
        feed = fed(feed, [frame]);
        const snapshot = snapshots.get(frame.seq) as SnapshotFrame;
        expect(feed.table).toEqual(fromSnapshot(snapshot));
      }
    }),
    { numRuns: 25 },
  );
});

type Fate = "arrives" | "lost" | "twice" | "late" | "long_late";

const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>("arrives") },
    { weight: 4, arbitrary: fc.constantFrom<Fate>("lost", "twice", "late", "long_late") },
  ),
  { minLength: 40, maxLength: 400 },
);

/** The frames in the order in which a bad connection delivers them. */
function delivered(frames: readonly TableFrame[], pattern: readonly Fate[]): TableFrame[] {
  const queue = frames.flatMap((frame, i) => {
    const fate = pattern[i % pattern.length] ?? "arrives";
    const delay = { arrives: 0, twice: 0, lost: 0, late: 3, long_late: 40 }[fate];
    const copies = { arrives: 1, twice: 2, lost: 0, late: 1, long_late: 1 }[fate];
    return Array.from({ length: copies }, (_, copy) => ({ frame, at: i + delay + 7 * copy }));
  });
  return queue.toSorted((one, other) => one.at - other.at).map(({ frame }) => frame);
}

/** What a server answers to "I have everything up to `seq`". */
function answer(story: Story, upTo: number, seq: number): readonly TableFrame[] {
  const missing = story.frames.filter((frame) => frame.seq > seq && frame.seq <= upTo);
  const snapshot = story.snapshots.get(upTo) as SnapshotFrame;
  return missing.length <= 64 ? missing : [snapshot];
}

it("ends in the same state whatever was lost, repeated or late", () => {
  fc.assert(
    fc.property(stories, fates, (story, pattern) => {
      const { first, frames } = story;
      const straight = fed(EMPTY_FEED, [first, ...frames]);
      let feed = fed(EMPTY_FEED, [first]);
      let newest = first.seq;
      for (const frame of delivered(frames, pattern)) {
        newest = Math.max(newest, frame.seq);
        feed = fed(feed, [frame]);
        if (hasGap(feed)) feed = fed(feed, answer(story, newest, feed.table?.seq ?? 0));
        expect(hasGap(feed)).toBe(false);
      }
      const last = frames.at(-1)?.seq ?? 0;
      feed = fed(feed, answer(story, last, feed.table?.seq ?? 0));
      expect(feed).toEqual(straight);
    }),
    { numRuns: 60 },
  );
});

it("takes a snapshot in the middle, with frames that overtook it", () => {
  fc.assert(
    fc.property(stories, fc.nat(), fc.nat({ max: 5 }), (story, where, overtaken) => {
      const at = where % story.frames.length;
      const snapshot = story.snapshots.get(story.frames[at]?.seq ?? 0) as SnapshotFrame;
      const early = story.frames.slice(at + 1, at + 1 + overtaken);
      const rest = story.frames.slice(at + 1 + overtaken);
      const joined = fed(EMPTY_FEED, [...early, snapshot, ...rest]);
      expect(joined).toEqual(fed(EMPTY_FEED, [story.first, ...story.frames]));
    }),
    { numRuns: 40 },
  );
});

it("ignores a snapshot older than what it knows", () => {
  const story = storyOf({ seed: 7, viewer: 0, incidents: PEACE });
  const feed = fed(EMPTY_FEED, [story.first, ...story.frames]);
  expect(fed(feed, [story.first])).toEqual(feed);
});
