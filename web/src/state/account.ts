// Who the person is to the house: a guest, somebody with an account, and perhaps without a name yet.

import { computed, signal } from "@preact/signals";
import { deleteAccount, readAccount, signOut, takeName, type Account, type Reply } from "../net/api";
import { introduce, me, whileLeaving } from "./session";

/** What the server has told last; null before. */
export const account = signal<Account | null>(null);

/** The connection's word goes before: it is newer. */
export const signedIn = computed(() =>
  me.value === null ? account.value?.signed_in === true : me.value.guest === false,
);
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
  return giveUp(() => signOut(everywhere));
}

/** Deletes the account for good; a code if it can't be done. */
export async function eraseAccount(): Promise<string | null> {
  return giveUp(deleteAccount);
}

/** After it the person is a guest again, here at least. */
async function giveUp(act: () => Promise<Reply<unknown>>): Promise<string | null> {
  const reply = await whileLeaving(act);
  if (!reply.ok) return reply.code;
  await refreshAccount();
  return null;
}

const SHORTEST = 2;
const LONGEST = 20;
const USABLE = /^[\p{Script=Latin}\p{M}0-9 \-_.'’!&]+$/u;

export type NameFault = "short" | "long" | "signs" | null;

/** What is wrong with a nickname as far as the page can tell; the server has the last word. */
export function faultOf(wanted: string): NameFault {
  const name = wanted.normalize("NFC").trim().replace(/ +/g, " ");
  const length = [...name].length;
  if (length < SHORTEST) return "short";
  if (length > LONGEST) return "long";
  return USABLE.test(name) && /[\p{L}0-9]/u.test(name) ? null : "signs";
}
