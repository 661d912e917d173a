// Ways to a table: open one, be taken to one, find one by its code.

import { signal } from "@preact/signals";
import { ulid } from "../game/ids";
import type { Found, Options } from "../net/protocol.gen";
import { go, tablePath } from "../router";
import { ask, say, show, sitsAt, submit } from "./session";
import { t } from "../i18n";

/** Opens a table and sits down; the answer is its id, before the server knows of it. */
export function openTable(options: Options, startAtOnce: boolean): string {
  const id = ulid();
  show(id);
  void submit({ t: "table.create", table: id, d: { options } });
  if (startAtOnce) void submit({ t: "table.start", table: id, d: {} });
  return id;
}

/** A search for a table with people, and when it began on this page's clock. */
export const search = signal<{ readonly table: string; readonly since: number } | null>(null);

/** Takes the person to a public table where somebody waits, else to a new one. */
export async function quickPlay(): Promise<void> {
  const wanted = { table: ulid(), since: performance.now() };
  search.value = wanted;
  const answer = await ask({ t: "table.quick", table: wanted.table });
  const found = answer.ok ? (answer.ack?.d?.found?.table ?? wanted.table) : null;
  if (search.value !== wanted) {
    // Nobody waits for it any more: the seat is for others.
    if (found !== null) void ask({ t: "table.leave", table: found });
    return;
  }
  search.value = null;
  if (found === null) {
    say(t("quickFailed"));
    return;
  }
  sitsAt(found);
  go(tablePath(found));
}

export function stopSearch(): void {
  search.value = null;
}

/** The table that a code has led to, before it could be seen. */
export const found = signal<Found | null>(null);

/** The table behind a code; null if there is none. */
export async function findCode(code: string): Promise<Found | null> {
  const answer = await ask({ t: "table.find", d: { code } });
  return answer.ok ? (answer.ack?.d?.found ?? null) : null;
}
