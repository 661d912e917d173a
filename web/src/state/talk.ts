// The talk log and the speech bubbles: what was said lately, by whom.

import type { Call, EventFrame, Reason } from "../net/protocol.gen";

export type Line =
  | { readonly kind: "said"; readonly seq: number; readonly seat: number; readonly calls: readonly Call[]; readonly byClock: boolean }
  | { readonly kind: "chose"; readonly seq: number; readonly seat: number; readonly opener: number }
  | { readonly kind: "dealt"; readonly seq: number; readonly hand: number }
  | { readonly kind: "ended"; readonly seq: number; readonly reason: Reason; readonly points: number; readonly team: number | null };

export interface Talk {
  readonly lines: readonly Line[];
}

export const SILENCE: Talk = { lines: [] };

const LONGEST = 80;
const PASS: Call = { kind: "pass" };

/** The talk after a commit that has come into effect. */
export function overheard(talk: Talk, frame: EventFrame): Talk {
  const lines = [...talk.lines, ...linesOf(frame)];
  return { lines: lines.slice(-LONGEST) };
}

function linesOf(frame: EventFrame): Line[] {
  const { seq } = frame;
  return frame.d.events.flatMap((event): Line[] => {
    switch (event.k) {
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

/** What a seat said a moment ago: of the last three things said in this hand, its newest. */
export function bubbleOf(talk: Talk, seat: number): Extract<Line, { kind: "said" }> | null {
  const dealt = talk.lines.findLastIndex((line) => line.kind === "dealt");
  const said = talk.lines.slice(dealt + 1).filter((line) => line.kind === "said");
  return said.slice(-STILL_HEARD).findLast((line) => line.seat === seat) ?? null;
}
