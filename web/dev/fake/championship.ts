// A championship that decides itself, for looking at brackets without servers and for tests.

import animals from "../../src/data/animals.json";
import { routesOf, sourcesOf } from "../../src/game/bracket";
import { fromHex, toHex } from "../../src/game/bytes";
import { draw, tableOf, type Drawn } from "../../src/game/draw";
import { sha256 } from "../../src/game/sha256";
import type { Bracket, Match, Mine, Team, Tier } from "../../src/net/protocol.gen";
import type { Random } from "./rules";

const TEAMS: Readonly<Record<Tier, number>> = { bronze: 4, silver: 8, gold: 16 };
const PAUSE = 15_000;
export const ANIMAL_IDS = animals.animals.map(({ id }) => id).toSorted();

export const NAMES = [
  "Severino", "Maria da Conceição", "Zé", "Luzia", "Biu do Pina", "Dandara", "Seu Lunga", "Marluce",
  "Nô", "Cida", "Tonho", "Rosa", "Chico", "Ivone", "Dedé", "Neide", "Juca", "Lia", "Mestre Salu",
  "Carminha", "Beto", "Zefa", "Nado", "Socorro", "Pedro", "Ana", "Gil", "Rute", "Davi", "Eva", "Ivo",
  "Olga",
];

interface Known {
  readonly teams: [number | null, number | null];
  winner?: number;
  scores?: readonly [number, number];
}

/** What a team gets that is put out in a round of the losers' side, or at the end (R39). */
function placeOf(teams: number, round: number): { place: [number, number]; points: number } {
  const out = teams / 2 ** (Math.ceil(round / 2) + 1);
  const better = teams - [...Array(round - 1).keys()].reduce((sum, i) => sum + teams / 2 ** (Math.ceil((i + 1) / 2) + 1), 0);
  return { place: [better - out + 1, better], points: 2 ** (round - 1) };
}

export class FakeChampionship {
  version = 1;
  readonly drawn: readonly Drawn[];
  private readonly count: number;
  private readonly seed: Uint8Array;
  private readonly players: readonly string[];
  private readonly known = new Map<string, Known>();
  private readonly placed = new Map<number, Pick<Team, "place" | "points">>();
  private readonly losses = new Map<number, number>();
  private champion: number | undefined;
  private reason: string | undefined;

  constructor(
    readonly id: string,
    readonly tier: Tier,
    private readonly random: Random,
    private readonly started = 1_764_500_000_000,
  ) {
    this.count = TEAMS[tier];
    this.seed = Uint8Array.from({ length: 32 }, () => Math.floor(256 * random()));
    this.players = Array.from({ length: 2 * this.count }, (_, i) => `player-${i + 1}`);
    this.drawn = draw(this.seed, this.players, ANIMAL_IDS);
    for (let i = 1; i <= this.count / 2; i++) this.known.set(`W1-${i}`, { teams: [2 * i - 1, 2 * i] });
    for (const later of sourcesOf(this.count).keys()) if (later !== "F2") this.known.set(later, { teams: [null, null] });
  }

  /** Matches whose teams are known and that nobody has won. */
  get open(): readonly string[] {
    const open = [...this.known].filter(([, { teams, winner }]) => winner === undefined && !teams.includes(null));
    return this.champion === undefined && this.reason === undefined ? open.map(([id]) => id) : [];
  }

  /** A match is won; `first` says by whom. */
  decide(match: string, first: boolean): void {
    const known = this.known.get(match);
    const [one = null, other = null] = known?.teams ?? [];
    if (known === undefined || one === null || other === null || known.winner !== undefined) return;
    const [winner, loser] = first ? [one, other] : [other, one];
    const points = Math.floor(6 * this.random());
    known.winner = winner;
    known.scores = first ? [6, points] : [points, 6];
    this.version += 1;
    this.losses.set(loser, (this.losses.get(loser) ?? 0) + 1);
    if (match === "F1" || match === "F2") this.finish(match, winner, loser);
    else this.moveOn(match, winner, loser);
  }

  step(): boolean {
    const match = this.open[Math.floor(this.random() * this.open.length)];
    if (match === undefined) return false;
    this.decide(match, this.random() < 0.5);
    return true;
  }

  cancel(reason: string): void {
    this.reason = reason;
    this.version += 1;
  }

  /** The first team of the draw that has lost so many matches; the first one if none has. */
  teamWith(losses: number): number {
    const numbers = this.drawn.map((_, i) => i + 1);
    return numbers.find((number) => (this.losses.get(number) ?? 0) === losses) ?? 1;
  }

  bracket(mine?: Mine): Bracket {
    const over = this.champion !== undefined || this.reason !== undefined;
    const secrets = {
      seed: toHex(this.seed),
      players: this.players,
      drawn: this.drawn.map(({ players }) => players),
      ended: this.started + 3_600_000,
    };
    return {
      id: this.id,
      version: this.version,
      tier: this.tier,
      stage: this.reason !== undefined ? "cancelled" : over ? "over" : "running",
      started: this.started,
      commitment: toHex(sha256(this.seed)),
      teams: this.drawn.map((drawn, i) => this.team(drawn, i + 1)),
      matches: [...this.known].map(([id, known]) => this.match(id, known)),
      ...(this.champion === undefined ? {} : { champion: this.champion }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(over ? secrets : {}),
      ...(mine === undefined ? {} : { mine }),
    };
  }

  private team({ animals: shown, players }: Drawn, number: number): Team {
    const placed = this.placed.get(number);
    const names = players.map((id) => NAMES[Number(id.slice(7)) - 1] ?? "") as unknown as [string, string];
    return { number, animals: shown, ...(placed === undefined ? {} : { ...placed, names }) };
  }

  private match(id: string, { teams, winner, scores }: Known): Match {
    const known = !teams.includes(null);
    const soon = winner === undefined && this.version % 2 === 0 && id.startsWith("L");
    return {
      id,
      teams,
      ...(known ? { table: tableOf(fromHex(toHex(this.seed)), this.id, id) } : {}),
      ...(known && soon ? { ms: PAUSE } : {}),
      ...(winner === undefined ? {} : { winner }),
      ...(scores === undefined ? {} : { scores }),
    };
  }

  private moveOn(match: string, winner: number, loser: number): void {
    const { winner: up = null, loser: down = null } = routesOf(this.count).get(match) ?? {};
    this.enter(match, "winner", up, winner);
    if (down !== null) this.enter(match, "loser", down, loser);
    else this.placed.set(loser, placeOf(this.count, Number(match.charAt(1))));
  }

  private enter(from: string, result: "winner" | "loser", to: string | null, team: number): void {
    const places = to === null ? undefined : sourcesOf(this.count).get(to);
    const at = places?.findIndex((source) => source.match === from && source.result === result) ?? -1;
    const known = to === null ? undefined : this.known.get(to);
    if (known !== undefined && at >= 0) known.teams[at] = team;
  }

  private finish(match: string, winner: number, loser: number): void {
    if (match === "F1" && (this.losses.get(loser) ?? 0) < 2) {
      this.known.set("F2", { teams: [...(this.known.get("F1")?.teams ?? [winner, loser])] });
      return;
    }
    const rounds = 2 * Math.log2(this.count) - 2;
    this.champion = winner;
    this.placed.set(loser, { place: [2, 2], points: 2 ** rounds });
    this.placed.set(winner, { place: [1, 1], points: 2 ** (rounds + 1) });
  }
}
