import { describe, expect, it } from "vitest";

import { fill, preferred } from "../src/i18n";
import { en } from "../src/i18n/en";
import { es } from "../src/i18n/es";
import { pt, type Key } from "../src/i18n/pt";

const KEYS = Object.keys(pt) as Key[];

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each([
  ["es", es],
  ["en", en],
] as const)("the words in %s", (_, words) => {
  it("are complete and no more", () => {
    expect(Object.keys(words).toSorted()).toEqual(KEYS.toSorted());
  });

  it.each(KEYS)("has the same placeholders in %s", (key) => {
    expect(placeholders(words[key])).toEqual(placeholders(pt[key]));
  });

  it("leaves nothing empty", () => {
    expect(KEYS.filter((key) => words[key].trim() === "")).toEqual([]);
  });
});

it("fills in values and leaves unknown placeholders to be seen", () => {
  expect(fill("{a} e {b}", { a: 1 })).toBe("1 e {b}");
});

it("begins in the chosen language, else the browser's, else Portuguese", () => {
  expect(preferred("en", ["pt-BR"])).toBe("en");
  expect(preferred(null, ["fr-FR", "es-AR", "en"])).toBe("es");
  expect(preferred(null, ["de", "fr"])).toBe("pt");
});
