// The keyboard at the table. Letters and digits do nothing if they are switched off (WCAG 2.1.4):
// Tab, arrows, Enter and Escape are then enough. Nothing is taken from a field or an open sheet.

import { lifted, mayPass, pass } from "../../state/play";
import { settings } from "../../state/settings";
import { useKeydown } from "../../ui/keys";
import { announce, readLast, readTable, readTime } from "./announce";

interface Wishes {
  onHelp(): void;
  onSay(): void;
}

const CODES: Readonly<Record<string, () => void>> = {
  p: () => mayPass.value && pass(),
  m: () => announce(readTable()),
  u: () => announce(readLast()),
  t: () => announce(readTime()),
};

function isBusy(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement;
  const typing = at.matches("input, textarea, select") || at.isContentEditable;
  const modified = event.ctrlKey || event.metaKey || event.altKey;
  return typing || modified || document.querySelector("dialog[open]") !== null;
}

function focusGhost(step: 1 | -1): boolean {
  const ghosts = [...document.querySelectorAll<HTMLElement>(".ghost")];
  if (ghosts.length === 0) return false;
  const wanted = step < 0 ? "left" : "right";
  (ghosts.find((ghost) => ghost.dataset["end"] === wanted) ?? ghosts[0])?.focus();
  return true;
}

function focusTile(step: 1 | -1): boolean {
  const tiles = [...document.querySelectorAll<HTMLElement>(".hand-tile")];
  const at = tiles.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return false;
  tiles[(at + step + tiles.length) % tiles.length]?.focus();
  return true;
}

/** Puts the lifted tile back and the focus on it. */
export function putBack(): void {
  lifted.value = null;
  document.querySelector<HTMLElement>('.hand-tile[aria-pressed="true"]')?.focus();
}

function onKey(event: KeyboardEvent, { onHelp, onSay }: Wishes): boolean {
  if (event.key === "Escape" && lifted.value !== null) {
    putBack();
    return true;
  }
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const step = event.key === "ArrowLeft" ? -1 : 1;
    return focusGhost(step) || focusTile(step);
  }
  if (!settings.value.letters) return false;
  if (/^[1-7]$/.test(event.key)) {
    const tile = document.querySelector<HTMLElement>(`.hand-tile[data-index="${event.key}"]`);
    tile?.focus();
    tile?.click();
    return tile !== null;
  }
  if (event.key === "?") {
    onHelp();
    return true;
  }
  if (event.key.toLowerCase() === "f") {
    onSay();
    return true;
  }
  const act = CODES[event.key.toLowerCase()];
  act?.();
  return act !== undefined;
}

export function useKeys(wishes: Wishes): void {
  useKeydown((event) => {
    if (!isBusy(event) && onKey(event, wishes)) event.preventDefault();
  });
}
