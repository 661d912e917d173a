// Settings that go with an account from device to device. This device comes first: what is set here
// holds at once, and is told when there is a connection.

import { effect } from "@preact/signals";
import { preferred, speak } from "../i18n";
import { shareSettings } from "../net/api";
import type { Me } from "../net/protocol.gen";
import { me } from "./session";
import { DEFAULTS, change, knownOf, recall, remember, settings, usable, type Settings } from "./settings";

/** What belongs to this device: its voices, and the name of its guest. */
const OWN: ReadonlySet<string> = new Set(["voiceName", "name"]);
const SHARED = (Object.keys(DEFAULTS) as (keyof Settings)[]).filter((name) => !OWN.has(name));

/** The shared settings in which one differs from the other. */
export function difference(now: Settings, before: Settings): Partial<Settings> {
  return Object.fromEntries(SHARED.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]));
}

/**
 * What to bring to the account. What was set since the two last agreed goes before what is kept
 * there; a device that is new to the account only offers what the account may not have yet.
 */
export function toBring(now: Settings, agreed: Settings | null) {
  return agreed === null ? { otherwise: difference(now, DEFAULTS) } : { changed: difference(now, agreed) };
}

/** What holds after the answer: what was set while it was on its way is newer. */
export function afterAnswer(now: Settings, brought: Settings, agreed: Settings): Settings {
  return { ...agreed, ...difference(now, brought) };
}

const AGREED = "agreed";

/** What the account and this device had in common last; null if they never met. */
function agreedWith(account: string): Settings | null {
  const [whose, text] = (recall(AGREED) ?? "").split("\n");
  return whose === account && text !== undefined ? usable(text) : null;
}

let isTelling = false;

async function tell(account: string): Promise<void> {
  const before = settings.value;
  isTelling = true;
  const reply = await shareSettings(toBring(before, agreedWith(account)));
  isTelling = false;
  // Without an answer it is told with the next change, or the next connection.
  if (!reply.ok || me.value?.id !== account) return;
  const agreed = { ...before, ...knownOf(reply.value) };
  remember(AGREED, `${account}\n${JSON.stringify(agreed)}`);
  change(afterAnswer(settings.value, before, agreed));
  if (settings.value.lang !== before.lang) void speak(preferred(settings.value.lang, navigator.languages));
}

export function startSharing(): void {
  let met: Me | null = null;
  effect(() => {
    const who = me.value;
    const now = settings.value;
    if (who?.guest !== false || isTelling) return;
    const isNews = who !== met || Object.keys(difference(now, agreedWith(who.id) ?? DEFAULTS)).length > 0;
    met = who;
    if (isNews) void tell(who.id);
  });
}
