import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";

import { FakeTable } from "../dev/fake/table";
import { backoff } from "../src/net/backoff";
import { Client, type Listener } from "../src/net/client";
import { ServerClock } from "../src/net/clock";
import type { LinkState } from "../src/net/link";
import type { Announcement, Bracket, EventFrame, MatchCall, Queue, Refused, Said } from "../src/net/protocol.gen";
import { fromSnapshot, type TableState } from "../src/state/table";
import { World, settled } from "./world";

const TABLE = "01J00000000000000000000000";

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class Ear implements Listener {
  links: LinkState[] = [];
  table: TableState | null = null;
  heard: EventFrame[] = [];
  helloRefusals: Refused[] = [];
  said: [string, Said][] = [];
  watching: [string, number][] = [];
  told: [kind: string, what: string | number, now: number][] = [];
  name = "x";

  who = () => ({ lang: "pt", build: "b", name: this.name, token: "secret", window: "w" });
  onLink = (state: LinkState) => void this.links.push(state);
  onWelcome = () => {};
  onNotice = () => {};
  onSaid = (table: string, said: Said) => void this.said.push([table, said]);
  onWatching = (table: string, count: number) => void this.watching.push([table, count]);
  onQueue = (queue: Queue, now: number) => void this.told.push(["queue", queue.count, now]);
  onCalled = (call: MatchCall, now: number) => void this.told.push(["called", call.match, now]);
  onBracket = (bracket: Bracket, now: number) => void this.told.push(["bracket", bracket.version, now]);
  onAnnouncement = (announcement: Announcement) => void this.told.push(["news", announcement.id, 0]);
  onShutOut = (words: string) => void this.told.push(["out", words, 0]);
  onTable: Listener["onTable"] = (_, feed, applied) => {
    this.table = feed.table;
    this.heard.push(...applied);
  };
  onHelloRefused = (refused: Refused) => {
    this.helloRefusals.push(refused);
    const again = this.name !== "";
    this.name = "";
    return again;
  };
}

let world: World;
let ear: Ear;
let client: Client;
let ids: number;

beforeEach(() => {
  world = new World();
  ear = new Ear();
  ids = 0;
  client = new Client(world, ear, () => `c${++ids}`);
  client.connect();
});

describe("the connection", () => {
  it("says hello first, with the token and what it holds", () => {
    void client.watch(TABLE);
    const { sent } = world.welcome();
    expect(sent[0]).toMatchObject({ t: "hello", d: { token: "secret", window: "w", resume: [{ table: TABLE, seq: 0 }] } });
    expect(ear.links).toEqual(["up"]);
  });

  it("comes back after longer and longer waits", () => {
    world.welcome();
    const waits = [300, 600, 1000, 2000, 4000, 8000, 8000];
    for (const [i, wait] of waits.entries()) {
      world.socket.cut();
      world.pass(wait - 1);
      expect(world.sockets).toHaveLength(i + 1);
      world.pass(1);
      expect(world.sockets).toHaveLength(i + 2);
    }
    world.welcome();
    world.socket.cut();
    world.pass(300);
    expect(world.sockets).toHaveLength(waits.length + 2);
  });

  it("comes back when a server that restarts has said, once", () => {
    world.welcome();
    world.socket.tell({ t: "notice", d: { kind: "restarting", again_ms: 70 } });
    world.socket.cut(1012);
    world.pass(69);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
    world.socket.cut();
    world.pass(599);
    expect(world.sockets).toHaveLength(2);
    world.pass(1);
    expect(world.sockets).toHaveLength(3);
  });

  it("never waits the same for all, and never too long", () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat({ max: 50 }), random, (attempt, chance) => {
        const wait = backoff(attempt, chance);
        return wait >= 150 && wait <= 12_000;
      }),
    );
    expect(backoff(3, 0.1)).not.toBe(backoff(3, 0.9));
  });

  it("goes on waiting for its welcome, whatever else it hears", () => {
    world.socket.onopen?.();
    world.pass(3_000);
    world.socket.tell({ t: "watching", table: TABLE, d: { count: 0 } });
    const { socket } = world;
    world.pass(1_999);
    expect(socket.closed).toBe(false);
    world.pass(1);
    expect(socket.closed).toBe(true);
    world.pass(300);
    expect(world.sockets).toHaveLength(2);
  });

  it("waits for the answer to a second hello, too", () => {
    world.socket.onopen?.();
    world.socket.tell({ t: "nack", re: "hello-1", d: { code: "BAD_NICKNAME", reason: "no" } });
    world.pass(5_000);
    expect(world.socket.closed).toBe(true);
  });

  it("replaces a socket that swallows everything", () => {
    void client.watch(TABLE);
    const socket = world.welcome();
    world.pass(2_500);
    expect(socket.of("ping")).toHaveLength(1);
    world.pass(7_500);
    expect(socket.closed).toBe(true);
    expect(world.sockets).toHaveLength(2);
  });

  it("pings sooner from the moment a table is shown", () => {
    const socket = world.welcome();
    world.pass(1_000);
    void client.watch(TABLE);
    world.pass(2_499);
    expect(socket.of("ping")).toHaveLength(0);
    world.pass(1);
    expect(socket.of("ping")).toHaveLength(1);
  });

  it("keeps a socket that answers", () => {
    void client.watch(TABLE);
    const socket = world.welcome();
    for (let i = 0; i < 20; i++) {
      world.pass(5_000);
      socket.tell({ t: "pong", now: 1, d: { client: 1 } });
    }
    expect(world.sockets).toHaveLength(1);
    expect(socket.of("ping").at(-1)?.d.have).toEqual([{ table: TABLE, seq: 0 }]);
  });

  it("asks at once whether anybody is there when the page comes to the front", () => {
    world.welcome();
    client.probe();
    world.pass(1_500);
    expect(world.sockets).toHaveLength(2);
    client.probe();
    expect(world.sockets).toHaveLength(3);
  });

  it("ignores what an abandoned socket still says", () => {
    const first = world.welcome();
    client.connect();
    first.cut();
    first.onmessage?.({ data: "{}" });
    expect(world.sockets).toHaveLength(2);
  });

  it.each([
    [4001, "signed_out"],
    [4002, "too_old"],
    [4003, "taken"],
    [4004, "shut_out"],
  ] as const)("does not come back after %i", (code, state) => {
    world.welcome().cut(code);
    world.pass(60_000);
    expect(ear.links.at(-1)).toBe(state);
    expect(world.sockets).toHaveLength(1);
  });

  it("asks for the seat of a newer window as one that has seen nothing", () => {
    void client.watch(TABLE);
    const first = world.welcome();
    first.tell({ ...new Gateway().table.snapshot(0), re: "c1" });
    first.cut();
    world.pass(300);
    const held = world.welcome().of("hello")[0]?.d.resume?.[0]?.seq;
    expect(held).toBeGreaterThan(0);
    world.socket.cut(4003);
    client.claim();
    expect(world.welcome().of("hello")[0]?.d.resume).toEqual([{ table: TABLE, seq: 0 }]);
  });

  it("is told why nobody is let in, and does not come back by itself", () => {
    client.connect();
    const { socket } = world;
    socket.onopen?.();
    const hello = socket.of("hello")[0]?.id ?? "";
    socket.tell({ t: "nack", re: hello, d: { code: "BANNED", reason: "until Monday" } });
    socket.cut(4004);
    world.pass(60_000);
    expect(ear.told).toEqual([["out", "until Monday", 0]]);
    expect(ear.links.at(-1)).toBe("shut_out");
    expect(socket.of("hello")).toHaveLength(1);
  });

  it("passes on what the house tells everybody", () => {
    world.welcome().tell({ t: "announcement", d: { id: "A", pt: "a", es: "b", en: "c" } });
    expect(ear.told).toEqual([["news", "A", 0]]);
  });

  it("says hello again without a nickname that cannot be used", () => {
    world.socket.onopen?.();
    const refused = { code: "BAD_NICKNAME", reason: "no" };
    world.socket.tell({ t: "nack", re: "hello-1", d: refused });
    expect(world.socket.of("hello").map((frame) => frame.d.name)).toEqual(["x", ""]);
    world.socket.tell({ t: "nack", re: "hello-2", d: { code: "TRY_LATER", reason: "later" } });
    expect(world.socket.closed).toBe(true);
    world.pass(300);
    expect(world.sockets).toHaveLength(2);
  });
});

describe("commands", () => {
  const pass = { t: "pass", table: TABLE, d: { turn: 1, fence: 1 } } as const;

  it("are sent again with the same id until they are answered", async () => {
    const socket = world.welcome();
    const answer = client.submit(pass);
    world.pass(2_500);
    world.pass(2_500);
    expect(socket.of("pass").map(({ id }) => id)).toEqual(["c1", "c1", "c1"]);
    socket.tell({ t: "ack", re: "c1" });
    expect((await answer).ok).toBe(true);
    world.pass(20_000);
    expect(socket.of("pass")).toHaveLength(3);
  });

  it("survive a lost connection, in their order", () => {
    const first = world.welcome();
    void client.submit(pass);
    void client.submit({ t: "table.start", table: TABLE });
    first.cut();
    world.pass(300);
    const second = world.welcome();
    expect(second.sent.map(({ t }) => t)).toEqual(["hello", "pass", "table.start"]);
  });

  it("that come before the first connection wait for it", () => {
    void client.submit(pass);
    expect(world.welcome().of("pass")).toHaveLength(1);
  });

  it("are sent again later, not given up, when the server asks for that", async () => {
    const socket = world.welcome();
    let answered = false;
    void client.submit(pass).then(() => (answered = true));
    socket.tell({ t: "nack", re: "c1", d: { code: "TRY_LATER", reason: "" } });
    await settled();
    expect(answered).toBe(false);
    expect(socket.of("pass")).toHaveLength(1);
    world.pass(1_500);
    expect(socket.of("pass")).toHaveLength(2);
  });

  it("that are refused as stale lead to a sync", async () => {
    const socket = world.welcome();
    void client.watch(TABLE);
    const answer = client.submit(pass);
    socket.tell({ t: "nack", re: "c2", d: { code: "STALE_TURN", reason: "" } });
    expect((await answer).ok).toBe(false);
    expect(socket.of("sync")).toMatchObject([{ table: TABLE, seq: 0 }]);
  });

  it("that were done at a version not seen yet lead to a sync", async () => {
    const socket = world.welcome();
    void client.watch(TABLE);
    const answer = client.submit(pass);
    socket.tell({ t: "ack", re: "c2", table: TABLE, seq: 9 });
    await answer;
    expect(socket.of("sync")).toHaveLength(1);
  });
});

/** A gateway in a few lines: answers watch and sync, and loses frames as it is told. */
class Gateway {
  readonly table = new FakeTable(TABLE, seeded(11), {}, null, () => 1000);

  constructor() {
    this.table.sit(0, { kind: "person", name: "Anna" });
    this.table.start();
  }

  /** Answers what has been asked since last time. */
  answer(asked: number): number {
    const { socket } = world;
    for (const frame of socket.sent.slice(asked)) {
      if (frame.t === "watch") socket.tell({ ...this.table.snapshot(0), re: frame.id });
      if (frame.t === "sync") this.catchUp(frame.seq, frame.id);
    }
    return socket.sent.length;
  }

  private catchUp(seq: number, re: string): void {
    const missing = Array.from({ length: this.table.seq - seq }, (_, i) => seq + 1 + i);
    if (missing.length === 0) world.socket.tell({ t: "ack", re, table: TABLE, seq });
    for (const [i, number] of missing.entries()) {
      const frame = this.table.frame(number, 0);
      world.socket.tell(i === missing.length - 1 ? { ...frame, re } : frame);
    }
  }
}

describe("a table", () => {
  it("is whole whatever gets lost on the way", async () => {
    const losses = fc.array(fc.constantFrom("sent", "sent", "sent", "lost", "cut"), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(losses, async (fates) => {
        world = new World();
        ear = new Ear();
        client = new Client(world, ear, () => `c${++ids}`);
        client.connect();
        const gateway = new Gateway();
        void client.watch(TABLE);
        world.welcome();
        let asked = gateway.answer(0);
        for (let i = 0; gateway.table.step(); i++) {
          const fate = fates[i % fates.length];
          if (fate === "cut") {
            world.socket.cut();
            world.pass(300);
            world.welcome();
            asked = 1;
            const held = world.socket.of("hello")[0]?.d.resume?.[0];
            for (let seq = (held?.seq ?? 0) + 1; seq < gateway.table.seq; seq++) {
              world.socket.tell(gateway.table.frame(seq, 0));
            }
          }
          if (fate !== "lost") world.socket.tell(gateway.table.frame(gateway.table.seq, 0));
          asked = gateway.answer(asked);
          await settled();
        }
        // The last frame may be the lost one; the next one, whenever it comes, shows that.
        gateway.table.start();
        world.socket.tell(gateway.table.frame(gateway.table.seq, 0));
        gateway.answer(asked);
        expect(ear.table).toEqual(fromSnapshot(gateway.table.snapshot(0)));
        const seqs = ear.heard.map((frame) => frame.seq);
        expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
        expect(new Set(seqs).size).toBe(seqs.length);
      }),
      { numRuns: 10 },
    );
  });

  it("tells what was said and who watches, without a number", () => {
    const socket = world.welcome();
    void client.watch(TABLE);
    socket.tell({ t: "said", table: TABLE, d: { seat: 1, phrase: "hello" } });
    socket.tell({ t: "watching", table: TABLE, d: { count: 2 } });
    expect(ear.said).toEqual([[TABLE, { seat: 1, phrase: "hello" }]]);
    expect(ear.watching).toEqual([[TABLE, 2]]);
    expect(socket.of("sync")).toEqual([]);
  });

  it("that is not shown any more is not listened to", () => {
    const socket = world.welcome();
    void client.watch(TABLE);
    client.unwatch(TABLE);
    const gateway = new Gateway();
    socket.tell(gateway.table.snapshot(0));
    expect(ear.table).toBeNull();
  });
});

it("knows the server's time from the frame that was fastest", () => {
  const clock = new ServerClock();
  expect(clock.until(5_000, 0)).toBeNull();
  clock.learn(1_000, 400);
  clock.learn(2_000, 1_050);
  clock.learn(3_000, 2_300);
  expect(clock.until(5_000, 2_300)).toBe(5_000 - (2_300 + 950));
});

function ackAll(): void {
  for (const { id } of [...world.socket.of("queue.watch"), ...world.socket.of("bracket.watch")]) {
    world.socket.tell({ t: "ack", re: id });
  }
}

describe("what is told beside tables", () => {
  const QUEUE = { t: "queue.watch" } as const;
  const BRACKET = { t: "bracket.watch", d: { championship: TABLE } } as const;
  it("is handed on with the server's time", () => {
    world.welcome().tell({ t: "queue", now: 7, d: { count: 3, wait_ms: 1 } });
    expect(ear.told).toEqual([["queue", 3, 7]]);
  });

  it("is asked for anew on each connection, once", async () => {
    world.welcome();
    void client.attend(QUEUE);
    void client.attend(BRACKET);
    ackAll();
    await settled();
    world.socket.cut();
    world.pass(1000);
    world.welcome();
    expect(world.socket.of("queue.watch")).toHaveLength(1);
    expect(world.socket.of("bracket.watch")).toHaveLength(1);
  });

  it("is asked for once, too, if the first question was not answered", () => {
    world.welcome();
    void client.attend(QUEUE);
    world.socket.cut();
    world.pass(1000);
    world.welcome();
    expect(world.socket.of("queue.watch")).toHaveLength(1);
  });

  it("is given up, and not asked for any more", async () => {
    world.welcome();
    void client.attend(BRACKET);
    ackAll();
    await settled();
    client.ignore(BRACKET);
    expect(world.socket.of("bracket.unwatch")).toMatchObject([{ d: { championship: TABLE } }]);
    world.socket.cut();
    world.pass(1000);
    world.welcome();
    expect(world.socket.of("bracket.watch")).toHaveLength(0);
  });

  it("is forgotten if it was refused", async () => {
    world.welcome();
    const answer = client.attend(BRACKET);
    const re = world.socket.of("bracket.watch")[0]?.id ?? "";
    world.socket.tell({ t: "nack", re, d: { code: "UNKNOWN_CHAMPIONSHIP", reason: "" } });
    expect((await answer).ok).toBe(false);
    world.socket.cut();
    world.pass(1000);
    world.welcome();
    expect(world.socket.of("bracket.watch")).toHaveLength(0);
  });
});
