// Everything that makes a call loud: sound, vibration, the tab's title and its icon, a notification.

import { t } from "../i18n";
import { mayMove } from "../state/settings";
import { ring } from "./noises";

const FLASH = 1_000;
const AGAIN = 3_000;
/** Who has not come by then is not near. */
const LOUD = 90_000;

export interface Alarm {
  readonly title: string;
  readonly text: string;
  /** One notification for a match, however many tabs ask for it. */
  readonly tag: string;
  onOpen(): void;
}

/** Begins to call; the answer ends it. */
export function raise(alarm: Alarm): () => void {
  const since = performance.now();
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const shown = notify(alarm);
  if (icon !== null) icon.href = "/icon-call.svg";
  ring();
  let on = false;
  const flash = setInterval(() => {
    on = !on || !mayMove();
    document.title = on ? t("callFlash") : t("appTitle");
  }, FLASH);
  const again = setInterval(() => {
    if (performance.now() - since < LOUD) ring();
  }, AGAIN);
  document.title = t("callFlash");
  return () => {
    clearInterval(flash);
    clearInterval(again);
    shown?.close();
    document.title = t("appTitle");
    if (icon !== null) icon.href = "/icon.svg";
  };
}

/** Only for who does not look at the page anyway. */
function notify({ title, text, tag, onOpen }: Alarm): Notification | null {
  const allowed = "Notification" in window && Notification.permission === "granted";
  if (!allowed || document.visibilityState === "visible") return null;
  try {
    const note = new Notification(title, { body: text, tag, icon: "/icon-call.svg", requireInteraction: true });
    note.onclick = () => {
      window.focus();
      onOpen();
    };
    return note;
  } catch {
    return null; // Some phones leave notifications to service workers alone.
  }
}
