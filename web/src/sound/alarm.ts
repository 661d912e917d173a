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
  /** Where it leads, also when no tab is left. */
  readonly path: string;
  onOpen(): void;
}

/** Begins to call; the answer ends it. */
export function raise(alarm: Alarm): () => void {
  const since = performance.now();
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const withdraw = notify(alarm);
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
    withdraw();
    document.title = t("appTitle");
    if (icon !== null) icon.href = "/icon.svg";
  };
}

/** Only for who does not look at the page anyway; the answer takes it away again. */
function notify(alarm: Alarm): () => void {
  const allowed = "Notification" in window && Notification.permission === "granted";
  if (!allowed || document.visibilityState === "visible") return () => {};
  const shown = show(alarm);
  return () => void shown.then((close) => close());
}

/** By the service worker where there is one: phones want it so, and it knows what a touch means. */
async function show({ title, text, tag, path, onOpen }: Alarm): Promise<() => void> {
  const options = { body: text, tag, data: path, icon: "/icon-call.svg", requireInteraction: true };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) {
      await worker.showNotification(title, options);
      return () => void worker.getNotifications({ tag }).then((notes) => notes.forEach((note) => note.close()));
    }
    const note = new Notification(title, options);
    note.onclick = () => {
      window.focus();
      onOpen();
    };
    return () => note.close();
  } catch {
    return () => {}; // The system may refuse: the call is loud in other ways.
  }
}
