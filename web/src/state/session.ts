// The one connection of this page, and what is known through it, as signals.

import { batch, computed, signal } from "@preact/signals";
import { ulid } from "../game/ids";
import { currentLang, t, tn, type Key } from "../i18n";
import { Client, type Listener, type Subject, type Wish } from "../net/client";
import type { Env } from "../net/env";
import type { LinkState } from "../net/link";
import type { Answer } from "../net/outbox";
import type { Bracket, EventFrame, Me, Notice, Refused, Said, Welcome } from "../net/protocol.gen";
import { forgetContest, onBracket, onCalled, onQueue } from "./contest";
import type { Feed } from "./feed";
import { isMuted } from "./muted";
import { isOfficial } from "./names";
import { change, recall, remember, guestToken, keepToken, settings, visitStore } from "./settings";
import { SILENCE, overheard, spokeUp, type Talk } from "./talk";
import type { TableState } from "./table";
import { onAnnouncement } from "./told";

export const link = signal<LinkState>("down");
/** Without a connection for so long that it has to be said. */
export const cut = signal(false);
export const me = signal<Me | null>(null);
/** The table where the person sat last, as far as this device knows. */
export const lastTable = signal<string | null>(recall("table"));
export const table = signal<TableState | null>(null);
export const talk = signal<Talk>(SILENCE);
export const notice = signal<Notice["kind"] | null>(null);
export const newBuild = signal(false);
/** Why and until when an operator does not let the person play. */
export const shutOut = signal("");
/** People without a seat who watch the shown table. */
export const watchers = signal(0);
/** Why the table that was asked for is not shown: it is not there, or nobody may just watch. */
export const noTable = signal<"unknown" | "seats_only" | null>(null);
export const toast = signal<{ readonly text: string; readonly key: number } | null>(null);

/** Nothing can be played right now. */
export const locked = computed(() => cut.value || notice.value === "table_unreachable");

type Heard = (frames: readonly EventFrame[], state: TableState) => void;

const PATIENCE = 1_500;
const TOAST = 4_000;
const SETTLING = 700;

let client: Client;
let build = "dev";
let shownTable: string | null = null;
let seqAtCut: number | null = null;
let cancelCut = 0;
let cancelToast = 0;
let toasts = 0;
let isLeaving = false;
const listeners = new Set<Heard>();
/** This page, as long as it lives: of two windows of a person the newer one holds the seat. */
const ownWindow = ulid();
/** Tables where this page itself has sat down. */
const satDown = new Set<string>();
/** Tables where this page itself has got up. */
const gotUp = new Set<string>();
/** The table at which this browser tab holds a seat, also after it was loaded again. */
const heldSeat = visitStore("seat");

/** Tells of every commit that has come into effect at the shown table. */
export function onHeard(heard: Heard): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

export function say(text: string): void {
  clearTimeout(cancelToast);
  toasts += 1;
  toast.value = { text, key: toasts };
  cancelToast = window.setTimeout(() => (toast.value = null), TOAST);
}

const listener: Listener = {
  who: () => ({
    build,
    lang: currentLang(),
    name: settings.value.name,
    token: guestToken(),
    window: ownWindow,
  }),
  onLink: (state) => (state === "up" ? onUp() : onDown(state)),
  onHelloRefused,
  onWelcome,
  onTable,
  onNotice,
  onSaid,
  onWatching: (id, count) => {
    if (id === shownTable) watchers.value = count;
  },
  onQueue,
  onCalled,
  onBracket: onMatches,
  onAnnouncement,
  onShutOut: (words) => (shutOut.value = words),
};

export function startSession(env: Env, ownBuild: string): void {
  build = ownBuild;
  client = new Client(env, listener, () => ulid());
  onDown("down");
  client.connect();
  window.addEventListener("online", () => client.connect());
  window.addEventListener("offline", () => client.probe());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") client.probe();
  });
  const network = (navigator as { connection?: EventTarget }).connection;
  network?.addEventListener("change", () => client.probe());
}

/** Connects again, after another page had taken over or the session had ended. */
export function comeBack(forgetToken = false): void {
  if (forgetToken) keepToken(null);
  client.claim();
}

function onDown(state: LinkState): void {
  if (state === "signed_out" && isLeaving) return;
  link.value = state;
  if (state === "taken") heldSeat.keep(null);
  seqAtCut ??= table.value?.seq ?? null;
  clearTimeout(cancelCut);
  cancelCut = window.setTimeout(() => (cut.value = true), state === "down" ? PATIENCE : 0);
}

function onUp(): void {
  link.value = "up";
  clearTimeout(cancelCut);
  const before = seqAtCut;
  seqAtCut = null;
  if (cut.value && before !== null) window.setTimeout(() => tellMissed(before), SETTLING);
  batch(() => {
    cut.value = false;
    notice.value = null;
  });
}

/** A nickname that can't be used is forgotten; without one the server finds one. */
function onHelloRefused({ code }: Refused): boolean {
  if (code !== "BAD_NICKNAME" || settings.value.name === "") return false;
  change({ name: "" });
  say(t("errorName"));
  return true;
}

/** What happened meanwhile, in a few words: the moves, and whether one's own is waited for. */
function tellMissed(before: number): void {
  const state = table.value;
  const moves = talk.value.lines.filter((line) => line.kind === "said" && line.seq > before).length;
  const missed = moves > 0 ? moves : Math.max(0, (state?.seq ?? before) - before);
  const back = missed > 0 ? tn("linkBackMissed", missed) : t("linkBack");
  const mine = state?.view.me !== undefined && state.view.turn?.seat === state.view.me;
  say(mine ? `${back} ${t("promptYourTurn")}.` : back);
}

function onWelcome(welcome: Welcome): void {
  if (welcome.me.token !== undefined) keepToken(welcome.me.token);
  const other = me.value !== null && me.value.id !== welcome.me.id;
  batch(() => {
    if (other) forgetContest();
    me.value = welcome.me;
    newBuild.value = build !== "dev" && welcome.build !== "" && welcome.build !== build;
  });
}

function onNotice({ kind }: Notice): void {
  if (kind === "taken") return; // The connection is closed with that word next.
  if (kind === "new_build") newBuild.value = true;
  else notice.value = kind;
  if (kind === "table_back") {
    say(t("noticeBack"));
    notice.value = null;
  }
}

function onTable(id: string, feed: Feed, applied: readonly EventFrame[]): void {
  const state = feed.table;
  if (id !== shownTable || state === null) return;
  const before = table.value;
  batch(() => {
    table.value = state;
    noTable.value = null;
    talk.value = applied.reduce(overheard, talk.value);
    if (isSeatKept(state)) keepTable(id);
    else if (lastTable.value === id) keepTable(null);
    if (notice.value === "restarting") notice.value = null;
  });
  tellSeat(before, state);
  for (const heard of listeners) heard(applied, state);
}

/** Nobody comes back to a championship's table once its match is over. */
function isSeatKept(state: TableState): boolean {
  const { me: seat, closed, phase } = state.view;
  return seat !== undefined && closed === undefined && !(phase === "match_over" && isOfficial(state));
}

/** A match may end while its player looks at something else. */
function onMatches(bracket: Bracket, now: number): void {
  onBracket(bracket, now);
  if (bracket.matches.some(({ table: at, winner }) => at === lastTable.value && winner !== undefined)) keepTable(null);
}

/** A seat that came or went otherwise than by this page's own doing. */
function tellSeat(before: TableState | null, state: TableState): void {
  const { id, view } = state;
  if (view.me === undefined) {
    if (before?.view.me !== undefined && !gotUp.has(id)) say(t("seatLost"));
    if (heldSeat.read() === id) heldSeat.keep(null);
    return;
  }
  // To a championship's table people come seated: that is no seat taken from another window.
  const came = before === null && isOfficial(state);
  const here = came || heldSeat.read() === id || satDown.has(id);
  if (!here) say(t("linkHere"));
  if (heldSeat.read() !== id) heldSeat.keep(id);
  gotUp.delete(id);
}

function onSaid(id: string, said: Said): void {
  const state = table.value;
  if (id !== shownTable || state === null || isMuted(state, said.seat)) return;
  talk.value = spokeUp(talk.value, said, state.seq);
}

// --- what a person can do ------------------------------------------------------------------

/** Sends a command; a refusal is told, in words if there are any. */
export async function submit(wish: Wish): Promise<Answer> {
  const answer = await ask(wish);
  if (!answer.ok) tellRefusal(answer.refused);
  return answer;
}

/** Is told of the queue or of a championship, until the answer is called. */
export function attend(wish: Subject, onRefused: (refused: Refused) => void = () => {}): () => void {
  void client.attend(wish).then((answer) => {
    if (!answer.ok) onRefused(answer.refused);
  });
  return () => client.ignore(wish);
}

/** Sends a command whose refusal is the caller's business. */
export function ask(wish: Wish): Promise<Answer> {
  if (wish.t === "table.create" || wish.t === "table.sit" || wish.t === "table.quick") {
    satDown.add(wish.table);
  }
  return wish.t === "table.leave" ? getUp(wish) : client.submit(wish);
}

/** Who got up has no table to come back to, also when they look at something else already. */
async function getUp(wish: Extract<Wish, { t: "table.leave" }>): Promise<Answer> {
  gotUp.add(wish.table);
  const answer = await client.submit(wish);
  if (answer.ok && lastTable.value === wish.table) keepTable(null);
  return answer;
}

/** The person sits at a table to which quick play has led. */
export function sitsAt(id: string): void {
  satDown.add(id);
}

function keepTable(id: string | null): void {
  if (lastTable.value === id) return;
  lastTable.value = id;
  remember("table", id);
}

const REFUSALS: Readonly<Partial<Record<string, Key>>> = {
  BAD_NICKNAME: "errorName",
  TABLE_FULL: "errorFull",
  TABLE_CLOSED: "errorClosed",
  SEAT_TAKEN: "errorTaken",
  NOT_HOST: "errorHost",
  IN_CHAMPIONSHIP: "cupRefusedIn",
  SIGN_IN: "cupRefusedSignIn",
  NAMELESS: "cupRefusedName",
  STALE_TURN: "errorStale",
  STALE_FENCE: "errorStale",
};

function tellRefusal({ code, reason }: Refused): void {
  const key = REFUSALS[code];
  if (code === "UNKNOWN_TABLE") {
    noTable.value = "unknown";
    keepTable(null);
  } else say(key === undefined ? t("errorRefused", { reason }) : t(key));
}

/** Shows a table; null for none. */
export function show(id: string | null): void {
  if (id === shownTable) return;
  if (shownTable !== null) client.unwatch(shownTable);
  shownTable = id;
  batch(() => {
    table.value = null;
    talk.value = SILENCE;
    watchers.value = 0;
    noTable.value = null;
  });
}

/** Shows a table that is already there. */
export function watch(id: string): void {
  if (id === shownTable) return;
  show(id);
  void client.watch(id).then((answer) => {
    if (answer.ok || shownTable !== id) return;
    if (answer.refused.code === "NOT_SEATED") noTable.value = "seats_only";
    else tellRefusal(answer.refused);
  });
}

/** Milliseconds from now to a moment in the server's time; null while it can't be known. */
export function msUntil(moment: number): number | null {
  return link.value === "up" ? client.clock.until(moment, performance.now()) : null;
}

/** Who the person is has changed: a new nickname, another account. It is told with a new hello. */
export function introduce(): void {
  if (link.value === "up") client.connect();
}

/** The person gives an account up: that its connections end then is no news to them. */
export async function whileLeaving<T>(leave: () => Promise<T>): Promise<T> {
  isLeaving = true;
  try {
    return await leave();
  } finally {
    isLeaving = false;
    client.connect();
  }
}
