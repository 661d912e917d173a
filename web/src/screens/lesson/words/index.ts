import { ownWords } from "../../../i18n/own";
import type { LessonKey } from "./pt";

const words = ownWords<LessonKey>({
  pt: () => import("./pt").then((module) => module.pt),
  es: () => import("./es").then((module) => module.es),
  en: () => import("./en").then((module) => module.en),
});

export const wordsReady = words.ready;
/** A text of the lesson. */
export const l = words.say;
