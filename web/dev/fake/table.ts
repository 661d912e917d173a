// A table that plays by itself and tells what each seat would be sent: frames and snapshots.

import { extended, type FullView } from "../../src/state/table";
import { weight, without } from "../../src/game/tiles";
import { toHex } from "../../src/game/bytes";
import { orderOf, tileOf } from "../../src/game/deal";
import { sha256 } from "../../src/game/sha256";
import type {
  Added,
  Call,
  End,
  HandEnd,
  HandScore,
  MatchEnd,
  Opening,
  Options,
  Phase,
  Reason,
  Seat,
  SnapshotFrame,
  TableView,
  Tile,
  Turn,
} from "../../src/net/protocol.gen";
import {
  POINTS,
  callOf,
  dominoKind,
  highestDouble,
  lowestCount,
  playsOf,
  type Random,
} from "./rules";
import { FakeSeats } from "./seats";

const BOT: Seat = { kind: "bot", level: "simple" };
const PAUSE = 6_000;

/** The match of a championship that is played at a table. */
export interface Official {
  readonly championship: string;
  readonly match: string;
}

export class FakeTable extends FakeSeats {
  phase: Phase = "lobby";
  hands: (readonly Tile[])[] = [[], [], [], []];
  turnSeat: number | null = null;
  turnId = 0;
  private choosing = false;
  private must: Tile | null = null;
  private line: Pick<FullView, "chain" | "opened" | "ends"> = { chain: [], opened: 0 };
  private scores: [number, number] = [0, 0];
  private match = 0;
  private hand = 0;
  private multiplier = 1;
  private nextMultiplier = 1;
  private opening: Opening = "first";
  private winner = 0;
  private lastSeat: number | undefined;
  private lastEnd: End | undefined;
  private commitment: string | undefined;
  private nextCommitment: string | undefined;
  private seed = "";
  private nextSeed = new Uint8Array(32);
  private handEnd: HandEnd | undefined;
  private matchEnd: MatchEnd | undefined;
  private sheet: HandScore[] = [];
  /** How much of the open turn was given back. */
  private givenBack = 0;

  constructor(
    id: string,
    private readonly random: Random,
    readonly options: Options = {},
    private readonly official: Official | null = null,
    now: () => number = () => 0,
  ) {
    super(id, now);
  }

  // --- what happens ------------------------------------------------------------------------

  /** Begins a match; its first deal follows at once, or is a step of its own. */
  start(atOnce = true): void {
    for (const seat of [0, 1, 2, 3]) {
      if (this.seats[seat]?.kind === "empty") this.seatChanged(seat, BOT);
    }
    this.match += 1;
    this.hand = 0;
    this.nextMultiplier = 1;
    this.scores = [0, 0];
    this.sheet = [];
    this.handEnd = undefined;
    this.matchEnd = undefined;
    this.opening = "first";
    this.hands = [[], [], [], []];
    this.line = { chain: [], opened: 0 };
    this.lastSeat = this.lastEnd = this.commitment = undefined;
    this.added = this.nextAdded = [];
    this.multiplier = 1;
    this.turnSeat = null;
    this.phase = "pause";
    this.tell({ k: "match_started", match: this.match, ...(atOnce ? {} : { next_ms: PAUSE }) });
    this.commitNext();
    if (atOnce) this.dealNow();
    this.commit();
  }

  /** After an outage the open turn's clock stands so much higher. */
  giveBack(ms: number): void {
    if (this.turnSeat === null || (this.options.move_seconds ?? 0) === 0) return;
    this.givenBack += ms;
    const seat = this.turnSeat;
    this.tell({ k: "deadline_moved", seat, ms: this.clock() });
    this.commit();
  }

  deal(): void {
    this.dealNow();
    this.commit();
  }

  play(seat: number, tile: Tile, end: End | undefined): void {
    const before = this.line.ends;
    const opening = before === undefined;
    this.line = extended(this.line, tile, opening ? undefined : end);
    this.hands[seat] = without(this.hands[seat] ?? [], tile);
    this.lastSeat = seat;
    this.lastEnd = opening ? undefined : end;
    const after = this.line.ends ?? [0, 0];
    const last = this.hands[seat]?.length === 0;
    const blocked = !last && this.hands.every((hand) => playsOf(hand, after, null).length === 0);
    const winner = last ? seat : blocked ? lowestCount(this.hands, seat) : null;
    const reason = last ? dominoKind(tile, before) : winner === -1 ? "tie" : "count";
    const call = last ? { kind: reason } : callOf(tile, opening, after, end);
    const calls: Call[] = blocked ? [call, { kind: "blocked" }, this.resultCall(reason)] : [call];
    const at = opening || end === undefined ? {} : { end };
    this.tell({ k: "played", seat, tile: low(tile), ends: after, calls, ...at });
    if (winner === null) this.beginTurn((seat + 1) % 4, false);
    else this.endHand(reason, winner);
    this.commit();
  }

  pass(seat: number): void {
    this.tell({ k: "passed", seat });
    this.beginTurn((seat + 1) % 4, false);
    this.commit();
  }

  choose(seat: number, opener: number): void {
    this.tell({ k: "opener_chosen", seat, opener });
    this.beginTurn(opener, false);
    this.commit();
  }

  /** The next thing that happens, whoever has to do it; false once the match is over. */
  step(): boolean {
    if (this.phase === "pause") this.deal();
    else if (this.phase === "match_over" || this.turnSeat === null) return false;
    else if (this.choosing) this.choose(this.turnSeat, (this.turnSeat + 2 * this.flip()) % 4);
    else this.moveAtRandom(this.turnSeat);
    return true;
  }

  // --- what is told ------------------------------------------------------------------------

  snapshot(viewer: number | null): SnapshotFrame {
    return { t: "snapshot", table: this.id, seq: this.seq, now: this.now(), d: this.view(viewer) };
  }

  legal(seat: number) {
    return playsOf(this.hands[seat] ?? [], this.line.ends, this.must);
  }

  private view(viewer: number | null): TableView {
    const own = viewer === null ? [] : (this.hands[viewer] ?? []);
    const view = {
      phase: this.phase,
      options: this.options,
      seats: [...this.seats] as unknown as TableView["seats"],
      scores: this.scores,
      match: this.match,
      hand: this.hand,
      multiplier: this.multiplier,
      me: viewer ?? undefined,
      fence: viewer === null ? undefined : this.fences[viewer],
      host: this.official === null ? this.host : undefined,
      code: this.official === null ? "K7M2QP" : undefined,
      championship: this.official?.championship,
      official: this.official?.match,
      tiles: own.length ? own : undefined,
      counts: this.hands.map((hand) => hand.length) as unknown as TableView["counts"],
      chain: this.line.chain.length ? this.line.chain : undefined,
      opened: this.line.opened || undefined,
      ends: this.line.ends,
      last_seat: this.lastSeat,
      last_end: this.lastEnd,
      turn: this.turnSeat === null ? undefined : this.turnFor(viewer),
      next_ms: this.nextMs(),
      commitment: this.commitment,
      next_commitment: this.nextCommitment,
      added: this.added.length ? bySeat(this.added) : undefined,
      next_added: this.nextAdded.length ? bySeat(this.nextAdded) : undefined,
      closed: this.closed,
      hand_end: this.handEnd,
      match_end: this.matchEnd,
      sheet: this.sheet.length ? [...this.sheet] : undefined,
    };
    return defined(view) as unknown as TableView;
  }

  private turnFor(viewer: number | null): Turn {
    const seat = this.turnSeat ?? 0;
    const plays = this.choosing ? [] : this.legal(seat);
    const own = viewer !== seat || this.choosing ? {} : plays.length ? { plays } : { must_pass: true };
    const clock = this.clock() === 0 ? {} : { ms: this.clock() };
    const choosing = this.choosing ? { choosing: true } : {};
    return { k: "turn", seat, turn: this.turnId, ...choosing, ...clock, ...own };
  }

  private nextMs(): number | undefined {
    const { start_seconds: seconds = 0 } = this.options;
    if (this.phase === "pause") return PAUSE;
    return this.phase === "lobby" && seconds > 0 ? seconds * 1000 : undefined;
  }

  private clock(): number {
    const seconds = this.options.move_seconds ?? 0;
    return seconds === 0 ? 0 : seconds * 1000 + this.givenBack;
  }

  // --- how it goes on ----------------------------------------------------------------------

  private dealNow(): void {
    this.seed = toHex(this.nextSeed);
    const tiles = orderOf(this.nextSeed, this.nextAdded).map(tileOf);
    this.hands = [0, 1, 2, 3].map((seat) => tiles.slice(6 * seat, 6 * seat + 6).map(low));
    this.hand += 1;
    this.multiplier = this.nextMultiplier;
    this.line = { chain: [], opened: 0 };
    this.lastSeat = this.lastEnd = undefined;
    this.handEnd = undefined;
    this.commitment = this.nextCommitment;
    this.nextCommitment = undefined;
    this.added = this.nextAdded;
    this.nextAdded = [];
    const { hand, opening, multiplier } = this;
    const hands = [...this.hands];
    const scores: [number, number] = [...this.scores];
    this.told.push((viewer) => ({
      k: "dealt",
      hand,
      opening,
      multiplier,
      scores,
      ...(viewer === null ? {} : { tiles: hands[viewer] ?? [] }),
    }));
    const first = highestDouble(this.hands);
    const won = this.opening === "won";
    this.must = won ? null : first.tile;
    this.beginTurn(won ? this.winner : first.seat, won);
  }

  private beginTurn(seat: number, choosing: boolean): void {
    if (this.line.chain.length > 0) this.must = null;
    this.phase = choosing ? "choose" : "play";
    this.turnSeat = seat;
    this.givenBack = 0;
    this.turnId = this.seq + 1;
    this.choosing = choosing;
    const turns = new Map([null, 0, 1, 2, 3].map((viewer) => [viewer, this.turnFor(viewer)]));
    this.told.push((viewer) => turns.get(viewer) as Turn);
  }

  private endHand(reason: Reason, winner: number): void {
    const won = winner >= 0;
    const points = won ? POINTS[reason] * this.multiplier : 0;
    if (won) this.scores = this.scores.with(winner % 2, (this.scores[winner % 2] ?? 0) + points) as [number, number];
    this.winner = won ? winner : this.winner;
    this.opening = won ? "won" : "tie";
    const counts = this.hands.map((hand) => hand.reduce((sum, tile) => sum + weight(tile), 0));
    const who = won ? { winner, team: winner % 2 } : {};
    this.handEnd = {
      reason,
      points,
      multiplier: this.multiplier,
      counts: counts as unknown as HandEnd["counts"],
      hands: [...this.hands],
      scores: this.scores,
      seed: this.seed,
      ...(this.added.length ? { added: bySeat(this.added) } : {}),
      ...who,
    };
    this.nextMultiplier = won ? 1 : this.multiplier + 1;
    this.sheet = [...this.sheet, { reason, points, scores: this.scores, ...(won ? { winner } : {}) }];
    this.turnSeat = null;
    this.finish(won && Math.max(...this.scores) >= 6, winner % 2);
  }

  private finish(over: boolean, team: number): void {
    this.phase = over ? "match_over" : "pause";
    const end = this.handEnd as HandEnd;
    this.tell({ k: "hand_ended", end, ...(over ? {} : { next_ms: PAUSE }) });
    if (!over) {
      this.commitNext();
      return;
    }
    const buchuda = this.scores[1 - team] === 0 ? { buchuda: true } : {};
    this.matchEnd = { team, scores: this.scores, ...buchuda };
    this.tell({ k: "match_ended", end: this.matchEnd });
  }

  private commitNext(): void {
    this.nextSeed = Uint8Array.from({ length: 32 }, () => Math.floor(256 * this.random()));
    this.nextCommitment = toHex(sha256(this.nextSeed));
    this.tell({ k: "committed", hand: this.hand + 1, commitment: this.nextCommitment });
  }

  private moveAtRandom(seat: number): void {
    const plays = this.legal(seat);
    const play = plays[Math.floor(this.random() * plays.length)];
    if (play === undefined) {
      this.pass(seat);
      return;
    }
    const { tile, ends = [] } = play;
    this.play(seat, tile, ends[Math.floor(this.random() * ends.length)]);
  }

  private resultCall(reason: Reason): Call {
    return reason === "tie" ? { kind: "tie", number: this.multiplier + 1 } : { kind: reason };
  }

  private flip(): number {
    return this.random() < 0.5 ? 0 : 1;
  }
}

function bySeat(added: readonly Added[]): readonly Added[] {
  return added.toSorted((one, other) => one.seat - other.seat);
}

function low(tile: Tile): Tile {
  return tile[0] <= tile[1] ? tile : [tile[1], tile[0]];
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

