// Where we are, from the address: `/` and `/t/<table>`.

import { computed, signal } from "@preact/signals";
import { tableIdIn } from "./game/ids";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly table: string }
  | { readonly page: "lost" };

const path = signal("/");

export function parse(pathname: string): Route {
  if (pathname === "/" || pathname === "/index.html") return { page: "home" };
  const [, kind, id, ...rest] = pathname.split("/");
  const table = kind === "t" && rest.length === 0 ? tableIdIn(id ?? "") : null;
  return table === null || table.length !== id?.length ? { page: "lost" } : { page: "table", table };
}

export const route = computed(() => parse(path.value));

export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, "", to);
  path.value = to;
}

export function tablePath(table: string): string {
  return `/t/${table}`;
}

export function startRouter(): void {
  path.value = location.pathname;
  window.addEventListener("popstate", () => (path.value = location.pathname));
}
