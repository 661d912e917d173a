import { beforeAll, describe, expect, it, vi } from "vitest";

import { ANIMAL_IDS } from "../dev/fake/championship";
import { animalIds, animalName, animalTold, loadAnimals } from "../src/state/animals";
import { sentence, speak, speakMore } from "../src/i18n";

vi.stubGlobal("document", { documentElement: {} });

beforeAll(async () => {
  await speak("pt");
  await speakMore();
});

it("has an animal's id for a name until the list is there", () => {
  expect(animalName("tatu-bola")).toBe("Tatu bola");
  expect(animalTold("tatu-bola")).toBe("tatu bola");
});

describe("names in sentences", () => {
  beforeAll(loadAnimals);

  it("are those of the list", () => {
    expect(animalIds()).toEqual(ANIMAL_IDS);
    expect(animalName("tatu-bola")).toBe("Tatu-bola");
  });

  it.each([
    ["pt", "bode", "Vez do bode"],
    ["pt", "raposa", "Vez da raposa"],
    ["es", "bode", "Turno del chivo"],
    ["es", "raposa", "Turno del zorro"],
    ["es", "capivara", "Turno del carpincho"],
    ["en", "bode", "The billy goat's turn"],
  ] as const)("are drawn together in %s: %s", async (lang, animal, text) => {
    await speak(lang);
    expect(sentence("promptWait", { name: animalTold(animal) })).toBe(text);
  });

  it("leave nicknames as they are", async () => {
    await speak("pt");
    expect(sentence("promptWait", { name: "O Zé" })).toBe("Vez de O Zé");
  });

  it("go on in the pages around championships after another language was chosen", async () => {
    await speak("en");
    expect(sentence("brYou", { animal: animalTold("bode"), partner: animalTold("galo") })).toBe(
      "You are the billy goat and play with the rooster.",
    );
  });
});
