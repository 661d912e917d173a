// Who the person is to the house: a guest, somebody with an account, and perhaps without a name yet.

import { computed, signal } from "@preact/signals";
import { readAccount, signOut, takeName, type Account } from "../net/api";
import { introduce, me } from "./session";

/** What the server has told last; null before. */
export const account = signal<Account | null>(null);

/** The connection's word goes before: it is there first, and newer. */
export const signedIn = computed(() => me.value?.guest === false || account.value?.signed_in === true);
export const nameless = computed(() => signedIn.value && (account.value?.nameless ?? me.value?.nameless) === true);

/** Asks again; without an answer what was known stays. */
export async function refreshAccount(): Promise<void> {
  const reply = await readAccount();
  if (reply.ok) account.value = reply.value;
}

/** Takes a nickname; a code if it can't be had. */
export async function chooseName(name: string): Promise<string | null> {
  const reply = await takeName(name);
  if (!reply.ok) return reply.code;
  await refreshAccount();
  introduce();
  return null;
}

/** Ends this session or all of the person's; a code if it failed. */
export async function leaveAccount(everywhere: boolean): Promise<string | null> {
  const reply = await signOut(everywhere);
  if (!reply.ok) return reply.code;
  await becomeGuest();
  return null;
}

/** There is no account any more, here at least. */
export async function becomeGuest(): Promise<void> {
  await refreshAccount();
  introduce();
}

const SHORTEST = 2;
const LONGEST = 20;
const USABLE = /^[\p{L}\p{M}\p{Nd} \-_.'’!&]+$/u;

export type NameFault = "short" | "long" | "signs" | null;

/** What is wrong with a nickname as far as the page can tell; the server has the last word. */
export function faultOf(wanted: string): NameFault {
  const name = wanted.normalize("NFC").trim().replace(/ +/g, " ");
  const length = [...name].length;
  if (length < SHORTEST) return "short";
  if (length > LONGEST) return "long";
  return USABLE.test(name) && /[\p{L}\p{Nd}]/u.test(name) ? null : "signs";
}
