// Dominoes on boardgame.io: lobby, credentials, hidden hands, in memory. `PORT` says where.
import { createRequire } from "node:module";

import * as rules from "../game.mjs";

const require = createRequire(import.meta.url); // the package is CommonJS, with no exports map
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const ORDER = Array.from({ length: 28 }, (_, tile) => tile);

/** A change of the rules as a move of the game; the next hand is dealt along with it. */
const move = (change) => ({
  client: false,
  move: ({ G, playerID, random, events }, ...args) => {
    if (!change(G, Number(playerID), ...args)) return INVALID_MOVE;
    if (rules.isOver(G)) rules.deal(G, random.Shuffle(ORDER));
    events.endTurn();
  },
});

const dominoes = {
  name: "dominoes",
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true,
  setup: ({ random }) => {
    const state = rules.newMatch();
    rules.deal(state, random.Shuffle(ORDER));
    return state;
  },
  playerView: ({ G, playerID }) => ({
    ...G,
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : 0)),
  }),
  turn: { order: { first: ({ G }) => G.turn, next: ({ G }) => G.turn } },
  moves: { play: move(rules.play), pass: move(rules.pass), choose: move(rules.choose) },
};

const port = Number(process.env.PORT);
const server = Server({ games: [dominoes], origins: ["http://127.0.0.1"] });
await server.run({ port, callback: () => console.log("ready") });
