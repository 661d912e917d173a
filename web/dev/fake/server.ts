// A gateway in the page itself, for looking at the page without servers: `?fake` in development.
// `&seat=n` takes a chair, `&clock=15` sets a clock, `&pause=1` holds the bots still, `&seed=n` deals
// the same again, `&steps=n` plays so far ahead and then on until `&until=pause`, `match_over`,
// `choose` (one's own choice), `ends` (a tile for both ends) or `pass`. `&friends=1` puts people into
// the other chairs, `&gone=n` lets one of them go and `&standin=n` lets a bot play there, `&start=8`
// lets the lobby end by itself, `&watchers=n`, `&closed=host`, `&say=hello` and `&find=none` do what
// they say; `&quick=ms` is how long a search for a table takes.
// Championships: `&account=Anna` signs in (`&account=` without a nickname), `&provider=development`;
// `&count=n` people wait, the person behind `&joined=n` of them, `&next=ms` until something starts,
// `&left=gone` after they were taken out. The one championship is of `&tier=gold`, has `&decided=n`
// matches (one more every `&live=ms`), is seen from team `&mine=n` (`out`: one that is out), or was
// stopped by `&cancel=reason`. `&called=ms` calls to a match after so long that starts `&in=ms`
// later, and `&official=W1-1` makes the table one of the championship. `&own=in` and `&own=below`
// put the person into the ranking, `&norank` empties it.

import { browserEnv, type Env, type SocketLike } from "../../src/net/env";
import type {
  ClientFrame,
  EventFrame,
  Options,
  Phrase,
  ServerFrame,
} from "../../src/net/protocol.gen";
import { FakeContest } from "./contest";
import { FakeTable } from "./table";

const ME = { kind: "person", name: "Anna", guest: true } as const;
const FRIENDS = ["Severino", "Maria da Conceição", "Zé"].map(
  (name) => ({ kind: "person", name, guest: true }) as const,
);

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Unasked = "hello" | "ping" | "watch" | "unwatch" | "table.create";
type OfTable = Exclude<ClientFrame["t"], Unasked | `queue.${string}` | `bracket.${string}`>;
type Asked = Extract<ClientFrame, { t: OfTable }>;

class FakeGateway implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private table: FakeTable | null = null;
  private seat: number | null = null;
  private readonly query = new URLSearchParams(location.search);
  private readonly delay = Number(this.query.get("delay") ?? 700);
  private readonly contest: FakeContest;

  constructor() {
    const seed = Number(this.query.get("seed") ?? 7);
    this.contest = new FakeContest(this.query, seeded(seed), (frame) => this.reply(frame));
    answerBy(this.contest);
    setTimeout(() => this.onopen?.());
  }

  close(): void {
    this.onmessage = null;
  }

  send(text: string): void {
    const frame = JSON.parse(text) as ClientFrame;
    setTimeout(() => this.take(frame), 20);
  }

  private reply(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  private take(frame: ClientFrame): void {
    switch (frame.t) {
      case "hello": {
        const d = { proto: 1, min_proto: 1, build: "dev", me: this.me() };
        this.reply({ t: "welcome", re: frame.id, now: Date.now(), d });
        this.contest.greet();
        break;
      }
      case "ping":
        this.reply({ t: "pong", now: Date.now(), d: { client: frame.d.client } });
        break;
      case "watch":
      case "table.create":
        this.open(frame.table, frame.id, frame.t === "table.create");
        break;
      case "unwatch":
        this.reply({ t: "ack", re: frame.id });
        break;
      default:
        if (!this.contest.take(frame)) this.command(frame as Asked);
    }
  }

  private me() {
    const { signed_in: known, name, nameless } = this.contest.account();
    return known ? { id: "anna", name, guest: false, nameless } : { id: "me", name: "Anna", guest: true };
  }

  private open(id: string, re: string, create: boolean): void {
    if (this.table?.id !== id) {
      const options = this.options();
      const seed = Number(this.query.get("seed") ?? Math.floor(Math.random() * 1e9));
      const official = create ? null : this.official();
      this.table = new FakeTable(id, seeded(seed), options, official, () => Date.now());
      this.seat = create || this.query.has("seat") ? Number(this.query.get("seat") ?? 0) : null;
      if (official !== null) this.seatAnimals(this.table);
      else if (this.seat !== null) this.table.sit(this.seat, ME);
      this.people(this.table);
      this.ahead(this.table);
      this.lateComings(this.table);
    }
    this.reply({ ...this.table.snapshot(this.seat), re });
    this.unnumbered(id);
    this.later();
  }

  private official() {
    return this.query.has("official") ? this.contest.official() : null;
  }

  private seatAnimals(table: FakeTable): void {
    for (const [seat, animal] of this.contest.animals().entries()) table.sit(seat, { kind: "person", animal });
  }

  private options(): Options {
    if (this.query.has("official")) return { move_seconds: 15, start_seconds: 15 };
    return {
      move_seconds: Number(this.query.get("clock") ?? 0),
      ...(this.query.has("start") ? { start_seconds: 8, public: true } : {}),
    };
  }

  private people(table: FakeTable): void {
    if (!this.query.has("friends")) return;
    const free = [0, 1, 2, 3].filter((seat) => seat !== this.seat).slice(0, Number(this.query.get("friends")));
    for (const [i, seat] of free.entries()) table.sit(seat, FRIENDS[i] ?? ME);
  }

  /** What has happened to people by the time somebody looks. */
  private lateComings(table: FakeTable): void {
    const gone = this.query.get("gone") ?? this.query.get("standin");
    if (gone !== null) table.gone(Number(gone));
    if (this.query.has("standin")) table.standIn(Number(gone));
    const closed = this.query.get("closed");
    if (closed !== null) table.close(closed as "host");
  }

  private unnumbered(id: string): void {
    const count = Number(this.query.get("watchers") ?? 0);
    if (count > 0) this.reply({ t: "watching", table: id, d: { count } });
    const phrase = this.query.get("say") as Phrase | null;
    if (phrase === null) return;
    for (const seat of [0, 1]) this.reply({ t: "said", table: id, d: { seat, phrase } });
  }

  /** Plays some way into a match before anybody looks. */
  private ahead(table: FakeTable): void {
    const steps = Number(this.query.get("steps") ?? 0);
    if (steps > 0) table.start();
    for (let i = 1; i < steps; i++) table.step();
    const until = this.query.get("until");
    if (until === null) return;
    for (let i = 0; i < 2000 && !this.isAt(table, until); i++) if (!table.step()) table.start();
  }

  private isAt(table: FakeTable, until: string): boolean {
    const own = table.turnSeat === this.seat && this.seat !== null;
    const plays = own ? table.legal(this.seat ?? 0) : [];
    if (until === "choose") return own && table.phase === "choose";
    if (until === "ends") return plays.some(({ ends = [] }) => ends.length === 2);
    if (until === "pass") return own && table.phase === "play" && plays.length === 0;
    return table.phase === until;
  }

  /** Commands about tables that are not shown yet. */
  private seek(frame: Extract<ClientFrame, { t: "table.find" | "table.quick" }>): void {
    const known = this.query.get("find") !== "none";
    const table = frame.t === "table.quick" ? frame.table : this.query.get("find");
    if (!known || table === null) {
      const d = { code: "UNKNOWN_TABLE", reason: "There is no such table." };
      this.reply({ t: "nack", re: frame.id, d });
      return;
    }
    const wait = frame.t === "table.quick" ? Number(this.query.get("quick") ?? 1500) : 0;
    setTimeout(() => {
      this.reply({ t: "ack", re: frame.id, d: { found: { table, options: this.options(), free: 3 } } });
    }, wait);
  }

  private command(frame: Asked): void {
    if (frame.t === "table.find" || frame.t === "table.quick") {
      this.seek(frame);
      return;
    }
    const table = this.table;
    if (table === null) return;
    if (frame.t === "say") {
      const d = { seat: this.seat ?? 0, phrase: frame.d.phrase };
      this.reply({ t: "said", table: table.id, d });
      this.reply({ t: "ack", re: frame.id });
      return;
    }
    const before = table.seq;
    switch (frame.t) {
      case "table.start":
        table.start();
        break;
      case "table.sit":
        this.seat = frame.d?.seat ?? 0;
        table.sit(this.seat, ME);
        break;
      case "seat.bot":
        if (table.seats[frame.d.seat]?.gone) table.standIn(frame.d.seat);
        else table.sit(frame.d.seat, { kind: "bot", level: "simple" });
        break;
      case "table.kick":
        table.sit(frame.d.seat, { kind: "empty" });
        break;
      case "table.leave":
        table.sit(this.seat ?? 0, { kind: "empty" });
        this.seat = null;
        break;
      case "table.swap":
        table.swap(...frame.d.seats);
        if (this.seat !== null && frame.d.seats.includes(this.seat)) {
          this.seat = frame.d.seats.find((seat) => seat !== this.seat) ?? this.seat;
        }
        break;
      case "table.close":
        table.close("host");
        break;
      case "deal.bytes":
        table.add(this.seat ?? 0, frame.d.hand, frame.d.bytes);
        break;
      case "seat.unbot":
        table.sit(frame.d.seat, { kind: "empty" });
        break;
      case "play":
        table.play(this.seat ?? 0, frame.d.tile, frame.d.end as "left" | "right" | undefined);
        break;
      case "pass":
        table.pass(this.seat ?? 0);
        break;
      case "choose_opener":
        table.choose(this.seat ?? 0, frame.d.opener);
        break;
      default:
        break;
    }
    if (frame.t === "table.sit" || frame.t === "table.leave") this.reply({ ...table.snapshot(this.seat), re: frame.id });
    else this.tell(before, frame.id);
    this.later();
  }

  private tell(before: number, re?: string): void {
    const table = this.table;
    if (table === null) return;
    for (let seq = before + 1; seq <= table.seq; seq++) {
      const frame: EventFrame = table.frame(seq, this.seat);
      this.reply(seq === before + 1 && re !== undefined ? { ...frame, re } : frame);
    }
    if (before === table.seq && re !== undefined) this.reply({ t: "ack", re });
  }

  /** The bots, and whatever else happens by itself. */
  private later(): void {
    const table = this.table;
    if (table === null || this.query.has("pause")) return;
    const waits = table.phase === "pause" ? 6000 : this.delay;
    const bots = table.turnSeat !== null && table.turnSeat !== this.seat;
    if (!bots && table.phase !== "pause") return;
    const { seq } = table;
    setTimeout(() => {
      if (table.seq !== seq) return;
      table.step();
      this.tell(seq);
      this.later();
    }, waits);
  }
}

/** Answers what the page asks over HTTP, as far as it is pretended. */
function answerBy(contest: FakeContest): void {
  window.fetch = (input, init = {}) => {
    const url = new URL(String(input), location.href);
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    const found = contest.answer(init.method ?? "GET", url, body);
    return Promise.resolve(Response.json(found?.value ?? {}, { status: found?.status ?? 404 }));
  };
}

export function fakeEnv(): Env {
  return { ...browserEnv(), open: () => new FakeGateway() };
}
