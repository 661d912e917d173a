// The service worker: keeps one build of the page on the device, so that its shell is there without
// a connection and a page that is open keeps finding its own parts after a newer one was put up.
// What the server itself answers is never touched. A newer worker waits until it is asked.

declare const self: ServiceWorkerGlobalScope;
/** Filled in when it is built: the build's name and the files that carry a hash in theirs. */
declare const BUILD: string;
declare const FILES: readonly string[];

const KEPT = "laelo-";
const CACHE = KEPT + BUILD;
const SHELL = "/";
/** How long the network may think about a page before the kept one is shown, in milliseconds. */
const PATIENCE = 6_000;
const SERVER = /^\/(ws|api|auth|dev|livez|readyz)(\/|$)/;

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** A page of this very build asks by its name, a person's "update" asks whatever the build. */
self.addEventListener("message", ({ data }) => {
  const asked: unknown = (data as { takeOver?: unknown } | null)?.takeOver;
  if (asked === BUILD || asked === "any") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate" && isPage(pathname)) event.respondWith(page(request));
});

/** A notification that is touched leads to its table: in the tab that was used last, or in a new one. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

async function open(path: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => new URL(url).pathname === path) ?? tabs[0];
  if (tab === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  tab.postMessage({ open: path });
  await tab.focus();
}

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(SHELL, { cache: "reload" }), ...FILES]);
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(KEPT) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Addresses within the page have no ending; every other one is a file or the server's own. */
function isPage(path: string): boolean {
  return !SERVER.test(path) && !path.slice(path.lastIndexOf("/")).includes(".");
}

/** A file whose name tells its content is the same wherever it comes from. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

const shell = () => caches.match(SHELL, { cacheName: CACHE, ignoreVary: true });

/** The network first; the kept shell if it is silent, or if the server behind it is down. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.status < 500 ? answer : ((await shell()) ?? answer);
  } catch {
    return (await shell()) ?? Response.error();
  }
}
