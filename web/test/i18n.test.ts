import { describe, expect, it } from "vitest";

import { fill, preferred } from "../src/i18n";
import { en } from "../src/i18n/en";
import { es } from "../src/i18n/es";
import { en as moreEn } from "../src/i18n/more/en";
import { es as moreEs } from "../src/i18n/more/es";
import { pt as morePt } from "../src/i18n/more/pt";
import { pt } from "../src/i18n/pt";

type Words = Readonly<Record<string, string>>;

const SOURCE: Words = { ...pt, ...morePt };
const KEYS = Object.keys(SOURCE);

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each([
  ["es", { ...es, ...moreEs } as Words],
  ["en", { ...en, ...moreEn } as Words],
] as const)("the words in %s", (_, words) => {
  it("are complete and no more", () => {
    expect(Object.keys(words).toSorted()).toEqual(KEYS.toSorted());
  });

  it.each(KEYS)("has the same placeholders in %s", (key) => {
    expect(placeholders(words[key] ?? "")).toEqual(placeholders(SOURCE[key] ?? ""));
  });

  it("leaves nothing empty", () => {
    expect(KEYS.filter((key) => words[key]?.trim() === "")).toEqual([]);
  });
});

it("has no word twice", () => {
  expect(KEYS.length).toBe(Object.keys(pt).length + Object.keys(morePt).length);
});

it("fills in values and leaves unknown placeholders to be seen", () => {
  expect(fill("{a} e {b}", { a: 1 })).toBe("1 e {b}");
});

it("begins in the chosen language, else the browser's, else Portuguese", () => {
  expect(preferred("en", ["pt-BR"])).toBe("en");
  expect(preferred(null, ["fr-FR", "es-AR", "en"])).toBe("es");
  expect(preferred(null, ["de", "fr"])).toBe("pt");
});
