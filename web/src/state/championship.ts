// What a person can do about championships: wait for one, look at one.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readRanking } from "../net/api";
import type { Ranking } from "../net/protocol.gen";
import { account, refreshAccount } from "./account";
import { queue } from "./contest";
import { attend, submit } from "./session";
import { askToNotify } from "./summons";

/** There are no championships at this server. */
export const noQueue = signal(false);

/** Is told of the queue for as long as the caller is shown. */
export function useQueue(): void {
  useEffect(() => {
    if (account.value === null) void refreshAccount();
    return attend({ t: "queue.watch" }, () => (noQueue.value = true));
  }, []);
}

/** Waits for a championship; the browser is asked for notifications with the same tap. */
export async function join(): Promise<void> {
  void askToNotify();
  await submit({ t: "queue.join" });
}

export async function leaveQueue(): Promise<void> {
  const answer = await submit({ t: "queue.leave" });
  const now = queue.value;
  if (answer.ok && now !== null && now.ahead !== null) queue.value = { ...now, ahead: null, left: null };
}

/** The ranking of this week as it was read last, for the few rows on the home page. */
export const thisWeek = signal<Ranking | null>(null);

export async function refreshThisWeek(): Promise<void> {
  const reply = await readRanking(null);
  if (reply.ok) thisWeek.value = reply.value;
}
