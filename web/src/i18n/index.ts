// The words of the page in the chosen language; a signal, so that a change shows at once.

import { signal } from "@preact/signals";
import { LANGUAGES, type Lang } from "../game/calls";
import type { MoreKey, MoreWords } from "./more/pt";
import type { Dictionary, FirstKey } from "./pt";

export type Key = FirstKey | MoreKey;

const LOADERS: Readonly<Record<Lang, () => Promise<Dictionary>>> = {
  pt: () => import("./pt").then((module) => module.pt),
  es: () => import("./es").then((module) => module.es),
  en: () => import("./en").then((module) => module.en),
};

const MORE: Readonly<Record<Lang, () => Promise<MoreWords>>> = {
  pt: () => import("./more/pt").then((module) => module.pt),
  es: () => import("./more/es").then((module) => module.es),
  en: () => import("./more/en").then((module) => module.en),
};

interface Spoken {
  readonly lang: Lang;
  readonly words: Dictionary & Partial<MoreWords>;
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

let wantsMore = false;

/** Loads a language and speaks it from then on. */
export async function speak(lang: Lang): Promise<void> {
  const [first, more] = await Promise.all([LOADERS[lang](), wantsMore ? MORE[lang]() : {}]);
  const words = { ...first, ...more };
  spoken.value = { lang, words, plural: new Intl.PluralRules(TAGS[lang]) };
  document.documentElement.lang = TAGS[lang];
  document.title = words.appTitle;
}

/** Also what the pages around championships say, in this language and in others from then on. */
export async function speakMore(): Promise<void> {
  if (wantsMore) return;
  const more = await MORE[currentLang()]();
  wantsMore = true;
  if (spoken.value !== null) spoken.value = { ...spoken.value, words: { ...spoken.value.words, ...more } };
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

/** How a language draws words together when a name with its article is put into a sentence. */
const CONTRACTED: Readonly<Record<Lang, readonly (readonly [RegExp, string])[]>> = {
  pt: [
    [/\b([Dd])e (?=[oa] )/g, "$1"],
    [/\b([Ee])m (?=[oa] )/g, "n"],
  ],
  es: [
    [/\b([Dd])e el /g, "$1el "],
    [/\b([Aa]) el /g, "$1l "],
  ],
  en: [],
};

/** A text into which names come with their articles: drawn together, and with a capital in front. */
export function sentence(key: Key, values: Values): string {
  const rules = CONTRACTED[currentLang()];
  const text = rules.reduce((so_far, [from, to]) => so_far.replace(from, to), t(key, values));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type ToldOf<K extends Key> = K extends `${infer Base}_you` ? (Base extends Key ? Base : never) : never;

/** A sentence about what somebody did, as `{name}`, and the same to the viewer's face. */
export type Told = ToldOf<Key>;

/** Such a sentence; without a name it is the viewer's, with a verb that suits. */
export function about(key: Told, name: string | null, values: Values = {}): string {
  return name === null ? t(`${key}_you`, values) : sentence(key, { name, ...values });
}

type BaseOf<K extends string> = K extends `${infer Base}_other` ? Base : never;

/** A text that depends on a number. */
export type Counted = BaseOf<Key>;

/** A moment, as people here write it. */
export function when(ms: number): string {
  const format = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Date(ms).toLocaleString(TAGS[currentLang()], format);
}

/** A day without its year; `day` as 2026-11-30. */
export function dayAndMonth(day: string, later = 0): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + later);
  const format = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  return date.toLocaleDateString(TAGS[currentLang()], format);
}

/** A text that depends on a number, as `{n}`. */
export function tn(key: Counted, n: number, values: Values = {}): string {
  const form = spoken.value?.plural.select(n) === "one" ? "one" : "other";
  return t(`${key}_${form}` as Key, { n, ...values });
}
