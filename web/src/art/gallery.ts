import { BEASTS } from "./beasts";
import { BIRDS } from "./birds";
import { CRAWLERS } from "./crawlers";
import { FACES } from "./faces";
import { FOLK } from "./folk";
import { SEA } from "./sea";
import { TABLE } from "./table";

/** All linocuts by the ids of animals.json, and by the names that seats give theirs: one chunk. */
export const GALLERY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...SEA,
    ...BIRDS,
    ...CRAWLERS,
    ...BEASTS,
    ...FACES,
    ...FOLK,
    ...TABLE,
    "caranguejo-uca": TABLE.caranguejo,
    "tartaruga-verde": TABLE.tartaruga,
    "cabure-de-pernambuco": TABLE.coruja,
    jaguatirica: TABLE.onca,
    "tubarao-limao": TABLE.tubarao,
  }),
);
