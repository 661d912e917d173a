// One team's way through a bracket: what it has played, what comes, and how it stands.

import type { Bracket, Match, Team } from "../net/protocol.gen";
import { routesOf, sourcesOf, type Source } from "./bracket";

/** A match of the team. `rival` is null while it is not known; it is then decided in `awaits`. */
export interface Step {
  readonly match: string;
  readonly rival: number | null;
  readonly result: "won" | "lost" | null;
  /** Own points first. */
  readonly scores: readonly [number, number] | null;
  readonly table: string;
  readonly awaits: Source | null;
}

export type Standing =
  | { readonly kind: "champion"; readonly team: Team }
  | { readonly kind: "out"; readonly team: Team }
  /** Its next match is played, or about to be. */
  | { readonly kind: "plays"; readonly step: Step }
  /** Its rival is still to be found. */
  | { readonly kind: "waits"; readonly step: Step }
  /** The championship was cancelled before. */
  | { readonly kind: "stopped" };

export function teamOf({ teams }: Bracket, number: number): Team | undefined {
  return teams.find((team) => team.number === number);
}

export const isIn = ({ teams }: Match, team: number) => teams.includes(team);

export const isDecided = ({ winner }: Match) => winner !== undefined;

/** Both teams are known and nobody has won yet. */
export const isOpen = (match: Match) => !isDecided(match) && !match.teams.includes(null);

function stepOf(match: Match, team: number, teams: number): Step {
  const own = match.teams[0] === team ? 0 : 1;
  const rival = match.teams[1 - own] ?? null;
  const { scores } = match;
  return {
    match: match.id,
    rival,
    result: match.winner === undefined ? null : match.winner === team ? "won" : "lost",
    scores: scores === undefined ? null : own === 0 ? scores : [scores[1], scores[0]],
    table: match.table ?? "",
    awaits: rival === null ? (sourcesOf(teams).get(match.id)?.[1 - own] ?? null) : null,
  };
}

/** The team's matches in their order, the one that comes next among them. */
export function pathOf(bracket: Bracket, team: number): readonly Step[] {
  const count = bracket.teams.length;
  const own = bracket.matches.filter((match) => isIn(match, team));
  const known = own.map((match) => stepOf(match, team, count)).toSorted(byTime(count));
  const last = known.at(-1);
  if (last === undefined || last.result === null || isSettled(bracket, team)) return known;
  const next = nextAfter(bracket, last, count);
  return next === null ? known : [...known, next];
}

/** What comes after the last match that is known, when the bracket does not tell it yet. */
function nextAfter({ matches }: Bracket, last: Step, count: number): Step | null {
  const id = routesOf(count).get(last.match)?.[last.result === "won" ? "winner" : "loser"] ?? null;
  if (id === null || !matches.some((match) => match.id === id)) return null;
  const awaits = sourcesOf(count).get(id)?.find(({ match }) => match !== last.match) ?? null;
  return { match: id, rival: null, result: null, scores: null, table: "", awaits };
}

function isSettled(bracket: Bracket, team: number): boolean {
  return bracket.stage !== "running" || teamOf(bracket, team)?.place !== undefined;
}

/** Along a path each match comes after the one that led to it. */
function byTime(teams: number): (one: Step, other: Step) => number {
  const order = [...routesOf(teams).keys()];
  const depth = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    const sources = sourcesOf(teams).get(id) ?? [];
    const found = Math.max(-1, ...sources.map(({ match }) => depthOf(match))) + 1;
    depth.set(id, found);
    return found;
  };
  for (const id of order) depthOf(id);
  return (one, other) => depthOf(one.match) - depthOf(other.match);
}

/** How a team stands now. */
export function standingOf(bracket: Bracket, number: number): Standing {
  const team = teamOf(bracket, number);
  if (team !== undefined && bracket.champion === number) return { kind: "champion", team };
  if (team?.place !== undefined) return { kind: "out", team };
  const step = pathOf(bracket, number).at(-1);
  if (bracket.stage === "cancelled" || step === undefined || step.result !== null) {
    return { kind: "stopped" };
  }
  return { kind: step.rival === null ? "waits" : "plays", step };
}
