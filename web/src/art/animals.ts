// The linocuts by the ids of animals. Those of the seats are there from the start; the gallery of
// the championships comes when the first of its animals is looked for.

import { signal } from "@preact/signals";
import { TABLE_ART } from "./table";

const { caranguejo, tartaruga, coruja, onca, tubarao } = TABLE_ART;

const ART: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...TABLE_ART,
    "caranguejo-uca": caranguejo,
    "tartaruga-verde": tartaruga,
    "cabure-de-pernambuco": coruja,
    jaguatirica: onca,
    "tubarao-limao": tubarao,
  }),
);

const gallery = signal<ReadonlyMap<string, string> | null>(null);
let asked = false;

/** Loads the gallery; it may be asked for again if that failed. */
export async function loadGallery(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    gallery.value = (await import("./gallery")).GALLERY;
  } catch {
    asked = false; // Offline: the next one who asks tries again.
  }
}

/** What an animal's linocut holds, in a box of 64×64; undefined while it is not here, or unknown. */
export function animalArt(id: string): string | undefined {
  const own = ART.get(id) ?? gallery.value?.get(id);
  if (own === undefined && gallery.value === null) void loadGallery();
  return own;
}
