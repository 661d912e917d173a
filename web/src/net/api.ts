// What is asked for by HTTP: account and ranking. Every answer is a value; a refusal has a code.

import { retryOf } from "./outbox";
import type { Championships, Ranking } from "./protocol.gen";

export interface Account {
  readonly signed_in: boolean;
  readonly name: string;
  readonly nameless: boolean;
  /** Who vouches for people here; null where nobody can sign in. */
  readonly provider: "google" | "development" | null;
}

export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string };

/** No answer, or none that this page understands: the same may be asked again. */
const UNREACHABLE = "TRY_LATER";

export async function asked<T>(
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply<T>> {
  const headers = body === undefined ? more : { ...more, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { method, cache: "no-store", headers, ...sent });
    const text = await response.text();
    const value: unknown = text === "" ? {} : JSON.parse(text);
    if (response.ok) return { ok: true, value: value as T };
    return { ok: false, code: (value as { code?: string }).code ?? UNREACHABLE };
  } catch {
    return { ok: false, code: UNREACHABLE };
  }
}

/** Whether asking again later may help. */
export const isForNow = (code: string) => retryOf(code) === "later";

export const readAccount = () => asked<Account>("GET", "/api/account");
export const takeName = (name: string) => asked<unknown>("POST", "/api/account/name", { name });
/** Brings what was set here, and takes what is kept of the person's settings. */
export const shareSettings = (brought: object) => asked<object>("POST", "/api/account/settings", brought);
export const signOut = (everywhere: boolean) => asked<unknown>("POST", "/api/account/sign-out", { everywhere });
export const deleteAccount = () => asked<unknown>("DELETE", "/api/account", {});
export const readChampionships = () => asked<Championships>("GET", "/api/championships");

export const readRanking = (week: string | null) =>
  asked<Ranking>("GET", week === null ? "/api/ranking" : `/api/ranking?week=${week}`);
