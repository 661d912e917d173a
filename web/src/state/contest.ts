// What the page knows of queue, calls and championships: pure functions on frames, and the signals
// that hold what they tell. Every frame says how things are, so a lost one costs nothing.

import { signal } from "@preact/signals";
import type { Bracket, Leaving, MatchCall, Queue, Tier } from "../net/protocol.gen";

export const TIERS = ["bronze", "silver", "gold"] as const satisfies readonly Tier[];

/** How many people a championship takes (R33). */
export const SIZES: Readonly<Record<Tier, number>> = { bronze: 8, silver: 16, gold: 32 };

export interface QueueState {
  readonly count: number;
  readonly waitMs: number;
  /** How many are before the person; null for who does not wait. */
  readonly ahead: number | null;
  /** What starts when if nobody comes or goes, in the server's time. */
  readonly next: { readonly tier: Tier; readonly at: number } | null;
  /** Why the person does not wait any more, until they wait again. */
  readonly left: Leaving | null;
}

/** The queue after a frame that was written at `now` (server). */
export function queueAfter(before: QueueState | null, frame: Queue, now: number): QueueState {
  const { count, wait_ms: waitMs, next } = frame;
  const ahead = frame.ahead ?? null;
  return {
    count,
    waitMs,
    ahead,
    next: next === undefined ? null : { tier: next.tier, at: now + next.ms },
    left: ahead === null ? (frame.left ?? before?.left ?? null) : null,
  };
}

/** What to wait for: the next size, and how many are missing for it. */
export function missing(count: number): { readonly tier: Tier; readonly people: number } | null {
  const tier = TIERS.find((size) => SIZES[size] > count);
  return tier === undefined ? null : { tier, people: SIZES[tier] - count };
}

export interface Call extends Omit<MatchCall, "ms"> {
  /** In the server's time; it may be past. */
  readonly startsAt: number;
}

export interface Calls {
  readonly call: Call | null;
  /** What was answered here or in another tab. */
  readonly answered: readonly string[];
}

export const QUIET: Calls = { call: null, answered: [] };

const REMEMBERED = 40;

export const keyOf = ({ championship, match }: Pick<Call, "championship" | "match">) =>
  `${championship}/${match}`;

/** A match of the person's begins, or runs: told again with each connection. */
export function called(calls: Calls, frame: MatchCall, now: number): Calls {
  const { ms, ...call } = frame;
  return { ...calls, call: { ...call, startsAt: now + ms } };
}

/** The person has heard it. */
export function answered(calls: Calls, key: string): Calls {
  if (calls.answered.includes(key)) return calls;
  return { ...calls, answered: [...calls.answered, key].slice(-REMEMBERED) };
}

/** A call ends with its match, or with the championship. */
export function callAfter(calls: Calls, { id, stage, matches }: Bracket): Calls {
  const { call } = calls;
  if (call?.championship !== id) return calls;
  const match = matches.find((one) => one.id === call.match);
  const over = stage !== "running" || match?.winner !== undefined;
  return over ? { ...calls, call: null } : calls;
}

/** The call that has to be heard: not answered, and the person is not at its table anyway. */
export function loud({ call, answered: heard }: Calls, shownTable: string | null): Call | null {
  if (call === null || heard.includes(keyOf(call)) || call.table === shownTable) return null;
  return call;
}

export interface BracketState {
  readonly bracket: Bracket;
  /** When the frame was written, in the server's time: what its `ms` count from. */
  readonly now: number;
}

export type Brackets = ReadonlyMap<string, BracketState>;

/** The newest of each championship; an older one that comes late changes nothing. */
export function bracketsAfter(before: Brackets, bracket: Bracket, now: number): Brackets {
  const held = before.get(bracket.id);
  if (held !== undefined && held.bracket.version > bracket.version) return before;
  const mine = bracket.mine ?? held?.bracket.mine;
  const kept = mine === undefined ? bracket : { ...bracket, mine };
  return new Map(before).set(bracket.id, { bracket: kept, now });
}

/** The running championship that the person's team is not out of. */
export function ownRunning(brackets: Brackets): Bracket | null {
  for (const { bracket } of brackets.values()) {
    const { mine, stage, teams } = bracket;
    const team = teams.find(({ number }) => number === mine?.team);
    if (stage === "running" && team !== undefined && team.place === undefined) return bracket;
  }
  return null;
}

export const queue = signal<QueueState | null>(null);
export const calls = signal<Calls>(QUIET);
export const brackets = signal<Brackets>(new Map());

export function onQueue(frame: Queue, now: number): void {
  queue.value = queueAfter(queue.value, frame, now);
}

export function onCalled(frame: MatchCall, now: number): void {
  calls.value = called(calls.value, frame, now);
}

export function onBracket(bracket: Bracket, now: number): void {
  brackets.value = bracketsAfter(brackets.value, bracket, now);
  calls.value = callAfter(calls.value, bracket);
}

/** Somebody else may look at this page now. */
export function forgetContest(): void {
  queue.value = null;
  calls.value = QUIET;
  brackets.value = new Map();
}
