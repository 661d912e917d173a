import fc from "fast-check";
import { expect, it } from "vitest";

import { LANGUAGES, phrase } from "../src/game/calls";
import type { Call } from "../src/net/protocol.gen";

const number = fc.integer({ min: 0, max: 6 });

const calls: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: fc.constantFrom("end" as const, "all" as const, "double" as const), number }),
  fc
    .tuple(number, number)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => ({
      kind: "opening" as const,
      number: Math.max(one, other),
      low: Math.min(one, other),
    })),
  fc.record({ kind: fc.constant("tie" as const), number: fc.integer({ min: 2, max: 9 }) }),
  fc.record({
    kind: fc.constantFrom(
      "pass" as const,
      "domino_simple" as const,
      "domino_double" as const,
      "la_e_lo" as const,
      "cruzada" as const,
      "blocked" as const,
      "count" as const,
    ),
  }),
);

it("has words for every call in every language", () => {
  fc.assert(
    fc.property(calls, fc.constantFrom(...LANGUAGES), (call, lang) => {
      const words = phrase(lang, call);
      return words.length > 1 && !words.includes("{");
    }),
  );
});

it("calls as it is done in Pernambuco", () => {
  expect(phrase("pt", { kind: "double", number: 6 })).toBe("Carroça de sena");
  expect(phrase("pt", { kind: "opening", number: 6, low: 5 })).toBe("Sena e quina!");
  expect(phrase("es", { kind: "all", number: 5 })).toBe("Cinco y cinco");
  expect(phrase("en", { kind: "tie", number: 4 })).toBe("A tie! The next hand counts 4 times");
});
