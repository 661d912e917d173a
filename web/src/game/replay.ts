// A hand of the past, move by move. A moment is named by its hand and by how many moves had been
// made by then: none, and the tiles are dealt; all of them, and the hand is over.

import type { End, Move, PastHand, Replay, Tile } from "../net/protocol.gen";
import { sameTile, turnedForLeft, turnedForRight } from "./tiles";

export interface Moment {
  /** Number of the hand in its match, from 1. */
  readonly hand: number;
  readonly move: number;
}

/** What lies on the table and in the four hands. */
export interface Situation {
  readonly chain: readonly Tile[];
  /** Where in the chain the opening tile is. */
  readonly opened: number;
  readonly ends?: readonly [number, number];
  readonly hands: readonly (readonly Tile[])[];
  /** Who laid the newest tile, and at which end. */
  readonly lastSeat?: number;
  readonly lastEnd?: End;
}

export function situationAt(hand: PastHand, moves: number): Situation {
  const dealt: Situation = { chain: [], opened: 0, hands: hand.dealt };
  return hand.moves.slice(0, moves).reduce(played, dealt);
}

function played(before: Situation, { seat, tile, end, ends }: Move): Situation {
  if (tile === undefined) return before;
  const { chain, opened } = before;
  const hands = before.hands.map((tiles, at) => (at === seat ? tiles.filter((one) => !sameTile(one, tile)) : tiles));
  const after = { hands, lastSeat: seat, ...(ends === undefined ? {} : { ends }), ...(end === undefined ? {} : { lastEnd: end }) };
  if (before.ends === undefined || end === undefined) return { ...after, chain: [ends ?? tile], opened: 0 };
  if (end === "left") return { ...after, chain: [turnedForLeft(tile, before.ends[0]), ...chain], opened: opened + 1 };
  return { ...after, chain: [...chain, turnedForRight(tile, before.ends[1])], opened };
}

/** The last hand that is there; a replay without any has none. */
const lastOf = ({ hands }: Pick<Replay, "hands">) => hands.at(-1)?.number ?? 0;

export function handAt({ hands }: Pick<Replay, "hands">, number: number): PastHand | undefined {
  return hands.find((hand) => hand.number === number);
}

const movesOf = (replay: Pick<Replay, "hands">, hand: number) => handAt(replay, hand)?.moves.length ?? 0;

/** The nearest moment that there is. */
export function within(replay: Pick<Replay, "hands">, { hand, move }: Moment): Moment {
  const known = Math.min(Math.max(hand, 1), lastOf(replay));
  return { hand: known, move: Math.min(Math.max(move, 0), movesOf(replay, known)) };
}

/** One move on or back, over the end of a hand into the next one; the same at either end of all. */
export function stepped(replay: Pick<Replay, "hands">, { hand, move }: Moment, step: 1 | -1): Moment {
  const next = move + step;
  if (next < 0) return hand > 1 ? { hand: hand - 1, move: movesOf(replay, hand - 1) } : { hand, move };
  if (next <= movesOf(replay, hand)) return { hand, move: next };
  return hand < lastOf(replay) ? { hand: hand + 1, move: 0 } : { hand, move };
}

/** The beginning of this hand, or of the one before if that is where we are; and the same forwards. */
export function leapt(replay: Pick<Replay, "hands">, { hand, move }: Moment, step: 1 | -1): Moment {
  const edge = step < 0 ? 0 : movesOf(replay, hand);
  return move === edge ? stepped(replay, { hand, move }, step) : { hand, move: edge };
}

/** The points before a hand. */
export function scoresBefore(replay: Pick<Replay, "hands">, hand: number): readonly [number, number] {
  return handAt(replay, hand - 1)?.end.scores ?? [0, 0];
}

const HAND = "mao";
const MOVE = "lance";

/** The moment that an address names; the first one if it names none. */
export function momentIn(search: string): Moment {
  const asked = new URLSearchParams(search);
  const read = (name: string, otherwise: number) => {
    const text = asked.get(name) ?? "";
    return /^\d{1,4}$/.test(text) ? Number(text) : otherwise;
  };
  return { hand: read(HAND, 1), move: read(MOVE, 0) };
}

export function searchFor({ hand, move }: Moment): string {
  return move === 0 ? `?${HAND}=${hand}` : `?${HAND}=${hand}&${MOVE}=${move}`;
}
