// The calls of the table in the browser's own voice. The bubbles are the truth, this is an extra:
// some browsers have no voice at all, some tell of theirs late, some speak only after a tap.

import { signal } from "@preact/signals";
import type { Lang } from "../game/calls";
import { settings } from "../state/settings";

type Voice = Pick<SpeechSynthesisVoice, "name" | "lang" | "localService" | "default">;

export const voices = signal<readonly SpeechSynthesisVoice[]>([]);

const ACCENTS: Readonly<Record<Lang, string>> = { pt: "pt-br", es: "es", en: "en" };
/** More than this many words behind the game, and the rest is not worth hearing. */
const LONGEST_QUEUE = 3;

let waiting = 0;

const tagOf = ({ lang }: Voice) => lang.toLowerCase().replace("_", "-");

/** The voices of a language, those of its home first and those of this device before remote ones. */
export function voicesFor<V extends Voice>(all: readonly V[], lang: Lang): readonly V[] {
  const rank = (voice: V) =>
    (tagOf(voice).startsWith(ACCENTS[lang]) ? 0 : 2) + (voice.localService ? 0 : 1);
  return all
    .filter((voice) => tagOf(voice).split("-")[0] === lang)
    .toSorted((one, other) => rank(one) - rank(other));
}

/** The voice to speak with: the chosen one if it knows the language, else the first that does. */
export function voiceFor<V extends Voice>(all: readonly V[], lang: Lang, chosen: string): V | null {
  const able = voicesFor(all, lang);
  return able.find(({ name }) => name === chosen) ?? able[0] ?? null;
}

const synth = () => ("speechSynthesis" in window ? window.speechSynthesis : null);

/** Learns which voices there are, whenever the browser tells. */
export function startSpeech(): void {
  const speech = synth();
  if (speech === null) return;
  const read = () => (voices.value = speech.getVoices());
  speech.addEventListener?.("voiceschanged", read);
  read();
  // Some browsers speak later only if something was spoken during a tap.
  const unlock = () => {
    if (settings.value.voice) speech.speak(new SpeechSynthesisUtterance(""));
  };
  window.addEventListener("pointerdown", unlock, { once: true, passive: true });
}

/** Speaks, if the person wants it and there is a voice of that language. */
export function speakAloud(text: string, lang: Lang): void {
  const speech = synth();
  if (!settings.value.voice || speech === null || text === "") return;
  const voice = voiceFor(voices.value, lang, settings.value.voiceName);
  if (voice === null) return;
  if (waiting >= LONGEST_QUEUE) hushVoice();
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.lang = voice.lang;
  words.rate = 1.1;
  waiting += 1;
  words.onend = words.onerror = () => (waiting = Math.max(0, waiting - 1));
  speech.speak(words);
}

/** Falls silent at once. */
export function hushVoice(): void {
  waiting = 0;
  synth()?.cancel();
}
