// The talk log and the speech bubbles: what was said lately, by whom.

import type { Call, EventFrame, Phrase, Reason, Said, SeatChanged } from "../net/protocol.gen";

export type Line =
  | { readonly kind: "phrase"; readonly seq: number; readonly n: number; readonly seat: number; readonly phrase: Phrase }
  | { readonly kind: "seat"; readonly seq: number; readonly seat: number; readonly what: "gone" | "back" | "stand_in" }
  | { readonly kind: "given_back"; readonly seq: number; readonly seat: number }
  | { readonly kind: "said"; readonly seq: number; readonly seat: number; readonly calls: readonly Call[]; readonly byClock: boolean }
  | { readonly kind: "chose"; readonly seq: number; readonly seat: number; readonly opener: number }
  | { readonly kind: "dealt"; readonly seq: number; readonly hand: number }
  | { readonly kind: "ended"; readonly seq: number; readonly reason: Reason; readonly points: number; readonly team: number | null };

export interface Talk {
  readonly lines: readonly Line[];
  /** Seats of people who are gone. */
  readonly gone: readonly number[];
}

export const SILENCE: Talk = { lines: [], gone: [] };

const LONGEST = 80;
const PASS: Call = { kind: "pass" };

/** The talk after a commit that has come into effect. */
export function overheard(talk: Talk, frame: EventFrame): Talk {
  const lines = [...talk.lines, ...linesOf(frame, talk.gone)];
  return { lines: lines.slice(-LONGEST), gone: goneAfter(talk.gone, frame) };
}

/** The talk after a phrase, which has no number of its own. */
export function spokeUp(talk: Talk, { seat, phrase }: Said, seq: number): Talk {
  const last = talk.lines.findLast((line) => line.kind === "phrase");
  const n = last?.kind === "phrase" ? last.n + 1 : 0;
  const lines: Line[] = [...talk.lines, { kind: "phrase", seq, n, seat, phrase }];
  return { ...talk, lines: lines.slice(-LONGEST) };
}

function goneAfter(gone: readonly number[], frame: EventFrame): readonly number[] {
  return frame.d.events.reduce((so_far, event) => {
    if (event.k !== "seat") return so_far;
    const others = so_far.filter((seat) => seat !== event.seat);
    return event.who.gone ? [...others, event.seat] : others;
  }, gone);
}

function seatLine(seq: number, { seat, who }: SeatChanged, gone: readonly number[]): Line[] {
  const wasGone = gone.includes(seat);
  if (who.kind !== "person" || wasGone === (who.gone ?? false)) {
    return who.stand_in === undefined ? [] : [{ kind: "seat", seq, seat, what: "stand_in" }];
  }
  return [{ kind: "seat", seq, seat, what: who.gone ? "gone" : "back" }];
}

function linesOf(frame: EventFrame, gone: readonly number[]): Line[] {
  const { seq } = frame;
  return frame.d.events.flatMap((event): Line[] => {
    switch (event.k) {
      case "seat":
        return seatLine(seq, event, gone);
      case "deadline_moved":
        return [{ kind: "given_back", seq, seat: event.seat }];
      case "played":
        return [{ kind: "said", seq, seat: event.seat, calls: event.calls, byClock: !!event.by_clock }];
      case "passed":
        return [{ kind: "said", seq, seat: event.seat, calls: [PASS], byClock: !!event.by_clock }];
      case "opener_chosen":
        return [{ kind: "chose", seq, seat: event.seat, opener: event.opener }];
      case "dealt":
        return [{ kind: "dealt", seq, hand: event.hand }];
      case "hand_ended": {
        const { reason, points, team = null } = event.end;
        return [{ kind: "ended", seq, reason, points, team }];
      }
      default:
        return [];
    }
  });
}

const STILL_HEARD = 3;

export type Heard = Extract<Line, { kind: "said" | "phrase" }>;

/** What a seat said a moment ago: of the last three things said in this hand, its newest. */
export function bubbleOf(talk: Talk, seat: number): Heard | null {
  const dealt = talk.lines.findLastIndex((line) => line.kind === "dealt");
  const said = talk.lines
    .slice(dealt + 1)
    .filter((line) => line.kind === "said" || line.kind === "phrase");
  return said.slice(-STILL_HEARD).findLast((line) => line.seat === seat) ?? null;
}
