// What is told through the one live region: the whole game for who does not see it. Whoever hears
// every line knows what the page shows.

import { effect, signal } from "@preact/signals";
import { phrase, resultName } from "../../game/calls";
import { about, currentLang, t, tn, type Key } from "../../i18n";
import type { EventFrame, HandEnd, MatchEnd, Played, SeatChanged, TableEvent, Tile } from "../../net/protocol.gen";
import { isOfficial, nameOf, nameOrYou, ownTeam, toldUnlessYou } from "../../state/names";
import { mayPass, mustOpenWith } from "../../state/play";
import { msUntil, table, talk } from "../../state/session";
import type { TableState } from "../../state/table";
import { endsInWords, tileName } from "../../ui/words";
import { headline, story } from "./MatchEnd";
import { points } from "./HandEnd";

export interface Announcement {
  readonly key: number;
  readonly text: string;
}

/** The newest lines, oldest first: what comes fast is not overwritten before it is read. */
export const announced = signal<readonly Announcement[]>([]);

const KEPT = 8;
let count = 0;

export function announce(text: string): void {
  if (text === "") return;
  count += 1;
  announced.value = [...announced.value.slice(1 - KEPT), { key: count, text }];
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== "").join(" ");

let known = { table: "", seq: -1 };

/** What commits mean to somebody who listens; who is told no commits hears how the table stands. */
export function announceFrames(frames: readonly EventFrame[], state: TableState): void {
  const { id, seq, view } = state;
  const isNews = id !== known.table || seq !== known.seq;
  known = { table: id, seq };
  const events = frames.flatMap((frame) => frame.d.events);
  if (events.length > 0) announce(joined(events.map((event) => spoken(event, state))));
  else if (isNews && view.phase !== "lobby") announce(joined([readSeats(state), readHand(state), readTable()]));
}

/** Begins to tell of a table, with what people say there. */
export function followTable(id: string): () => void {
  announced.value = [];
  known = { table: "", seq: -1 };
  const state = table.peek();
  if (state?.id === id) announceFrames([], state);
  let heard = talk.peek().lines.at(-1);
  return effect(() => {
    const last = talk.value.lines.at(-1);
    const here = table.peek();
    if (last?.kind !== "phrase" || last === heard || here === null) return;
    heard = last;
    const words = t(`phrase_${last.phrase}` satisfies Key);
    announce(t("saidBy", { name: nameOrYou(here, last.seat), words }));
  });
}

function spoken(event: TableEvent, state: TableState): string {
  switch (event.k) {
    case "match_started":
      return readSeats(state);
    case "played":
      return played(event, state);
    case "passed":
      return about("readPassed", toldUnlessYou(state, event.seat)) + byClock(event.by_clock);
    case "dealt":
      return dealt(event.hand, event.multiplier, event.tiles ?? []);
    case "opener_chosen":
      return `${about("talkChose", toldUnlessYou(state, event.opener))}.`;
    case "hand_ended":
      return handEnded(event.end, state);
    case "match_ended":
      return matchEnded(event.end, state);
    case "turn":
      return event.seat === state.view.me ? yourTurn(state) : "";
    case "seat":
      return state.view.phase === "lobby" ? "" : seatChanged(event, state);
    default:
      return "";
  }
}

const PLAYED = { left: "readPlayedLeft", right: "readPlayedRight", only: "readPlayed" } as const;

function played(event: Played, state: TableState): string {
  const words = event.calls.map((call) => phrase(currentLang(), call)).join(" ");
  const values = { tile: tileName(event.tile), words };
  return about(PLAYED[event.end ?? "only"], toldUnlessYou(state, event.seat), values) + byClock(event.by_clock);
}

const byClock = (did: boolean | undefined) => (did ? ` (${t("talkClock")})` : "");

function dealt(hand: number, multiplier: number, tiles: readonly Tile[]): string {
  const names = tiles.map(tileName).join(", ");
  const what = names === "" ? `${t("talkHand", { n: hand })}.` : t("readDealt", { n: hand, tiles: names });
  return multiplier > 1 ? `${what} ${t("barWorthLong", { n: multiplier })}.` : what;
}

function handEnded(end: HandEnd, state: TableState): string {
  const winner = end.winner === undefined ? "" : `${about("endWinner", toldUnlessYou(state, end.winner))}.`;
  return joined([`${t(`reason_${end.reason}` satisfies Key)}.`, winner, `${points(state, end)}.`, `${scoreOf(state, end.scores)}.`]);
}

function matchEnded(end: MatchEnd, state: TableState): string {
  const scene = end.buchuda_de_re ? "buchuda_de_re" : end.buchuda ? "buchuda" : null;
  const kind = scene === null ? "" : `${resultName(currentLang(), scene)}!`;
  return joined([headline(state, end), kind, story(state, end)]);
}

const SEAT_WORDS = { gone: "talkGone", stand_in: "talkStandIn", back: "talkBack" } as const;

function seatChanged({ seat, who }: SeatChanged, state: TableState): string {
  if (who.kind !== "person" || seat === state.view.me) return "";
  const what = who.stand_in !== undefined ? "stand_in" : who.gone ? "gone" : "back";
  return `${nameOf(state, seat)}: ${t(SEAT_WORDS[what])}.`;
}

function yourTurn({ view }: TableState): string {
  if (view.turn?.choosing) return t("chooseTitle");
  if (view.turn?.must_pass) return `${t("promptPass")}.`;
  const double = mustOpenWith();
  if (double !== null) return `${t("promptOpenDouble", { tile: tileName(double) })}.`;
  return `${t("promptYourTurn")}. ${endsInWords(view.ends)}.`;
}

const RELATIONS = [
  [1, "seatNext"],
  [2, "seatPartner"],
  [3, "seatBefore"],
] as const;

/** Who sits where. */
function readSeats(state: TableState): string {
  const { me, seats } = state.view;
  if (me === undefined) return t("readSeats", { seats: [0, 1, 2, 3].map((seat) => nameOf(state, seat)).join(", ") });
  const others = RELATIONS.map(([step, relation]) => {
    const seat = (me + step) % 4;
    const bot = seats[seat]?.kind === "bot" && !isOfficial(state) ? ` (${t("seatBot")})` : "";
    return `${nameOf(state, seat)}${bot}: ${t(relation)}`;
  });
  return t("readSeats", { seats: others.join("; ") });
}

/** One's own tiles and what is asked, for who comes into a hand. */
function readHand(state: TableState): string {
  const { tiles, hand, multiplier, turn, me } = state.view;
  const own = turn !== undefined && turn.seat === me ? yourTurn(state) : "";
  return hand === 0 ? own : joined([dealt(hand, multiplier, tiles), own]);
}

function scoreOf(state: TableState, scores: readonly [number, number]): string {
  const own = ownTeam(state);
  return t("barScore", { us: scores[own] ?? 0, them: scores[1 - own] ?? 0 });
}

export function readTable(): string {
  const state = table.value;
  if (state === null) return "";
  const { me, tiles, ends, scores, multiplier } = state.view;
  const others = [0, 1, 2, 3].filter((seat) => seat !== me);
  const counts = others.map((seat) =>
    t("readCount", { name: nameOf(state, seat), count: tn("seatTiles", state.view.counts[seat] ?? 0) }),
  );
  const score = scoreOf(state, scores);
  const parts = [
    t("readTable", { ends: endsInWords(ends), counts: counts.join("; "), score }),
    multiplier > 1 ? `${t("barWorthLong", { n: multiplier })}.` : "",
    tiles.length > 0 ? t("readOwn", { tiles: tiles.map(tileName).join(", ") }) : "",
    mayPass.value ? `${t("promptPass")}.` : "",
  ];
  return joined(parts);
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
