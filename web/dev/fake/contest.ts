// Queue, championship and account of the pretended gateway; see `server.ts` for what can be asked.

import type { Account } from "../../src/net/api";
import type {
  Championships,
  ClientFrame,
  MatchCall,
  Mine,
  Queue,
  Ranking,
  RankRow,
  ServerFrame,
  Tier,
} from "../../src/net/protocol.gen";
import { FakeChampionship, NAMES } from "./championship";
import type { Random } from "./rules";

export const CHAMPIONSHIP = "01J0000000000000000000CVP0";
const WAIT = 180_000;
const POINTS = [160, 128, 128, 64, 33, 32, 16, 16, 9, 8, 4, 2, 2, 1];
const SIZES: Readonly<Record<Tier, number>> = { bronze: 8, silver: 16, gold: 32 };

type Tell = (frame: ServerFrame) => void;

export class FakeContest {
  readonly championship: FakeChampionship;
  private readonly tier: Tier;
  private readonly eighthAt: number;
  private count: number;
  private ahead: number | null;

  constructor(
    private readonly query: URLSearchParams,
    random: Random,
    private readonly tell: Tell,
  ) {
    this.tier = (query.get("tier") ?? "silver") as Tier;
    this.count = Number(query.get("count") ?? 5);
    this.ahead = query.has("joined") ? Number(query.get("joined")) : null;
    this.eighthAt = Date.now() + Number(query.get("next") ?? WAIT);
    this.championship = new FakeChampionship(CHAMPIONSHIP, this.tier, random);
    const decided = Number(query.get("decided") ?? 0);
    for (let i = 0; i < decided && this.championship.step(); i++);
    if (query.has("cancel")) this.championship.cancel(query.get("cancel") ?? "");
  }

  /** Once a connection is greeted: a call, and the bracket of who is in it. */
  greet(): void {
    const mine = this.mine();
    if (mine !== undefined) this.tellBracket();
    const call = this.query.get("called");
    if (call !== null) setTimeout(() => this.call(), Number(call));
  }

  /** True if the frame was for this. */
  take(frame: ClientFrame): boolean {
    switch (frame.t) {
      case "queue.join":
        this.ahead = this.count;
        this.count += 1;
        break;
      case "queue.leave":
        this.ahead = null;
        this.count -= 1;
        break;
      case "queue.watch":
      case "queue.unwatch":
      case "bracket.watch":
      case "bracket.unwatch":
        break;
      default:
        return false;
    }
    if (frame.t === "bracket.watch" && frame.d.championship !== CHAMPIONSHIP) {
      const d = { code: "UNKNOWN_CHAMPIONSHIP", reason: "There is no such championship." };
      this.tell({ t: "nack", re: frame.id, d });
      return true;
    }
    this.tell({ t: "ack", re: frame.id });
    if (frame.t === "bracket.watch") {
      this.tellBracket();
      this.goOn();
    } else if (frame.t.startsWith("queue")) this.tellQueue();
    return true;
  }

  /** The match of the person, and the team that it is seen from. */
  official(): { readonly championship: string; readonly match: string } {
    return { championship: CHAMPIONSHIP, match: this.query.get("official") || "W1-1" };
  }

  /** Who sits at the table of the first match, by seat. */
  animals(): readonly string[] {
    const [one, other] = this.championship.drawn;
    return [one?.animals[0], other?.animals[0], one?.animals[1], other?.animals[1]].map((id) => id ?? "");
  }

  mine(): Mine | undefined {
    const team = this.query.get("mine");
    if (team === null) return undefined;
    const number = team === "out" ? this.championship.teamWith(2) : Number(team);
    return { team: number, animal: this.championship.drawn[number - 1]?.animals[0] ?? "" };
  }

  private call(): void {
    const { match } = this.official();
    const table = this.championship.bracket().matches.find(({ id }) => id === match)?.table ?? "";
    const d: MatchCall = {
      ...this.official(),
      tier: this.tier,
      table,
      seat: 0,
      team: 1,
      animal: this.animals()[0] ?? "",
      ms: Number(this.query.get("in") ?? 15_000),
    };
    this.tell({ t: "called", now: Date.now(), d });
  }

  private tellQueue(): void {
    const left = this.query.get("left") as Queue["left"] | null;
    const tier = this.count >= SIZES.silver ? "silver" : "bronze";
    const next = this.count < SIZES.bronze ? {} : { next: { tier, ms: this.eighthAt - Date.now() } as const };
    const own = this.ahead === null ? (left ? { left } : {}) : { ahead: this.ahead };
    this.tell({ t: "queue", now: Date.now(), d: { count: this.count, wait_ms: WAIT, ...next, ...own } });
  }

  private tellBracket(): void {
    this.tell({ t: "bracket", now: Date.now(), d: this.championship.bracket(this.mine()) });
  }

  /** With `live=ms` a match is won every so often. */
  private goOn(): void {
    const every = this.query.get("live");
    if (every === null) return;
    setTimeout(() => {
      if (!this.championship.step()) return;
      this.tellBracket();
      this.goOn();
    }, Number(every));
  }

  // --- over HTTP -----------------------------------------------------------------------------

  account(): Account {
    const name = this.query.get("account");
    const provider = (this.query.get("provider") ?? "google") as Account["provider"];
    if (name === null) return { signed_in: false, name: "", nameless: false, provider };
    return { signed_in: true, name, nameless: name === "", provider };
  }

  championships(): Championships {
    const started = Date.now() - 1_200_000;
    const running = { id: CHAMPIONSHIP, tier: this.tier, stage: "running", started } as const;
    const over = { id: `${CHAMPIONSHIP.slice(0, -1)}1`, tier: "bronze", stage: "over", started: started - 6e6 } as const;
    return { running: this.query.has("idle") ? [] : [running], ended: [{ ...over, ended: started }] };
  }

  ranking(week: string | null): Ranking {
    const rows = this.query.has("norank") ? [] : POINTS.map((_, i) => this.row(i));
    const own = { rank: 57, name: "Anna", points: 1, championships: 1, own: true };
    const asked = this.query.get("own");
    const row = asked === "in" ? rows[4] : asked === "below" ? own : undefined;
    return {
      week: week ?? "2026-11-30",
      weeks: ["2026-11-30", "2026-11-23", "2026-11-16"],
      rows,
      ...(row === undefined ? {} : { own: row }),
    };
  }

  private row(i: number): RankRow {
    const points = POINTS[i] ?? 0;
    const own = i === 4 && this.query.get("own") === "in";
    const name = i === 9 ? "" : (NAMES[i] ?? "");
    return { rank: POINTS.indexOf(points) + 1, name, points, championships: 1 + (i % 4), own };
  }

  /** The answer to a request; null for what is not pretended. */
  answer(method: string, url: URL, body: unknown): { readonly status: number; readonly value: unknown } | null {
    switch (`${method} ${url.pathname}`) {
      case "GET /api/account":
        return { status: 200, value: this.account() };
      case "POST /api/account/name": {
        const { name } = body as { name: string };
        if (name === "Zé") return { status: 409, value: { code: "NAME_TAKEN", reason: "" } };
        this.query.set("account", name);
        return { status: 200, value: {} };
      }
      case "POST /api/account/sign-out":
        this.query.delete("account");
        return { status: 200, value: {} };
      case "DELETE /api/account":
        if (this.mine() !== undefined) return { status: 409, value: { code: "IN_CHAMPIONSHIP", reason: "" } };
        this.query.delete("account");
        return { status: 200, value: {} };
      case "GET /api/championships":
        return { status: 200, value: this.championships() };
      case "GET /api/ranking":
        return { status: 200, value: this.ranking(url.searchParams.get("week")) };
      default:
        return null;
    }
  }
}
