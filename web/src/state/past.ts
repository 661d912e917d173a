// A moment of the past as the state of a table, so that the same parts draw it.

import { handAt, scoresBefore, situationAt, type Moment } from "../game/replay";
import { t } from "../i18n";
import type { PastHand, Replay } from "../net/protocol.gen";
import { animalName } from "./animals";
import { nameOf } from "./names";
import type { FullView, TableState } from "./table";

/** The table right after a move, with all four hands in it; null where no hand is over yet. */
export function stateAt(replay: Replay, { hand: number, move }: Moment): TableState | null {
  const hand = handAt(replay, number);
  if (hand === undefined) return null;
  const view = { ...lyingAt(hand, move), ...standing(replay, hand, move) };
  return { id: replay.table, seq: number * 1000 + move, view, turnEndsAt: null, nextDealAt: null };
}

type Lying = Pick<FullView, "chain" | "opened" | "ends" | "last_seat" | "last_end" | "tiles" | "counts">;

function lyingAt(hand: PastHand, move: number): Lying {
  const { chain, opened, ends, hands, lastSeat, lastEnd } = situationAt(hand, move);
  return {
    chain,
    opened,
    tiles: [],
    counts: hands.map((tiles) => tiles.length) as unknown as FullView["counts"],
    ...(ends === undefined ? {} : { ends }),
    ...(lastSeat === undefined ? {} : { last_seat: lastSeat }),
    ...(lastEnd === undefined ? {} : { last_end: lastEnd }),
  };
}

function standing(replay: Replay, hand: PastHand, move: number): Omit<FullView, keyof Lying> {
  const isOver = move >= hand.moves.length;
  const isLast = isOver && hand.number === replay.hands.at(-1)?.number;
  const told = replay.hands.filter(({ number }) => number < hand.number || (isOver && number === hand.number));
  return {
    phase: isOver ? "pause" : "play",
    options: { move_seconds: replay.move_seconds ?? 0 },
    seats: hand.seats,
    scores: isOver ? hand.end.scores : scoresBefore(replay, hand.number),
    match: replay.match,
    hand: hand.number,
    multiplier: hand.multiplier,
    code: "",
    commitment: hand.commitment,
    added: hand.end.added ?? [],
    next_added: [],
    sheet: told.map(({ end }) => end),
    championship: replay.championship ?? "",
    official: replay.official ?? "",
    ...(replay.me === undefined ? {} : { me: replay.me }),
    ...(isOver ? { hand_end: hand.end } : {}),
    ...(isLast && replay.end !== undefined ? { match_end: replay.end } : {}),
  };
}

/** A table of which only the seats are told: for the names of who sat there. */
export function tableOf(id: string, seats: FullView["seats"]): TableState {
  const view = { phase: "match_over", options: {}, seats, scores: [0, 0], match: 0, hand: 0, multiplier: 1 } as const;
  return {
    id,
    seq: 0,
    view: { ...view, chain: [], opened: 0, counts: [0, 0, 0, 0], tiles: [], code: "", sheet: [], added: [], next_added: [] },
    turnEndsAt: null,
    nextDealAt: null,
  };
}

/** An animal has its person's name beside it once that is known (R40). */
export function pastName(state: TableState, seat: number): string {
  const who = state.view.seats[seat];
  if (who?.kind !== "person") return nameOf(state, seat);
  if (who.animal === undefined || who.animal === "") return who.name || t("brNoAccount");
  return who.name === undefined || who.name === "" ? animalName(who.animal) : `${who.name}, ${animalName(who.animal)}`;
}

/** The same, but "you" for the viewer. */
export function pastNameOrYou(state: TableState, seat: number): string {
  return seat === state.view.me ? t("seatYou") : pastName(state, seat);
}

/** The same, but none for the viewer, to whom a sentence speaks with other words. */
export function pastUnlessYou(state: TableState, seat: number): string | null {
  return seat === state.view.me ? null : pastName(state, seat);
}
