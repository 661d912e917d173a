// The call to a match, over all tabs of this browser: who has answered in one of them need not
// answer in another.

import { computed, effect } from "@preact/signals";
import { go, route, tablePath } from "../router";
import { answered, calls, keyOf, loud, type Call } from "./contest";
import { sitsAt } from "./session";

const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("laelo.call");

const shownTable = computed(() => (route.value.page === "table" ? route.value.table : null));

/** The call that has to be heard in this tab. */
export const ringing = computed(() => loud(calls.value, shownTable.value));

/** A match of the person's is on, it was answered, and they look at something else. */
export const pendingMatch = computed(() => {
  const { call } = calls.value;
  return call !== null && ringing.value === null && call.table !== shownTable.value ? call : null;
});

function markAnswered(key: string): void {
  calls.value = answered(calls.value, key);
}

/** Ends the noise, here and in the other tabs. */
export function hush(call: Call): void {
  markAnswered(keyOf(call));
  tabs?.postMessage(keyOf(call));
}

/** Takes the person to their table. It starts whether they go or not (R41). */
export function goToMatch(call: Call): void {
  hush(call);
  sitsAt(call.table);
  go(tablePath(call.table));
}

export function startSummons(): void {
  if (tabs !== null) tabs.onmessage = ({ data }) => markAnswered(String(data));
  // A notification was touched, and the service worker says where it leads.
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open !== undefined) go(data.open);
  });
  effect(() => {
    const { call, answered: heard } = calls.value;
    // Who looks at the table already has no need to be called in another tab.
    if (call?.table === shownTable.value && call !== null && !heard.includes(keyOf(call))) hush(call);
  });
}

export type Permission = "granted" | "denied" | "default" | "missing";

export function notifying(): Permission {
  return "Notification" in window ? Notification.permission : "missing";
}

/** Browsers answer this only to a tap, so it is asked with the sign-up. */
export async function askToNotify(): Promise<void> {
  if (notifying() === "default") await Notification.requestPermission();
}
