import { BEASTS } from "./beasts";
import { BIRDS } from "./birds";
import { CRAWLERS } from "./crawlers";
import { FACES } from "./faces";
import { FOLK } from "./folk";
import { SEA } from "./sea";

/** The linocuts that only championships show, by the ids of animals.json: one chunk, loaded late. */
export const GALLERY: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...SEA, ...BIRDS, ...CRAWLERS, ...BEASTS, ...FACES, ...FOLK }),
);
