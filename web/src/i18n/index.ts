// The words of the page in the chosen language; a signal, so that a change shows at once.

import { signal } from "@preact/signals";
import { LANGUAGES, type Lang } from "../game/calls";
import type { Dictionary, Key } from "./pt";

export type { Key } from "./pt";

const LOADERS: Readonly<Record<Lang, () => Promise<Dictionary>>> = {
  pt: () => import("./pt").then((module) => module.pt),
  es: () => import("./es").then((module) => module.es),
  en: () => import("./en").then((module) => module.en),
};

interface Spoken {
  readonly lang: Lang;
  readonly words: Dictionary;
  readonly plural: Intl.PluralRules;
}

const spoken = signal<Spoken | null>(null);

const TAGS: Readonly<Record<Lang, string>> = { pt: "pt-BR", es: "es", en: "en" };

export type Values = Readonly<Record<string, string | number>>;

/** The language to begin with: the person's, else the browser's, else Portuguese. */
export function preferred(chosen: Lang | null, browser: readonly string[]): Lang {
  if (chosen !== null) return chosen;
  const known = browser.map((tag) => LANGUAGES.find((lang) => tag.toLowerCase().startsWith(lang)));
  return known.find((lang) => lang !== undefined) ?? "pt";
}

/** Loads a language and speaks it from then on. */
export async function speak(lang: Lang): Promise<void> {
  const words = await LOADERS[lang]();
  spoken.value = { lang, words, plural: new Intl.PluralRules(TAGS[lang]) };
  document.documentElement.lang = TAGS[lang];
  document.title = words.appTitle;
}

export function currentLang(): Lang {
  return spoken.value?.lang ?? "pt";
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text of the page. */
export function t(key: Key, values: Values = {}): string {
  return fill(spoken.value?.words[key] ?? "", values);
}

type BaseOf<K extends string> = K extends `${infer Base}_other` ? Base : never;

/** A text that depends on a number. */
export type Counted = BaseOf<Key>;

/** A text that depends on a number, as `{n}`. */
export function tn(key: Counted, n: number, values: Values = {}): string {
  const form = spoken.value?.plural.select(n) === "one" ? "one" : "other";
  return t(`${key}_${form}` as Key, { n, ...values });
}
