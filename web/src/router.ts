// Where we are, from the address: `/`, `/t/<table>` and `/m/<code>`.

import { computed, signal } from "@preact/signals";
import { tableIdIn, wantedIn } from "./game/ids";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly table: string }
  /** A code that nobody has looked up yet. */
  | { readonly page: "code"; readonly code: string }
  | { readonly page: "lost" };

const path = signal("/");

export function parse(pathname: string): Route {
  if (pathname === "/" || pathname === "/index.html") return { page: "home" };
  const [, kind, name = "", ...rest] = pathname.split("/");
  if (rest.length > 0) return { page: "lost" };
  if (kind === "m") {
    const wanted = wantedIn(decoded(name));
    return wanted !== null && "code" in wanted ? { page: "code", code: wanted.code } : { page: "lost" };
  }
  const table = kind === "t" ? tableIdIn(name) : null;
  return table === null || table.length !== name.length ? { page: "lost" } : { page: "table", table };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // Not written by this page: it will not be a code.
  }
}

export const route = computed(() => parse(path.value));

export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, "", to);
  path.value = to;
}

/** Shows another page in place of this one: going back skips it. */
export function replace(to: string): void {
  history.replaceState(null, "", to);
  path.value = to;
}

export function codePath(code: string): string {
  return `/m/${code}`;
}

export function tablePath(table: string): string {
  return `/t/${table}`;
}

export function startRouter(): void {
  path.value = location.pathname;
  window.addEventListener("popstate", () => (path.value = location.pathname));
}
