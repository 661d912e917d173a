// The rules of one table (R1-R19, R26): a state of plain values, and functions that change it.
// They return false, and change nothing, for a move that is not allowed. Both servers use them.
import { count, endsFitted, isDouble, maskOf, playable, SEATS, TILES } from "./tiles.mjs";

const GOAL = 6;

/** A match that has not been dealt: `hands` are bit masks, `mustOpen` is -1 if any tile may. */
export const newMatch = () => ({
  hands: [0, 0, 0, 0],
  ends: [],
  turn: 0,
  choosing: false,
  mustOpen: -1,
  lastSeat: -1,
  winner: -1,
  scores: [0, 0],
  multiplier: 1,
  matches: 0,
});

/** Deal a hand from all 28 tiles in an order (R2, R4, R5). */
export function deal(state, order) {
  state.hands = SEATS.map((seat) => maskOf(order.slice(seat * 6, seat * 6 + 6)));
  state.ends = [];
  state.choosing = state.winner >= 0;
  state.mustOpen = -1;
  if (state.choosing) {
    state.turn = state.winner;
    return;
  }
  for (let tile = 27; state.mustOpen < 0; tile--) {
    const seat = isDouble(tile) ? state.hands.findIndex((hand) => (hand >> tile) & 1) : -1;
    if (seat >= 0) [state.turn, state.mustOpen] = [seat, tile];
  }
}

/** The winner of the hand before says who opens (R5, R6). */
export function choose(state, seat, opener) {
  if (!state.choosing || seat !== state.turn || (opener - seat) & 1) return false;
  state.choosing = false;
  state.turn = opener;
  return true;
}

/** Pass, with nothing that fits (R9, R10). */
export function pass(state, seat) {
  if (state.choosing || seat !== state.turn) return false;
  if (playable(state.hands[seat], state.ends, state.mustOpen)) return false;
  state.turn = (seat + 1) & 3;
  return true;
}

/** Lay a tile; `end` is 0 or 1, or null where it fits one only (R7, R8). */
export function play(state, seat, tile, end) {
  if (state.choosing || seat !== state.turn) return false;
  if (!((playable(state.hands[seat], state.ends, state.mustOpen) >> tile) & 1)) return false;
  const before = [...state.ends];
  const fitted = endsFitted(tile, before);
  const at = end ?? (fitted.length === 1 ? fitted[0] : null);
  if (before.length && !fitted.includes(at)) return false;
  lay(state, tile, at);
  state.hands[seat] &= ~(1 << tile);
  state.lastSeat = seat;
  state.mustOpen = -1;
  state.turn = (seat + 1) & 3;
  if (state.hands[seat] === 0) won(state, seat, pointsOf(tile, before));
  else if (!state.hands.some((hand) => playable(hand, state.ends, -1))) blocked(state);
  return true;
}

/** Whether the hand is over and the next one is to be dealt. */
export const isOver = (state) => state.hands.every((hand) => hand === 0);

function lay(state, tile, at) {
  const [low, high] = TILES[tile];
  if (!state.ends.length) state.ends = [low, high];
  else state.ends[at] = state.ends[at] === low ? high : low;
}

/** What a domino is worth, from the ends before its last tile (R15). */
function pointsOf(tile, [left, right]) {
  const [low, high] = TILES[tile];
  if (low === high) return left === right ? 4 : 2;
  return (left === low && right === high) || (left === high && right === low) ? 3 : 1;
}

/** The lowest count wins, shared by both teams it is a tie (R17, R18). */
function blocked(state) {
  const counts = state.hands.map(count);
  const lowest = Math.min(...counts);
  const around = SEATS.map((step) => (state.lastSeat + step) & 3);
  const sharing = around.filter((seat) => counts[seat] === lowest);
  if (sharing.some((seat) => (seat ^ sharing[0]) & 1)) {
    state.winner = -1;
    state.multiplier += 1;
    state.hands = [0, 0, 0, 0];
  } else won(state, sharing[0], 1);
}

/** Book a hand, and begin the next match if this one is decided (R19, R26, R29). */
function won(state, seat, points) {
  state.scores[seat & 1] += points * state.multiplier;
  state.winner = seat;
  state.multiplier = 1;
  state.hands = [0, 0, 0, 0];
  if (state.scores[seat & 1] >= GOAL) {
    state.scores = [0, 0];
    state.winner = -1;
    state.matches += 1;
  }
}
