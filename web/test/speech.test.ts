import fc from "fast-check";
import { expect, it } from "vitest";

import { LANGUAGES } from "../src/game/calls";
import { voiceFor, voicesFor } from "../src/sound/speech";

const voice = (name: string, lang: string, localService = true) => ({ name, lang, localService, default: false });

const LUCIANA = voice("Luciana", "pt-BR");
const REMOTE = voice("Remota", "pt_BR", false);
const JOANA = voice("Joana", "pt-PT");
const MONICA = voice("Mónica", "es-ES");
const SAM = voice("Sam", "en-US");
const ALL = [SAM, JOANA, REMOTE, LUCIANA, MONICA];

it("speaks with a voice of Brazil before one of Portugal, and one that is here before a remote one", () => {
  expect(voicesFor(ALL, "pt")).toEqual([LUCIANA, REMOTE, JOANA]);
  expect(voiceFor(ALL, "pt", "")).toBe(LUCIANA);
});

it("speaks with the chosen voice, unless it does not know the language", () => {
  expect(voiceFor(ALL, "pt", "Joana")).toBe(JOANA);
  expect(voiceFor(ALL, "es", "Joana")).toBe(MONICA);
});

it("never speaks in a foreign accent", () => {
  const tags = fc.constantFrom("pt-BR", "pt_PT", "pt", "es-AR", "en-GB", "de-DE", "pap-AW", "est-EE");
  const voices = fc.array(fc.record({ name: fc.string(), lang: tags, localService: fc.boolean(), default: fc.boolean() }));
  fc.assert(
    fc.property(voices, fc.constantFrom(...LANGUAGES), fc.string(), (all, lang, chosen) => {
      const found = voiceFor(all, lang, chosen);
      const able = all.filter((one) => one.lang === lang || /^..[-_]/.exec(one.lang)?.[0].slice(0, 2) === lang);
      expect(found === null).toBe(able.length === 0);
      if (found !== null) expect(able).toContain(found);
    }),
  );
});
