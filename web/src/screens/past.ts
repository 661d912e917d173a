// What was played: one's own matches and any match again, in one file with one set of words.

export { default as History } from "./history";
export { default as Replay } from "./replay";
export { wordsReady } from "./replay/words";
