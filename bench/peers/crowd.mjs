// All clients of a peer in one process. It obeys the same words as our own crowd (`python -m
// laelo_tools.load.crowd`) and answers alike: join, start, begin, end, leave.
import { createInterface } from "node:readline";

import { openTable as boardgame } from "./clients/boardgame.mjs";
import { chanceOf } from "./clients/chance.mjs";
import { openTable as colyseus } from "./clients/colyseus.mjs";

console.log = console.error; // libraries talk; standard output is for answers

const order = JSON.parse(process.argv[2]);
const open = order.peer === "boardgame" ? boardgame : colyseus;
const JOINING_AT_ONCE = 16;
const EXAMPLES = 5;

const meter = {
  runs: false,
  moves: 0,
  matches: 0,
  seconds: 0,
  latencies_us: [],
  errors: {},
  examples: [],
};
let began = 0;
let left = false;

/** A table: when all four of it have a move, and how long after it was sent. */
class Table {
  constructor(seed) {
    this.chance = chanceOf(seed);
    this.seen = [0, 0, 0, 0];
    this.missing = new Map();
    this.sent = new Map();
    this.matches = 0;
  }

  async join() {
    this.clients = await open(order.url, this, this.chance, order.kind);
  }

  start() {
    for (const client of this.clients) client.start();
  }

  /** A seat sends the move after the last that it has. */
  sends(seat) {
    this.sent.set(this.seen[seat] + 1, performance.now());
  }

  think(act) {
    if (left) return;
    if (order.think_ms) setTimeout(act, order.think_ms * (0.5 + this.chance()));
    else act();
  }

  /** A seat has the next move. */
  has(seat, matches) {
    const number = ++this.seen[seat];
    const missing = (this.missing.get(number) ?? this.seen.length) - 1;
    if (missing) {
      this.missing.set(number, missing);
      return;
    }
    this.missing.delete(number);
    if (meter.runs) {
      meter.moves += 1;
      meter.matches += matches - this.matches;
      meter.latencies_us.push(Math.round((performance.now() - this.sent.get(number)) * 1000));
    }
    this.sent.delete(number);
    this.matches = matches;
  }

  wrong(code, words) {
    if (left) return;
    meter.errors[code] = (meter.errors[code] ?? 0) + 1;
    if (meter.examples.length < EXAMPLES) meter.examples.push(`${code}: ${words}`);
  }
}

const tables = Array.from({ length: order.tables }, (_, at) => new Table(order.seed + at));

const words = {
  async join() {
    const waiting = [...tables];
    const one = async () => {
      while (waiting.length) await waiting.pop().join();
    };
    await Promise.all(Array.from({ length: JOINING_AT_ONCE }, one));
    return { tables: tables.length };
  },
  start() {
    for (const table of tables) table.start();
    return {};
  },
  begin() {
    meter.runs = true;
    began = performance.now();
    return {};
  },
  end() {
    meter.runs = false;
    meter.seconds = (performance.now() - began) / 1000;
    const { moves, matches, seconds, latencies_us } = meter;
    return { moves, matches, seconds, latencies_us };
  },
  leave() {
    left = true;
    for (const table of tables) for (const client of table.clients) client.leave();
    return { errors: meter.errors, examples: meter.examples };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await words[line.trim()]();
  } catch (error) {
    answer = { failed: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
