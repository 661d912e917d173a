// A newer page: when it is offered, how it takes this one's place, and what a page does that the
// server no longer speaks with.

import { computed, effect } from "@preact/signals";
import { link, newBuild, table } from "./session";

/** How long a waiting worker may take to take over, in milliseconds. */
const HANDING_OVER = 2_000;

/** A newer page is there, and nothing is being played that loading it would disturb. */
export const offered = computed(() => newBuild.value && !inHand());

function inHand(): boolean {
  const view = table.value?.view;
  if (view?.me === undefined || view.closed !== undefined) return false;
  return view.phase === "play" || view.phase === "choose";
}

const workers = () => (import.meta.env.DEV ? undefined : navigator.serviceWorker);

/**
 * Lets the service worker come, once the page itself has all it needs. Without one (over plain
 * HTTP, in some private windows) everything works but the page without a connection.
 */
export function startWorker(build: string): void {
  const register = async () => {
    const registration = await workers()?.register("/sw.js", { updateViaCache: "none" });
    if (registration === undefined) return;
    effect(() => {
      if (newBuild.value) registration.update().catch(() => {}); // It is looked for again anyway.
    });
    // One of this page's own build has nothing to wait for; any other one stays waiting.
    const meet = () => registration.waiting?.postMessage({ takeOver: build });
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", meet);
    });
    meet();
  };
  const begin = () => void register().catch(() => {});
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
}

/** Loads the page anew: the newest one, with its own worker if that has come already. */
export async function update(): Promise<void> {
  const waiting = (await workers()?.getRegistration())?.waiting;
  if (waiting) {
    const taken = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      setTimeout(resolve, HANDING_OVER);
    });
    waiting.postMessage({ takeOver: "any" });
    await taken;
  }
  location.reload();
}

/** Loads the page past everything that may hold an old one: worker, its files, the browser's own. */
export async function renew(): Promise<void> {
  try {
    const registrations = (await workers()?.getRegistrations()) ?? [];
    await Promise.all(registrations.map((registration) => registration.unregister()));
    if ("caches" in window) {
      await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
    }
    await fetch(location.href, { cache: "reload" });
  } finally {
    location.reload();
  }
}

const RENEWED = "renewed";

/** The address remembers across loads that this has been tried; no storage is needed for it. */
const isRenewed = () => (history.state as { [RENEWED]?: boolean } | null)?.[RENEWED] === true;

/** Once it is refused as too old, the page renews itself one time; a person may try it again. */
export function renewWhenTooOld(): void {
  effect(() => {
    if (link.value === "up" && isRenewed()) history.replaceState(null, "");
    if (link.value !== "too_old" || isRenewed()) return;
    history.replaceState({ [RENEWED]: true }, "");
    void renew();
  });
}
