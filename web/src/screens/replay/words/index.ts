import { ownWords } from "../../../i18n/own";
import type { PastKey } from "./pt";

const words = ownWords<PastKey>({
  pt: () => import("./pt").then((module) => module.pt),
  es: () => import("./es").then((module) => module.es),
  en: () => import("./en").then((module) => module.en),
});

export const wordsReady = words.ready;
/** A text of replay or history. */
export const p = words.say;

export type { PastKey } from "./pt";
