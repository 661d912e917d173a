// The one connection of this page, and what is known through it, as signals.

import { batch, computed, signal } from "@preact/signals";
import { ulid } from "../game/ids";
import { currentLang, t, tn } from "../i18n";
import { Client, type Listener, type Wish } from "../net/client";
import type { Env } from "../net/env";
import type { LinkState } from "../net/link";
import type { Answer } from "../net/outbox";
import type { EventFrame, Me, Notice, OpenSeat, Refused, Welcome } from "../net/protocol.gen";
import type { Feed } from "./feed";
import { change, recall, remember, guestToken, keepToken, settings } from "./settings";
import { SILENCE, overheard, type Talk } from "./talk";
import type { TableState } from "./table";

export const link = signal<LinkState>("down");
/** Without a connection for so long that it has to be said. */
export const cut = signal(false);
export const me = signal<Me | null>(null);
export const openSeats = signal<readonly OpenSeat[]>([]);
/** The table where the person sat last, as far as this device knows. */
export const lastTable = signal<string | null>(recall("table"));
export const table = signal<TableState | null>(null);
export const talk = signal<Talk>(SILENCE);
export const notice = signal<Notice["kind"] | null>(null);
export const newBuild = signal(false);
/** The table was asked for and is not there. */
export const tableLost = signal(false);
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
const listeners = new Set<Heard>();

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
  who: () => ({ build, lang: currentLang(), name: settings.value.name, token: guestToken() }),
  onLink: (state) => (state === "up" ? onUp() : onDown(state)),
  onHelloRefused,
  onWelcome,
  onTable,
  onNotice,
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
  client.connect();
}

function onDown(state: LinkState): void {
  link.value = state;
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

function tellMissed(before: number): void {
  const missed = (table.value?.seq ?? before) - before;
  say(missed > 0 ? tn("linkBackMissed", missed) : t("linkBack"));
}

function onWelcome(welcome: Welcome): void {
  if (welcome.me.token !== undefined) keepToken(welcome.me.token);
  batch(() => {
    me.value = welcome.me;
    openSeats.value = welcome.seats ?? [];
    newBuild.value = build !== "dev" && welcome.build !== "" && welcome.build !== build;
  });
}

function onNotice({ kind }: Notice): void {
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
  batch(() => {
    table.value = state;
    talk.value = applied.reduce(overheard, talk.value);
    if (state.view.me !== undefined) keepTable(id);
    else if (lastTable.value === id) keepTable(null);
    if (notice.value === "restarting") notice.value = null;
  });
  for (const heard of listeners) heard(applied, state);
}

// --- what a person can do ------------------------------------------------------------------

/** Sends a command; a refusal is told, in words if there are any. */
export async function submit(wish: Wish): Promise<Answer> {
  const answer = await client.submit(wish);
  if (!answer.ok) tellRefusal(answer.refused.code, answer.refused.reason);
  return answer;
}

function keepTable(id: string | null): void {
  if (lastTable.value === id) return;
  lastTable.value = id;
  remember("table", id);
}

function tellRefusal(code: string, reason: string): void {
  if (code === "UNKNOWN_TABLE") {
    tableLost.value = true;
    keepTable(null);
  } else if (code.startsWith("STALE")) say(t("errorStale"));
  else if (code === "BAD_NICKNAME") say(t("errorName"));
  else if (code === "TABLE_FULL") say(t("errorFull"));
  else say(t("errorRefused", { reason }));
}

/** Shows a table; null for none. */
export function show(id: string | null): void {
  if (id === shownTable) return;
  if (shownTable !== null) client.unwatch(shownTable);
  shownTable = id;
  batch(() => {
    table.value = null;
    talk.value = SILENCE;
    tableLost.value = false;
  });
}

/** Shows a table that is already there. */
export function watch(id: string): void {
  if (id === shownTable) return;
  show(id);
  void client.watch(id).then((answer) => {
    if (!answer.ok) tellRefusal(answer.refused.code, answer.refused.reason);
  });
}

/** Opens a table and sits down; the answer is its id, before the server knows of it. */
export function openTable(moveSeconds: number, startAtOnce: boolean): string {
  const id = ulid();
  show(id);
  const options = moveSeconds > 0 ? { move_seconds: moveSeconds } : {};
  void submit({ t: "table.create", table: id, d: { options } });
  if (startAtOnce) void submit({ t: "table.start", table: id, d: {} });
  return id;
}

/** Milliseconds from now to a moment in the server's time; null while it can't be known. */
export function msUntil(moment: number): number | null {
  return link.value === "up" ? client.clock.until(moment, performance.now()) : null;
}

/** A new nickname is told with the next hello. */
export function rename(): void {
  if (link.value === "up") client.connect();
}
