// What the client knows of a table, as a pure function of the frames it was sent.

import { turnedForLeft, turnedForRight, without } from "../game/tiles";
import type {
  EventFrame,
  HandEnd,
  Played,
  SeatChanged,
  SeatsSwapped,
  SnapshotFrame,
  TableEvent,
  TableView,
  Tile,
  Turn,
} from "../net/protocol.gen";

type Defaulted = "tiles" | "counts" | "chain" | "opened" | "sheet" | "code" | "added" | "next_added";

/** A view with nothing left out that has a default. */
export type FullView = TableView & Required<Pick<TableView, Defaulted>>;

export interface TableState {
  readonly id: string;
  /** The newest frame that is in here. */
  readonly seq: number;
  readonly view: FullView;
  /** When the turn's clock runs out, in the server's time. */
  readonly turnEndsAt: number | null;
  /** When the next hand is dealt, or the first match starts by itself, in the server's time. */
  readonly nextDealAt: number | null;
}

type Counts = FullView["counts"];

const NOBODY: Counts = [0, 0, 0, 0];
const DEALT: Counts = [6, 6, 6, 6];

/** Empty and missing are the same on the wire; here it is always missing. */
function drop<T extends object, K extends keyof T>(value: T, ...keys: readonly K[]): T {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}

function full(view: TableView): FullView {
  const empty = { tiles: [], chain: [], sheet: [], added: [], next_added: [] };
  return { ...empty, counts: NOBODY, opened: 0, code: "", ...view };
}

const deadline = (now: number, ms: number | undefined) => (ms === undefined ? null : now + ms);

/** The state that a snapshot tells, whatever was known before. */
export function fromSnapshot(frame: SnapshotFrame): TableState {
  const view = full(frame.d);
  return timed({
    id: frame.table,
    seq: frame.seq,
    view,
    turnEndsAt: deadline(frame.now, view.turn?.ms),
    nextDealAt: deadline(frame.now, view.next_ms),
  });
}

/** Deadlines stand beside the view, so that nothing in it grows old. */
function timed(state: TableState): TableState {
  const { turn } = state.view;
  const view = drop(state.view, "next_ms");
  return { ...state, view: turn === undefined ? view : { ...view, turn: drop(turn, "ms") } };
}

/** The state after the next commit; the caller sees to it that it is the next one. */
export function afterEvents(state: TableState, frame: EventFrame): TableState {
  const next = frame.d.events.reduce((so_far, event) => evolve(so_far, event, frame.now), state);
  return timed({ ...next, seq: frame.seq });
}

function evolve(state: TableState, event: TableEvent, now: number): TableState {
  const { view } = state;
  switch (event.k) {
    case "turn":
      return { ...state, view: onTurn(view, event), turnEndsAt: deadline(now, event.ms) };
    case "dealt":
      return { ...state, view: dealt(view, event), turnEndsAt: null, nextDealAt: null };
    case "hand_ended": {
      const nextDealAt = deadline(now, event.next_ms);
      return { ...state, view: handEnded(view, event.end), turnEndsAt: null, nextDealAt };
    }
    case "match_started": {
      const nextDealAt = deadline(now, event.next_ms);
      return { ...state, view: matchStarted(view, event.match), turnEndsAt: null, nextDealAt };
    }
    case "deadline_moved":
      return { ...state, turnEndsAt: deadline(now, event.ms) };
    default:
      return { ...state, view: evolveView(view, event) };
  }
}

type Timed = "turn" | "dealt" | "hand_ended" | "match_started" | "deadline_moved";
type Untimed = Exclude<TableEvent, { k: Timed }>;

function evolveView(view: FullView, event: Untimed): FullView {
  switch (event.k) {
    case "seat":
      return seated(view, event);
    case "held":
      return event.seat === view.me ? { ...view, fence: event.fence } : view;
    case "swapped":
      return swapped(view, event);
    case "bytes_added": {
      const added = [...view.next_added, event.added];
      return { ...view, next_added: added.toSorted((one, other) => one.seat - other.seat) };
    }
    case "closed":
      return { ...view, closed: event.closing };
    case "committed":
      return { ...view, next_commitment: event.commitment };
    case "opener_chosen":
      return drop(view, "turn");
    case "played":
      return played(view, event);
    case "passed":
      return drop(view, "turn");
    case "match_ended":
      return { ...view, phase: "match_over", match_end: event.end };
    default:
      return view; // An event of a later version: nothing that this page shows.
  }
}

function hostedBy(view: FullView, host: number | undefined): FullView {
  return host === undefined ? drop(view, "host") : { ...drop(view, "host"), host };
}

function seated(view: FullView, { seat, who, fence, host }: SeatChanged): FullView {
  const seats = view.seats.with(seat, who) as unknown as FullView["seats"];
  const next = hostedBy({ ...view, seats }, host);
  if (seat !== view.me) return next;
  return who.kind === "person" ? { ...next, fence: fence ?? 0 } : unseated(next);
}

/** The viewer has no seat any more and sees what everybody sees. */
function unseated(view: FullView): FullView {
  const { turn } = view;
  const next = { ...drop(view, "me", "fence", "turn"), tiles: [] };
  return turn === undefined ? next : { ...next, turn: drop(turn, "plays", "must_pass") };
}

/** Two seats have changed places, the viewer's perhaps among them. */
function swapped(view: FullView, { seats: [one, other], fences, host }: SeatsSwapped): FullView {
  const before = view.seats;
  const seats = before.map((who, seat) =>
    seat === one ? before[other] : seat === other ? before[one] : who,
  ) as unknown as FullView["seats"];
  const next = hostedBy({ ...view, seats }, host);
  if (view.me === one) return { ...next, me: other, fence: fences[1] };
  if (view.me === other) return { ...next, me: one, fence: fences[0] };
  return next;
}

/** A match stands at 0-0 before its first deal. */
function matchStarted(view: FullView, match: number): FullView {
  const bare = drop(
    view,
    "hand_end",
    "match_end",
    "turn",
    "ends",
    "last_seat",
    "last_end",
    "commitment",
    "next_commitment",
  );
  return {
    ...bare,
    phase: "pause",
    match,
    hand: 0,
    scores: [0, 0],
    multiplier: 1,
    tiles: [],
    counts: NOBODY,
    chain: [],
    opened: 0,
    added: [],
    next_added: [],
    sheet: [],
  };
}

function onTurn(view: FullView, turn: Turn): FullView {
  return { ...view, phase: turn.choosing ? "choose" : "play", turn };
}

function dealt(view: FullView, event: Extract<TableEvent, { k: "dealt" }>): FullView {
  const commitment = view.next_commitment;
  const cleared = drop(
    view,
    "hand_end",
    "ends",
    "last_seat",
    "last_end",
    "turn",
    "next_commitment",
    "commitment",
  );
  return {
    ...cleared,
    ...(commitment === undefined ? {} : { commitment }),
    phase: "play",
    hand: event.hand,
    multiplier: event.multiplier,
    scores: event.scores,
    tiles: event.tiles ?? [],
    counts: DEALT,
    chain: [],
    opened: 0,
    added: view.next_added,
    next_added: [],
  };
}

/** The chain with a tile laid at an end, and where its opening tile then is. */
export function extended(
  view: Pick<FullView, "chain" | "opened" | "ends">,
  tile: Tile,
  end: "left" | "right" | undefined,
): Pick<FullView, "chain" | "opened" | "ends"> {
  const { chain, opened, ends } = view;
  if (ends === undefined || end === undefined) {
    return { chain: [tile], opened: 0, ends: [tile[0], tile[1]] };
  }
  if (end === "left") {
    const laid = turnedForLeft(tile, ends[0]);
    return { chain: [laid, ...chain], opened: opened + 1, ends: [laid[0], ends[1]] };
  }
  const laid = turnedForRight(tile, ends[1]);
  return { chain: [...chain, laid], opened, ends: [ends[0], laid[1]] };
}

function played(view: FullView, event: Played): FullView {
  const counts = view.counts.with(event.seat, (view.counts[event.seat] ?? 1) - 1);
  const next: FullView = {
    ...drop(view, "turn", "last_end"),
    ...extended(view, event.tile, event.end),
    counts: counts as unknown as Counts,
    last_seat: event.seat,
  };
  const tiles = event.seat === view.me ? without(view.tiles, event.tile) : view.tiles;
  return { ...next, tiles, ...(event.end === undefined ? {} : { last_end: event.end }) };
}

function handEnded(view: FullView, end: HandEnd): FullView {
  const { reason, points, scores, winner } = end;
  const line = { reason, points, scores, ...(winner === undefined ? {} : { winner }) };
  return {
    ...drop(view, "turn"),
    phase: "pause",
    hand_end: end,
    scores: end.scores,
    sheet: [...view.sheet, line],
  };
}

const SHORT_TURN = 3_000;

/** How long the open turn is as a whole: that of who may not think long is shorter (R20, R24). */
export function turnLength({ turn, me, options }: FullView): number {
  const whole = (options.move_seconds ?? 0) * 1000;
  const own = turn !== undefined && turn.seat === me;
  const forced = own && !turn.choosing && (turn.plays?.length ?? 0) <= 1;
  return forced ? Math.min(whole, SHORT_TURN) : whole;
}
