// The linocuts by the ids of animals. They come when the first of them is looked for: play does not
// wait for them.

import { signal } from "@preact/signals";

const gallery = signal<ReadonlyMap<string, string> | null>(null);
const failed = signal(false);
let coming: Promise<void> | null = null;

async function fetchGallery(): Promise<void> {
  try {
    gallery.value = (await import("./gallery")).GALLERY;
  } catch {
    coming = null; // Offline: the next one who asks tries again.
    failed.value = true;
  }
}

/** Loads the linocuts once; they may be asked for again if that failed. */
export function loadGallery(): Promise<void> {
  coming ??= fetchGallery();
  return coming;
}

/** What an animal's linocut holds, in a box of 64×64: nothing while it comes, undefined if there is none. */
export function animalArt(id: string): string | undefined {
  if (gallery.value !== null) return gallery.value.get(id);
  void loadGallery();
  return failed.value ? undefined : "";
}
