// The person's own part in a deal: 16 bytes that nobody could know when the seed was promised.

import { toHex } from "../game/bytes";
import type { Added } from "../net/protocol.gen";
import { ask } from "./session";
import { visitStore } from "./settings";
import type { TableState } from "./table";

interface Own {
  readonly deal: string;
  readonly bytes: string;
  readonly taken: boolean;
}

/** Those of the newest deals, also after the page was loaded again. */
const KEPT = 4;
const store = visitStore("bytes");

function kept(): readonly Own[] {
  try {
    const read: unknown = JSON.parse(store.read() ?? "[]");
    return Array.isArray(read) ? (read as Own[]) : [];
  } catch {
    return []; // Written by another version of the page.
  }
}

function keep(own: Own): void {
  const others = kept().filter(({ deal }) => deal !== own.deal);
  store.keep(JSON.stringify([...others, own].slice(-KEPT)));
}

const nameOf = ({ id, view }: TableState, hand: number) => `${id}/${view.match}/${hand}`;

/** Adds to the next deal as soon as its seed is promised, once. */
export function addBytes(state: TableState): void {
  const { me, next_commitment: promised, next_added, hand, phase, closed } = state.view;
  if (me === undefined || promised === undefined || phase !== "pause" || closed) return;
  const deal = nameOf(state, hand + 1);
  if (next_added.some(({ seat }) => seat === me)) return;
  if (kept().some((own) => own.deal === deal)) return;
  const bytes = toHex(crypto.getRandomValues(new Uint8Array(16)));
  keep({ deal, bytes, taken: false });
  const wish = { t: "deal.bytes", table: state.id, d: { hand: hand + 1, bytes } } as const;
  void ask(wish).then(({ ok }) => {
    if (ok) keep({ deal, bytes, taken: true });
  });
}

/** What this page has added to the hand that is over, if the server has taken it. */
export function ownAdded(state: TableState): Added | undefined {
  const { me, hand } = state.view;
  const own = kept().find(({ deal }) => deal === nameOf(state, hand));
  return me === undefined || own === undefined || !own.taken ? undefined : { seat: me, bytes: own.bytes };
}
