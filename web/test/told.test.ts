// What is told of the viewer: to their face, and with the verb that belongs to it.

import { beforeAll, describe, expect, it, vi } from "vitest";

import { about, speak, type Told } from "../src/i18n";
import { en } from "../src/i18n/en";
import { es } from "../src/i18n/es";
import { pt } from "../src/i18n/pt";
import type { PastHand } from "../src/net/protocol.gen";
import { moveTold, opening } from "../src/screens/replay/telling";
import { en as pastEn } from "../src/screens/replay/words/en";
import { es as pastEs } from "../src/screens/replay/words/es";
import { wordsReady } from "../src/screens/replay/words";
import { pt as pastPt } from "../src/screens/replay/words/pt";
import { tableOf } from "../src/state/past";

vi.stubGlobal("document", { documentElement: {} });

type Words = Readonly<Record<string, string>>;

const WORDS: Readonly<Record<"pt" | "es" | "en", Words>> = {
  pt: { ...pt, ...pastPt },
  es: { ...es, ...pastEs },
  en: { ...en, ...pastEn },
};

/** Every sentence about what somebody did, as it stands where that is the viewer. */
const SAID: Readonly<Record<"pt" | "es" | "en", Readonly<Record<Told, string>>>> = {
  pt: {
    endWinner: "Você ganhou a mão",
    talkChose: "Você sai",
    readPassed: "Você passou.",
    readPlayed: "Você jogou sena e duque. Duque!",
    readPlayedLeft: "Você jogou sena e duque, na esquerda. Duque!",
    readPlayedRight: "Você jogou sena e duque, na direita. Duque!",
  },
  es: {
    endWinner: "Ganaste la mano",
    talkChose: "Sales tú",
    readPassed: "Pasaste.",
    readPlayed: "Jugaste sena e duque. Duque!",
    readPlayedLeft: "Jugaste sena e duque, a la izquierda. Duque!",
    readPlayedRight: "Jugaste sena e duque, a la derecha. Duque!",
  },
  en: {
    endWinner: "You won the hand",
    talkChose: "You open",
    readPassed: "You passed.",
    readPlayed: "You played sena e duque. Duque!",
    readPlayedLeft: "You played sena e duque, on the left. Duque!",
    readPlayedRight: "You played sena e duque, on the right. Duque!",
  },
};

const LANGUAGES = ["pt", "es", "en"] as const;
const placeholders = (text = "") => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LANGUAGES)("in %s", (lang) => {
  const words = WORDS[lang];
  const told = Object.keys(words).filter((key) => words[`${key}_you`] !== undefined);

  beforeAll(async () => {
    await speak(lang);
    await wordsReady();
    await vi.waitFor(() => expect(opening(opened(0, 0), TABLE)).toBe(words["choseSelf_you"]));
  });

  it.each(Object.entries(SAID[lang]))("speaks to the viewer in %s", (key, text) => {
    const values = { tile: "sena e duque", words: "Duque!" };
    expect(about(key as Told, null, values)).toBe(text);
  });

  it.each(told)("leaves out nothing but the name in %s", (key) => {
    const others = placeholders(words[key]).filter((name) => name !== "{name}");
    expect(placeholders(words[`${key}_you`])).toEqual(others);
  });

  it("never puts the word for the viewer where another's name stands", () => {
    const you = new RegExp(`^${words["seatYou"]} `);
    const toTheFace = told.map((key) => words[`${key}_you`] ?? "");
    // In Portuguese the verb is the same; in Spanish it never is, and says "you" by itself.
    const asOfOthers = told.map((key) => words[key]?.replace("{name}", words["seatYou"] ?? "") ?? "");
    if (lang === "pt") expect(toTheFace).toEqual(asOfOthers);
    if (lang === "es") expect(toTheFace.filter((text) => you.test(text))).toEqual([]);
  });

  it("tells the past of the viewer's own seat in the same way", () => {
    const passed = moveTold({ seat: 0, calls: [], after_ms: 0 }, TABLE);
    expect(passed).toBe(SAID[lang].readPassed);
    expect(opening(opened(0), TABLE)).toBe(SAID[lang].talkChose);
    expect(opening(opened(0, 0), TABLE)).toBe(words["choseSelf_you"]);
    expect(opening(opened(2, 0), TABLE)).toBe(words["chose_you"]?.replace("{opener}", "Zé"));
    expect(opening(opened(0, 2), TABLE)).toContain(words["lobbyYou"]);
  });
});

const NAMES = ["Anna", "Bia", "Zé", "Davi"] as const;
const TABLE = (() => {
  const seats = NAMES.map((name) => ({ kind: "person" as const, name }));
  const state = tableOf("01J00000000000000000000000", seats as unknown as Parameters<typeof tableOf>[1]);
  return { ...state, view: { ...state.view, me: 0 } };
})();

/** A hand that somebody opens, after somebody chose who does. */
function opened(opener: number, chooser?: number): PastHand {
  return { opener, ...(chooser === undefined ? {} : { choice: { seat: chooser } }) } as unknown as PastHand;
}
