// Where we are, from the address: `/`, `/t/<table>`, `/m/<code>`, `/campeonato`,
// `/campeonato/<championship>`, `/ranking`, `/ranking/<Monday>`, `/conta`, `/regras`,
// `/regras/<section>`, `/historico` and `/partida/<table>/<match>`.

import { computed, signal } from "@preact/signals";
import { tableIdIn, wantedIn } from "./game/ids";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly table: string }
  /** A code that nobody has looked up yet. */
  | { readonly page: "code"; readonly code: string }
  /** The queue, and what is played now. */
  | { readonly page: "championships" }
  | { readonly page: "bracket"; readonly championship: string }
  /** This week's, or that of the week which begins on a Monday. */
  | { readonly page: "ranking"; readonly week: string | null }
  | { readonly page: "account" }
  /** All of them, a section, or a rule as `r15`. */
  | { readonly page: "rules"; readonly at: string | null }
  /** One's own matches. */
  | { readonly page: "history" }
  /** A match of the past; the moment is in the query. */
  | { readonly page: "replay"; readonly table: string; readonly match: number }
  | { readonly page: "lost" };

const path = signal("/");

export function parse(pathname: string): Route {
  if (pathname === "/" || pathname === "/index.html") return { page: "home" };
  const [, kind, name = "", ...rest] = pathname.split("/");
  if (kind === "partida") return replayOf(name, rest);
  if (rest.length > 0) return { page: "lost" };
  if (kind === "historico" && name === "") return { page: "history" };
  if (kind === "conta" && name === "") return { page: "account" };
  if (kind === "regras") return { page: "rules", at: name === "" ? null : decoded(name) };
  if (kind === "ranking") return rankingOf(name);
  if (kind === "campeonato") return championshipOf(name);
  if (kind === "m") {
    const wanted = wantedIn(decoded(name));
    return wanted !== null && "code" in wanted ? { page: "code", code: wanted.code } : { page: "lost" };
  }
  const table = kind === "t" ? tableIdIn(name) : null;
  return table === null || table.length !== name.length ? { page: "lost" } : { page: "table", table };
}

const MONDAY = /^\d{4}-\d\d-\d\d$/;

function rankingOf(week: string): Route {
  if (week === "") return { page: "ranking", week: null };
  return MONDAY.test(week) ? { page: "ranking", week } : { page: "lost" };
}

function championshipOf(name: string): Route {
  if (name === "") return { page: "championships" };
  const championship = tableIdIn(name);
  return championship?.length === name.length ? { page: "bracket", championship } : { page: "lost" };
}

const NUMBER = /^[1-9]\d{0,5}$/;

function replayOf(name: string, [match = "", ...rest]: readonly string[]): Route {
  const table = tableIdIn(name);
  if (table?.length !== name.length || !NUMBER.test(match) || rest.length > 0) return { page: "lost" };
  return { page: "replay", table, match: Number(match) };
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
  const { page } = route.value;
  history.pushState(null, "", to);
  path.value = location.pathname;
  // Another page begins at its top; on the way back the browser itself knows where one was.
  if (route.value.page !== page) window.scrollTo(0, 0);
}

/** Shows another page in place of this one: going back skips it. */
export function replace(to: string): void {
  history.replaceState(null, "", to);
  path.value = location.pathname;
}

export function codePath(code: string): string {
  return `/m/${code}`;
}

export function tablePath(table: string): string {
  return `/t/${table}`;
}

export const ACCOUNT = "/conta";
export const CHAMPIONSHIPS = "/campeonato";

export function bracketPath(championship: string): string {
  return `${CHAMPIONSHIPS}/${championship}`;
}

export function rankingPath(week: string | null): string {
  return week === null ? "/ranking" : `/ranking/${week}`;
}

export function rulesPath(section: string | null): string {
  return section === null ? "/regras" : `/regras/${section}`;
}

export const HISTORY = "/historico";

/** A match again, from a hand on. */
export function replayPath(table: string, match: number, hand = 0): string {
  const whole = `/partida/${table}/${match}`;
  return hand > 0 ? `${whole}?mao=${hand}` : whole;
}

/** Where signing in begins; the person comes back to `back`. */
export function signInPath(back: string): string {
  return `/auth/sign-in?back=${encodeURIComponent(back)}`;
}

export function startRouter(): void {
  path.value = location.pathname;
  window.addEventListener("popstate", () => (path.value = location.pathname));
}
