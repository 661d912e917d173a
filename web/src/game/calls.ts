// What is said at the table (R30), in the words of the rules service's own list.

import talk from "../../../services/rules/src/laelo_rules/data/table_talk.json";
import type { Call } from "../net/protocol.gen";

export type Lang = "pt" | "es" | "en";

export const LANGUAGES: readonly Lang[] = ["pt", "es", "en"];

/** The table's name of a number: "quina" is five. */
export function numberName(lang: Lang, number: number): string {
  return talk.numbers[lang][number] ?? String(number);
}

/** What is called out. */
export function phrase(lang: Lang, call: Call): string {
  const number = call.number ?? 0;
  switch (call.kind) {
    case "end":
    case "all":
    case "double":
      return talk.calls[call.kind][lang][number] ?? "";
    case "opening": {
      const pairs: Readonly<Record<string, string>> = talk.calls.opening[lang];
      return pairs[`${call.low ?? 0}|${number}`] ?? "";
    }
    case "tie": {
      const words: Readonly<Record<string, string>> = talk.calls.tie[lang];
      return (words[number] ?? words["n"] ?? "").replace("{n}", String(number));
    }
    default:
      return talk.calls[call.kind][lang];
  }
}

/** How a match was won: with a zero on the other side, or after being down 0-5. */
export function resultName(lang: Lang, kind: keyof typeof talk.results): string {
  return talk.results[kind][lang];
}
