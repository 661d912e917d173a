// Dominoes on Colyseus. `PORT` says where; a room "state" has its state synchronised, each hand
// for its player only, a room "messages" sends what happens as plain messages.
import { Room, Server } from "@colyseus/core";
import { schema, StateView, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

import * as rules from "../game.mjs";

const Hand = schema({ mask: t.uint32().view() }, "Hand");
const Table = schema(
  {
    seq: t.uint32(),
    turn: t.uint8(),
    left: t.int8(),
    right: t.int8(),
    choosing: t.boolean(),
    mustOpen: t.int8(),
    scoreA: t.uint8(),
    scoreB: t.uint8(),
    matches: t.uint32(),
    lastSeat: t.int8(),
    lastTile: t.int8(),
    hands: t.array(Hand),
  },
  "Table",
);

const shuffled = () => {
  const order = Array.from({ length: 28 }, (_, tile) => tile);
  for (let at = 27; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
};

/** Seats in order of joining, moves by the rules; `tell` is what the two rooms differ in. */
class Dominoes extends Room {
  maxClients = 4;

  onCreate() {
    this.table = rules.newMatch();
    this.seq = 0;
    this.seats = new Map();
    this.onMessage("play", (client, { tile, end }) => this.move(client, rules.play, tile, end));
    this.onMessage("pass", (client) => this.move(client, rules.pass));
    this.onMessage("choose", (client, { opener }) => this.move(client, rules.choose, opener));
    this.onMessage("start", () => {
      rules.deal(this.table, shuffled());
      this.tell(-1, -1, true);
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }

  move(client, change, ...args) {
    const seat = this.seats.get(client.sessionId);
    if (!change(this.table, seat, ...args)) {
      client.send("refused", args);
      return;
    }
    const dealt = rules.isOver(this.table);
    if (dealt) rules.deal(this.table, shuffled());
    this.seq += 1;
    this.tell(seat, change === rules.play ? args[0] : -1, dealt);
  }
}

class Messages extends Dominoes {
  tell(lastSeat, lastTile, dealt) {
    const { turn, ends, choosing, mustOpen, scores, matches, hands } = this.table;
    const open = { seq: this.seq, turn, ends, choosing, mustOpen, scores, matches, lastSeat, lastTile };
    if (!dealt) {
      this.broadcast("moved", open);
      return;
    }
    for (const client of this.clients) {
      client.send("moved", { ...open, hand: hands[this.seats.get(client.sessionId)] });
    }
  }
}

class State extends Dominoes {
  patchRate = null; // a patch goes out with each move instead

  onCreate() {
    super.onCreate();
    this.state = new Table();
    for (let seat = 0; seat < 4; seat++) this.state.hands.push(new Hand());
  }

  onJoin(client) {
    super.onJoin(client);
    client.view = new StateView();
    client.view.add(this.state.hands[this.seats.get(client.sessionId)]);
  }

  tell(lastSeat, lastTile) {
    const { state, table } = this;
    const [left, right] = table.ends.length ? table.ends : [-1, -1];
    const { turn, choosing, mustOpen, matches } = table;
    const [scoreA, scoreB] = table.scores;
    Object.assign(state, { seq: this.seq, turn, left, right, choosing, mustOpen, scoreA, scoreB });
    Object.assign(state, { matches, lastSeat, lastTile });
    table.hands.forEach((mask, seat) => {
      state.hands[seat].mask = mask;
    });
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("messages", Messages);
server.define("state", State);
await server.listen(Number(process.env.PORT), "127.0.0.1");
console.log("ready");
