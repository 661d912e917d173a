// Plays what standard input says, one JSON line a match, and tells the state after each step.
import { createInterface } from "node:readline";

import * as rules from "../game.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const state = rules.newMatch();
  const states = JSON.parse(line).map(([word, ...args]) => {
    const done = rules[word](state, ...args);
    return { ...structuredClone(state), done: done ?? true, over: rules.isOver(state) };
  });
  process.stdout.write(`${JSON.stringify(states)}\n`);
}
