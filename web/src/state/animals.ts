// The animals of the championships by their names. The list comes when it is first needed; until
// then an animal has its id, which is nearly its name in Portuguese.

import { signal } from "@preact/signals";
import type { Lang } from "../game/calls";
import { currentLang } from "../i18n";

interface Word {
  readonly name: string;
  readonly article: string;
}

type Book = ReadonlyMap<string, Readonly<Record<Lang, Word>>>;

const book = signal<Book | null>(null);
let asked = false;

/** Loads the list; it may be asked for again if that failed. */
export async function loadAnimals(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    const { animals } = (await import("../data/animals.json")).default;
    book.value = new Map(animals.map((animal) => [animal.id, animal]));
  } catch {
    asked = false; // Offline: the next one who asks tries again.
  }
}

/** All ids, sorted as the draw wants them; null before the list is here. */
export function animalIds(): readonly string[] | null {
  if (book.value === null) void loadAnimals();
  return book.value === null ? null : [...book.value.keys()].toSorted();
}

function wordOf(id: string): Word {
  if (book.value === null) void loadAnimals();
  return book.value?.get(id)?.[currentLang()] ?? { name: id.replaceAll("-", " "), article: "" };
}

/** The name as a name: "Bode". */
export function animalName(id: string): string {
  const { name } = wordOf(id);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name within a sentence: "o bode". */
export function animalTold(id: string): string {
  const { name, article } = wordOf(id);
  return `${article} ${name}`.trim();
}
