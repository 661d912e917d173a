// Words that only one screen says. They come with it, one language at a time.

import { effect, signal } from "@preact/signals";
import type { Lang } from "../game/calls";
import { currentLang, fill, type Values } from ".";

export interface OwnWords<K extends string> {
  /** Loads them in the language that is spoken, and from then on in each that is chosen. */
  ready(): Promise<void>;
  say(key: K, values?: Values): string;
}

export function ownWords<K extends string>(
  loaders: Readonly<Record<Lang, () => Promise<Readonly<Record<K, string>>>>>,
): OwnWords<K> {
  const known = signal<{ readonly lang: Lang; readonly words: Readonly<Record<K, string>> } | null>(null);
  const load = async (lang: Lang) => {
    const words = await loaders[lang]();
    if (lang === currentLang()) known.value = { lang, words };
  };
  const follow = () => {
    const lang = currentLang();
    if (known.peek()?.lang !== lang) void load(lang);
  };
  return {
    async ready() {
      if (known.peek() !== null) return;
      await load(currentLang());
      effect(follow);
    },
    say: (key, values = {}) => fill(known.value?.words[key] ?? "", values),
  };
}
