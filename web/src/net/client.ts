// The whole net layer behind one object: connection, commands, tables.

import { EMPTY_FEED, hasGap, receive, type Feed, type TableFrame } from "../state/feed";
import { ServerClock } from "./clock";
import type { Env } from "./env";
import { Link, type LinkState } from "./link";
import { Outbox, retryOf, type Answer, type Command } from "./outbox";
import {
  PROTO,
  type Announcement,
  type Bracket,
  type EventFrame,
  type Hello,
  type MatchCall,
  type Notice,
  type Queue,
  type Refused,
  type Said,
  type ServerFrame,
  type Welcome,
} from "./protocol.gen";

/** Who is told of what happens. */
export interface Listener {
  who(): Pick<Hello, "lang" | "name" | "build" | "window"> & { readonly token: string | null };
  onLink(state: LinkState): void;
  /** True if `who` now answers something else, so that hello can be said again. */
  onHelloRefused(refused: Refused): boolean;
  onWelcome(welcome: Welcome): void;
  onTable(table: string, feed: Feed, applied: readonly EventFrame[]): void;
  onNotice(notice: Notice, table: string | null): void;
  onSaid(table: string, said: Said): void;
  /** How many people without a seat watch. */
  onWatching(table: string, count: number): void;
  onQueue(queue: Queue, now: number): void;
  onCalled(call: MatchCall, now: number): void;
  onBracket(bracket: Bracket, now: number): void;
  onAnnouncement(announcement: Announcement): void;
  /** An operator does not let the person play: why, and until when. */
  onShutOut(words: string): void;
}

type Unsent<T> = T extends Command ? Omit<T, "id"> : never;

/** A command without its id. */
export type Wish = Unsent<Command>;

/** What is told of beside tables, for as long as it is wanted. */
export type Subject = Extract<Wish, { t: "queue.watch" | "bracket.watch" }>;

export class Client {
  readonly clock = new ServerClock();
  private readonly link: Link;
  private readonly outbox: Outbox;
  private readonly feeds = new Map<string, Feed>();
  private readonly syncing = new Set<string>();
  /** What is asked for anew on each connection, and whether it has been answered. */
  private readonly subjects = new Map<string, { readonly wish: Subject; answered: boolean }>();

  constructor(
    env: Env,
    private readonly listener: Listener,
    private readonly newId: () => string,
  ) {
    const owner = {
      hello: () => this.hello(),
      held: () => this.held(),
      onState: (state: LinkState) => listener.onLink(state),
      onHelloRefused: (refused: Refused) => listener.onHelloRefused(refused),
      onWelcome: () => this.clock.forget(),
      onFrame: (frame: ServerFrame, at: number) => this.onFrame(frame, at),
    };
    this.link = new Link(env, owner, () => this.feeds.size > 0);
    this.outbox = new Outbox(env, (frame) => this.link.send(frame));
  }

  connect(): void {
    this.link.connect();
  }

  /**
   * Connects as one that has seen nothing yet: the seat then comes here from a newer window. One
   * that only lost its connection tells what it has, and gets its seat back if nobody took it.
   */
  claim(): void {
    for (const table of this.feeds.keys()) this.feeds.set(table, EMPTY_FEED);
    this.link.connect();
  }

  /** The page came to the front. */
  probe(): void {
    this.link.probe();
  }

  /** Shows a table from now on, across all reconnects. */
  watch(table: string): Promise<Answer> {
    this.follow(table);
    return this.submit({ t: "watch", table });
  }

  unwatch(table: string): void {
    if (this.feeds.delete(table)) void this.submit({ t: "unwatch", table });
  }

  /** Is told of a subject from now on, across all reconnects. */
  async attend(wish: Subject): Promise<Answer> {
    const key = JSON.stringify(wish);
    const entry = { wish, answered: false };
    this.subjects.set(key, entry);
    const answer = await this.submit(wish);
    entry.answered = true;
    if (!answer.ok && this.subjects.get(key) === entry) this.subjects.delete(key);
    return answer;
  }

  ignore(wish: Subject): void {
    if (!this.subjects.delete(JSON.stringify(wish))) return;
    void this.submit(wish.t === "queue.watch" ? { t: "queue.unwatch" } : { ...wish, t: "bracket.unwatch" });
  }

  /** Sends a command under an id of its own, until it is answered. */
  async submit(wish: Wish, id: string = this.newId()): Promise<Answer> {
    if (wish.t === "table.create") this.follow(wish.table);
    const answer = await this.outbox.submit({ ...wish, id } as Command);
    if (answer.ok) {
      const { ack } = answer;
      if (ack?.table !== undefined && ack.seq !== undefined) this.heardOf(ack.table, ack.seq);
    } else if ("table" in wish && retryOf(answer.refused.code) === "after_sync") {
      this.sync(wish.table);
    }
    return answer;
  }

  private follow(table: string): void {
    if (this.feeds.has(table)) return;
    this.feeds.set(table, EMPTY_FEED);
    this.link.quicken();
  }

  private hello(): Hello {
    const { token, ...who } = this.listener.who();
    const resume = this.held();
    return { proto: PROTO, ...who, ...(token === null ? {} : { token }), resume };
  }

  private held() {
    return [...this.feeds].map(([table, feed]) => ({ table, seq: feed.table?.seq ?? 0 }));
  }

  private onFrame(frame: ServerFrame, at: number): void {
    if ("now" in frame) this.clock.learn(frame.now, at);
    switch (frame.t) {
      case "welcome":
        this.syncing.clear();
        this.listener.onWelcome(frame.d);
        this.outbox.resendAll();
        this.attendAgain();
        break;
      case "snapshot":
      case "event":
        this.onTableFrame(frame);
        break;
      case "notice":
        this.listener.onNotice(frame.d, frame.table ?? null);
        break;
      case "announcement":
        this.listener.onAnnouncement(frame.d);
        break;
      case "nack":
        if (frame.d.code === "BANNED") this.listener.onShutOut(frame.d.reason);
        break;
      case "said":
        this.listener.onSaid(frame.table, frame.d);
        break;
      case "watching":
        this.listener.onWatching(frame.table, frame.d.count);
        break;
      case "queue":
        this.listener.onQueue(frame.d, frame.now);
        break;
      case "called":
        this.listener.onCalled(frame.d, frame.now);
        break;
      case "bracket":
        this.listener.onBracket(frame.d, frame.now);
        break;
    }
    this.outbox.receive(frame);
  }

  /** A new connection knows nothing of what the one before was told of. */
  private attendAgain(): void {
    for (const { wish, answered } of this.subjects.values()) if (answered) void this.submit(wish);
  }

  private onTableFrame(frame: TableFrame): void {
    const before = this.feeds.get(frame.table);
    if (before === undefined) return;
    const { feed, applied } = receive(before, frame);
    this.feeds.set(frame.table, feed);
    if (feed.table !== before.table) this.listener.onTable(frame.table, feed, applied);
    if (hasGap(feed)) this.sync(frame.table);
  }

  /** The server is at `seq`: if this client is not, something was lost. */
  private heardOf(table: string, seq: number): void {
    const feed = this.feeds.get(table);
    if (feed !== undefined && (feed.table?.seq ?? 0) < seq) this.sync(table);
  }

  /** Asks for what is missing, once at a time; the outbox asks again if no answer comes. */
  private sync(table: string): void {
    const feed = this.feeds.get(table);
    if (feed === undefined || this.syncing.has(table)) return;
    this.syncing.add(table);
    void this.submit({ t: "sync", table, seq: feed.table?.seq ?? 0 }).then((answer) => {
      this.syncing.delete(table);
      const now = this.feeds.get(table);
      if (answer.ok && now !== undefined && hasGap(now)) this.sync(table);
    });
  }
}
