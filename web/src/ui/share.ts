// Handing something on: by the device's own sheet on phones, else by the clipboard.

import { say } from "../state/session";

export const canShare = () => navigator.maxTouchPoints > 0 && "share" in navigator;

/** Whether the sheet was opened; who closes it again has changed their mind, that is no failure. */
export async function shared(data: ShareData): Promise<boolean> {
  if (!canShare()) return false;
  try {
    await navigator.share(data);
  } catch (error) {
    return (error as Error).name === "AbortError";
  }
  return true;
}

/** False without permission or a secure context: a field is selected, to be copied by hand. */
export async function copied(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    document.querySelector<HTMLInputElement>("input.link")?.select();
    return false;
  }
  say(done);
  return true;
}

/** By sheet or clipboard; false where neither works. */
export const passOn = async (data: ShareData, text: string, done: string) =>
  (await shared(data)) || copied(text, done);
