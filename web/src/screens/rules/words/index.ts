import { ownWords } from "../../../i18n/own";
import type { RuleKey } from "./pt";

const words = ownWords<RuleKey>({
  pt: () => import("./pt").then((module) => module.pt),
  es: () => import("./es").then((module) => module.es),
  en: () => import("./en").then((module) => module.en),
});

export const wordsReady = words.ready;
/** A text of the rules. */
export const r = words.say;
