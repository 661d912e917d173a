// What is told through the one live region: the game for who does not see it.

import { signal } from "@preact/signals";
import { phrase } from "../../game/calls";
import { currentLang, sentence, t, tn, type Key } from "../../i18n";
import type { EventFrame, TableEvent } from "../../net/protocol.gen";
import { nameOf, nameOrYou, ownTeam, toldOrYou } from "../../state/names";
import { msUntil, table, talk } from "../../state/session";
import type { TableState } from "../../state/table";
import { endsInWords, tileName } from "../../ui/words";

export const announced = signal("");

/** Says something; the same words twice are still said twice. */
export function announce(text: string): void {
  if (text === "") return;
  announced.value = announced.value === text ? `${text}\u00a0` : text;
}

/** What a commit means to somebody who listens. */
export function announceFrames(frames: readonly EventFrame[], state: TableState): void {
  const parts = frames.flatMap((frame) => frame.d.events.map((event) => spoken(event, state)));
  announce(parts.filter((part) => part !== "").join(" "));
}

function spoken(event: TableEvent, state: TableState): string {
  switch (event.k) {
    case "played": {
      const words = event.calls.map((call) => phrase(currentLang(), call)).join(" ");
      const name = toldOrYou(state, event.seat);
      return sentence("readPlayed", { name, tile: tileName(event.tile), words });
    }
    case "passed":
      return sentence("readPassed", { name: toldOrYou(state, event.seat) });
    case "dealt": {
      const tiles = (event.tiles ?? []).map(tileName).join(", ");
      return t("readDealt", { n: event.hand, tiles });
    }
    case "hand_ended":
      return t(`reason_${event.end.reason}` satisfies Key);
    case "turn":
      return event.seat === state.view.me ? yourTurn(state, event) : "";
    default:
      return "";
  }
}

function yourTurn(state: TableState, turn: Extract<TableEvent, { k: "turn" }>): string {
  if (turn.choosing) return t("chooseTitle");
  if (turn.must_pass) return t("promptPass");
  return `${t("promptYourTurn")}. ${endsInWords(state.view.ends)}.`;
}

export function readTable(): string {
  const state = table.value;
  if (state === null) return "";
  const others = [0, 1, 2, 3].filter((seat) => seat !== state.view.me);
  const counts = others.map((seat) =>
    t("readCount", { name: nameOf(state, seat), count: tn("seatTiles", state.view.counts[seat] ?? 0) }),
  );
  const own = ownTeam(state);
  const score = t("barScore", {
    us: state.view.scores[own] ?? 0,
    them: state.view.scores[1 - own] ?? 0,
  });
  return t("readTable", { ends: endsInWords(state.view.ends), counts: counts.join("; "), score });
}

export function readLast(): string {
  const state = table.value;
  const last = talk.value.lines.findLast((line) => line.kind === "said");
  if (state === null || last?.kind !== "said") return t("readNothing");
  const words = last.calls.map((call) => phrase(currentLang(), call)).join(" ");
  return t("saidBy", { name: nameOrYou(state, last.seat), words });
}

export function readTime(): string {
  const state = table.value;
  const endsAt = state?.turnEndsAt ?? null;
  if (endsAt === null) return t("readNoClock");
  const left = msUntil(endsAt);
  return left === null ? t("seatClockUnknown") : tn("seatTimeLeft", Math.max(0, Math.ceil(left / 1000)));
}
