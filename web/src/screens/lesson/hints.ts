// What a newcomer is told at the table: what to do now, and one thing at a time that is worth
// knowing. Pure functions of what the person's own seat sees.

import { dominoOf, type Domino } from "../../game/domino";
import { isDouble, sameTile } from "../../game/tiles";
import type { Tile, Turn } from "../../net/protocol.gen";
import type { FullView } from "../../state/table";

/** What can be done now. */
export type Task =
  | { readonly do: "open_double"; readonly tile: Tile }
  | { readonly do: "open_any" }
  | { readonly do: "choose" }
  | { readonly do: "last"; readonly tile: Tile; readonly kind: Domino }
  | { readonly do: "one_fits"; readonly tile: Tile }
  | { readonly do: "some_fit"; readonly count: number }
  /** A tile is lifted that fits at both ends. */
  | { readonly do: "pick_end"; readonly tile: Tile }
  | { readonly do: "pass" }
  /** The answer is on its way. */
  | { readonly do: "sent" }
  | { readonly do: "wait"; readonly seat: number }
  | { readonly do: "between" }
  | { readonly do: "over" };

/** What is worth knowing; each is told once. */
export type Topic =
  | "partner"
  | "fit"
  | "call"
  | "knocked"
  | "both_ends"
  | "doubles"
  | "going_out"
  | "few_left"
  | "score"
  | "tie"
  | "block"
  | "must_pass"
  | "choosing";

/** What is seen at the table, apart from the view: who has knocked in this hand, and the last call. */
export interface Heard {
  readonly knocked: boolean;
  readonly called: boolean;
}

export function taskOf(view: FullView, open: Turn | null, lifted: Tile | null): Task {
  if (view.phase === "match_over") return { do: "over" };
  if (open === null) {
    if (view.turn === undefined) return { do: "between" };
    return view.turn.seat === view.me ? { do: "sent" } : { do: "wait", seat: view.turn.seat };
  }
  if (open.choosing) return { do: "choose" };
  const plays = open.plays ?? [];
  const [first, ...others] = plays;
  if (first === undefined) return { do: "pass" };
  const { ends, tiles } = view;
  if (ends === undefined) {
    const only = others.length === 0 && tiles.length > 1 && isDouble(first.tile);
    return only ? { do: "open_double", tile: first.tile } : { do: "open_any" };
  }
  if (lifted !== null && fitsBoth(view, lifted)) return { do: "pick_end", tile: lifted };
  if (tiles.length === 1) return { do: "last", tile: first.tile, kind: dominoOf(first.tile, ends) };
  if (others.length === 0) return { do: "one_fits", tile: first.tile };
  return { do: "some_fit", count: plays.length };
}

/** Whether the two ends differ and the tile fits at either. */
function fitsBoth({ ends, turn }: FullView, tile: Tile): boolean {
  if (ends === undefined || ends[0] === ends[1]) return false;
  const play = turn?.plays?.find((one) => sameTile(one.tile, tile));
  return play?.ends?.length === 2;
}

/** In the order in which they are told, if there is occasion. */
const OCCASIONS: readonly (readonly [Topic, (view: FullView, task: Task, heard: Heard) => boolean])[] = [
  ["choosing", (_, task) => task.do === "choose"],
  ["must_pass", (_, task) => task.do === "pass"],
  ["tie", (view) => view.multiplier > 1],
  ["partner", () => true],
  ["fit", (view) => view.ends !== undefined],
  ["both_ends", (view) => view.tiles.some((tile) => fitsBoth(view, tile))],
  ["knocked", (_, __, heard) => heard.knocked],
  ["call", (_, __, heard) => heard.called],
  ["going_out", (view) => view.tiles.length <= 2],
  ["few_left", (view) => others(view).some((count) => count === 1)],
  ["doubles", (view, task) => task.do === "some_fit" && playable(view).some(isDouble)],
  ["score", (view) => view.hand > 1],
  ["block", (view) => view.hand > 1 && view.chain.length > 6],
];

const others = (view: FullView) => view.counts.filter((_, seat) => seat !== view.me);
const playable = (view: FullView) => (view.turn?.plays ?? []).map(({ tile }) => tile);

export interface Progress {
  readonly told: readonly Topic[];
  /** The turn that the topic belongs to: it stays as long as that turn is open. */
  readonly turn: number | null;
  readonly topic: Topic | null;
}

export const BEGINNING: Progress = { told: [], turn: null, topic: null };

/** What is to be told in a turn of one's own; each topic once, the most pressing first. */
export function teach(so_far: Progress, view: FullView, task: Task, heard: Heard): Progress {
  const turn = view.turn !== undefined && view.turn.seat === view.me ? view.turn.turn : null;
  if (turn === null || turn === so_far.turn) return so_far;
  const next = OCCASIONS.find(([topic, fits]) => !so_far.told.includes(topic) && fits(view, task, heard));
  if (next === undefined) return { ...so_far, turn, topic: null };
  const [topic] = next;
  return { told: [...so_far.told, topic], turn, topic };
}
