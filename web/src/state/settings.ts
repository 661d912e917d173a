// What a person has set on this device; everything works without storage too.

import { effect, signal } from "@preact/signals";
import { LANGUAGES, type Lang } from "../game/calls";

export type Theme = "auto" | "light" | "dark";
export type TileSize = "small" | "normal" | "large";

export interface Settings {
  /** Darken the tiles that don't fit. */
  readonly dim: boolean;
  /** Every play takes a second tap. */
  readonly confirm: boolean;
  readonly colours: boolean;
  readonly sounds: boolean;
  /** The calls are spoken. */
  readonly voice: boolean;
  /** The name of the voice; empty for the first that speaks the language. */
  readonly voiceName: string;
  readonly motion: boolean;
  /** Keys of one letter do something. */
  readonly letters: boolean;
  /** What has no choice is done by itself, at tables of friends. */
  readonly forced: boolean;
  readonly tiles: TileSize;
  readonly theme: Theme;
  readonly lang: Lang | null;
  readonly name: string;
}

export const DEFAULTS: Settings = {
  dim: true,
  confirm: false,
  colours: false,
  sounds: true,
  voice: false,
  voiceName: "",
  motion: true,
  letters: true,
  forced: false,
  tiles: "normal",
  theme: "auto",
  lang: null,
  name: "",
};

/** What was remembered on this device under a name. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`laelo.${key}`);
  } catch {
    return null; // Private windows of some browsers have no storage.
  }
}

/** Remembers something on this device; null forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`laelo.${key}`);
    else localStorage.setItem(`laelo.${key}`, value);
  } catch {
    // Then it is remembered for as long as the page is open.
  }
}

export interface VisitStore {
  read(): string | null;
  keep(value: string | null): void;
}

/** Something that is remembered for as long as this browser tab is open. */
export function visitStore(key: string): VisitStore {
  let here: string | null = null;
  const name = `laelo.${key}`;
  return {
    read() {
      try {
        return sessionStorage.getItem(name);
      } catch {
        return here; // No storage: the page itself remembers, until it is loaded again.
      }
    },
    keep(value) {
      here = value;
      try {
        if (value === null) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, value);
      } catch {
        // The same.
      }
    },
  };
}

const CHOICES: Readonly<Partial<Record<string, readonly unknown[]>>> = {
  tiles: ["small", "normal", "large"] satisfies TileSize[],
  theme: ["auto", "light", "dark"] satisfies Theme[],
  lang: [null, ...LANGUAGES],
};

function isKnown([key, value]: [string, unknown]): boolean {
  if (!Object.hasOwn(DEFAULTS, key)) return false;
  return CHOICES[key]?.includes(value) ?? typeof value === typeof DEFAULTS[key as keyof Settings];
}

/** Those of the settings that this page knows, with values that it knows. */
export function knownOf(read: object): Partial<Settings> {
  return Object.fromEntries(Object.entries(read).filter(isKnown));
}

/** What can be used of settings that an older or newer page has written. */
export function usable(text: string | null): Settings {
  try {
    const read: unknown = JSON.parse(text ?? "{}");
    return { ...DEFAULTS, ...knownOf(read as object) };
  } catch {
    return DEFAULTS;
  }
}

export const settings = signal<Settings>(usable(recall("settings")));

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
  remember("settings", JSON.stringify(settings.value));
}

let token = recall("token");

/** The secret by which the server knows this guest again. */
export function guestToken(): string | null {
  return token;
}

export function keepToken(next: string | null): void {
  token = next;
  remember("token", next);
}

/** Whether things may move: the person's switch and that of the system. */
export function mayMove(): boolean {
  return settings.value.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The browser's own frame takes the colour of the page's upper edge. */
function paintFrame(): void {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--paper-2");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour.trim());
}

/** Keeps the page's look in step with the settings. */
export function applyLook(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const apply = () => {
    const { theme } = settings.value;
    const { dataset: root, style } = document.documentElement;
    style.colorScheme = root["theme"] = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    root["motion"] = mayMove() ? "on" : "off";
    root["pips"] = settings.value.colours ? "coloured" : "ink";
    root["tiles"] = settings.value.tiles;
    paintFrame();
  };
  dark.addEventListener("change", apply);
  still.addEventListener("change", apply);
  effect(apply);
}
