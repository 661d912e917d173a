// What commits sound like: noises, spoken calls, a buzz.

import { phrase } from "../../game/calls";
import { currentLang, t } from "../../i18n";
import type { EventFrame, TableEvent } from "../../net/protocol.gen";
import { ownTeam } from "../../state/names";
import { say } from "../../state/session";
import type { TableState } from "../../state/table";
import { clack, flourish, knock, nudge, result, slam } from "../../sound/noises";
import { hushVoice, speakAloud } from "../../sound/speech";
import { announceFrames } from "./announce";

type Of<K extends TableEvent["k"]> = Extract<TableEvent, { k: K }>;

/** After this many moves at once nobody wants to hear each of them. */
const MANY = 4;

export function hear(frames: readonly EventFrame[], state: TableState): void {
  announceFrames(frames, state);
  const events = frames.flatMap((frame) => frame.d.events);
  if (events.length > 0) setTimeout(() => sound(events, state));
}

/** In a task of its own: the picture need not wait for it. */
function sound(events: readonly TableEvent[], state: TableState): void {
  const of = <K extends TableEvent["k"]>(kind: K) =>
    events.filter((event): event is Of<K> => event.k === kind);
  const moved = of("deadline_moved").length > 0;
  if (moved) say(t("clockGivenBack"));
  const hand = of("hand_ended").at(-1);
  if (hand !== undefined) ended(hand, state);
  else {
    const played = of("played").length;
    if (played > 0) clack(Math.min(played, MANY));
    else if (of("passed").length > 0) knock();
  }
  if (of("turn").length > 0 && state.view.turn?.seat === state.view.me) nudge();
  speakCalls(events);
}

function ended({ end }: Of<"hand_ended">, state: TableState): void {
  slam();
  if (end.reason === "la_e_lo") flourish();
  else if (end.team !== undefined) result(end.team === ownTeam(state));
}

/** Only the newest move is spoken: who comes back from a lost line need not hear them all. */
function speakCalls(events: readonly TableEvent[]): void {
  const moves = events.filter((event) => event.k === "played" || event.k === "passed");
  const last = moves.at(-1);
  if (last === undefined) return;
  if (moves.length >= MANY) hushVoice();
  const lang = currentLang();
  const calls = last.k === "played" ? last.calls : [{ kind: "pass" } as const];
  speakAloud(calls.map((call) => phrase(lang, call)).join(" "), lang);
}
