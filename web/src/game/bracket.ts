// How a bracket hangs together (R37, R38): where winner and loser of each match go, and where the
// boxes of the whole tree stand.

import { nameIn, roundOf, type MatchName } from "./match";

/** Where both teams of a match go; a loser without a match is out. */
export interface Route {
  readonly winner: string | null;
  readonly loser: string | null;
}

/** For whom a place in a match is kept. */
export interface Source {
  readonly match: string;
  readonly result: "winner" | "loser";
}

/** Who comes down into which match, by size and round of the losers' side; others keep their order. */
const TURNED: Readonly<Record<number, Readonly<Record<number, readonly number[]>>>> = {
  16: { 2: [4, 3, 2, 1], 4: [1, 2], 6: [1] },
  8: { 2: [2, 1], 4: [1] },
  4: { 2: [1] },
};

const rounds = (teams: number) => Math.log2(teams);
/** Matches in a round of the winners' side. */
const upper = (teams: number, round: number) => teams / 2 ** round;
/** Matches in a round of the losers' side. */
const lower = (teams: number, round: number) => teams / 2 ** (Math.ceil(round / 2) + 1);

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

const winner = (match: string): Source => ({ match, result: "winner" });
const loser = (match: string): Source => ({ match, result: "loser" });

/** Both places of every match that is not of the first round, in the order of the bracket. */
export function sourcesOf(teams: number): ReadonlyMap<string, readonly [Source, Source]> {
  const sources = new Map<string, readonly [Source, Source]>();
  const last = rounds(teams);
  for (const r of upTo(last).slice(1)) {
    for (const i of upTo(upper(teams, r))) {
      sources.set(`W${r}-${i}`, [winner(`W${r - 1}-${2 * i - 1}`), winner(`W${r - 1}-${2 * i}`)]);
    }
  }
  for (const r of upTo(2 * last - 2)) {
    for (const i of upTo(lower(teams, r))) {
      const before = r === 1 ? "W1" : `L${r - 1}`;
      const take = r === 1 ? loser : winner;
      const down = TURNED[teams]?.[r]?.[i - 1];
      const pair: readonly [Source, Source] =
        down === undefined
          ? [take(`${before}-${2 * i - 1}`), take(`${before}-${2 * i}`)]
          : [winner(`L${r - 1}-${i}`), loser(`W${r / 2 + 1}-${down}`)];
      sources.set(`L${r}-${i}`, pair);
    }
  }
  sources.set("F1", [winner(`W${last}-1`), winner(`L${2 * last - 2}-1`)]);
  sources.set("F2", [winner("F1"), loser("F1")]);
  return sources;
}

/** Where winner and loser of every match go. Of F1 both may meet again in F2. */
export function routesOf(teams: number): ReadonlyMap<string, Route> {
  const routes = new Map<string, { winner: string | null; loser: string | null }>();
  const at = (match: string) => {
    const route = routes.get(match) ?? { winner: null, loser: null };
    routes.set(match, route);
    return route;
  };
  for (const [match, places] of sourcesOf(teams)) {
    at(match);
    for (const { match: from, result } of places) at(from)[result] = match;
  }
  return routes;
}

/**
 * Where a box of the tree stands: its left upper corner. Across, lengths are in columns, which are
 * as wide as there is room for; down, they are in rem, so that the tree grows with the letters.
 */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export const BOX = { width: 0.9, height: 4, row: 4.75, head: 2.25, gap: 1.5 } as const;

export interface Tree {
  readonly width: number;
  readonly height: number;
  readonly spots: ReadonlyMap<string, Spot>;
  /** Where the heading of each round stands. */
  readonly heads: ReadonlyMap<string, Spot>;
  /** Ways of winners, from the right edge of a box to the left edge of the next. */
  readonly lines: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

/** The time axis: rounds that are played side by side stand in one column. */
function columnOf({ side, round }: MatchName, teams: number): number {
  if (side === "F") return 2 * rounds(teams) - 1;
  if (side === "L") return round;
  return round === 1 ? 0 : 2 * round - 3;
}

function topOf(name: MatchName, teams: number): number {
  const { side, round, number } = name;
  const { row, head, gap, height } = BOX;
  const upperHeight = head + (teams / 2) * row;
  const middle = (steps: number) => (number - 0.5) * row * 2 ** steps - height / 2;
  if (side === "W") return head + middle(round - 1);
  if (side === "L") return upperHeight + gap + head + middle(Math.ceil(round / 2) - 1);
  return upperHeight - height / 2 - (2 - round) * row + row / 2;
}

function lineBetween(from: Spot, to: Spot): string {
  const start = { x: from.x + BOX.width, y: from.y + BOX.height / 2 };
  const end = { x: to.x, y: to.y + BOX.height / 2 };
  const turn = end.x - (1 - BOX.width) / 2;
  return `M${start.x} ${start.y}H${turn}V${end.y}H${end.x}`;
}

export function treeOf(teams: number, matches: readonly string[]): Tree {
  const spots = new Map<string, Spot>();
  const heads = new Map<string, Spot>();
  const { row, head, gap, width } = BOX;
  const upperHeight = head + (teams / 2) * row;
  for (const id of matches) {
    const name = nameIn(id);
    const x = columnOf(name, teams);
    spots.set(id, { x, y: topOf(name, teams) });
    const y = name.side === "W" ? 0 : name.side === "L" ? upperHeight + gap : topOf(nameIn("F1"), teams) - head;
    heads.set(roundOf(id), { x, y });
  }
  const lines = [...routesOf(teams)].flatMap(([from, { winner: to }]) => {
    const [one, other] = [spots.get(from), to === null ? undefined : spots.get(to)];
    const ahead = one !== undefined && other !== undefined && other.x > one.x;
    return to !== null && ahead ? [{ from, to, path: lineBetween(one, other) }] : [];
  });
  return {
    width: columnOf(nameIn("F1"), teams) + width,
    height: upperHeight + gap + head + (teams / 4) * row,
    spots,
    heads,
    lines,
  };
}

/** The rounds of a bracket in the order in which they are played. */
export function roundsOf(matches: readonly string[]): readonly string[] {
  return [...new Set(matches.map(roundOf))].toSorted((one, other) => order(one) - order(other));
}

function order(round: string): number {
  const number = Number(round.slice(1));
  if (round === "F") return Number.MAX_SAFE_INTEGER;
  return round.startsWith("W") ? (number === 1 ? 0 : 2 * number - 3.5) : number;
}
