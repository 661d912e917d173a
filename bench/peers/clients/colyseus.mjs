// A client of Colyseus with its own SDK, in a room of either kind.
import { Client } from "@colyseus/sdk";

import { anyMove } from "./mind.mjs";

/** Sit down at a table of its own: four clients in a room of this kind, seated as they come. */
export async function openTable(url, table, chance, kind) {
  const client = new Client(url);
  const rooms = [await client.create(kind)];
  while (rooms.length < 4) rooms.push(await client.joinById(rooms[0].roomId));
  return rooms.map((room, seat) => new Player(table, seat, room, chance, kind));
}

class Player {
  constructor(table, seat, room, chance, kind) {
    Object.assign(this, { table, seat, room, chance });
    this.seq = 0;
    room.onMessage("refused", (move) => table.wrong("REFUSED", JSON.stringify(move)));
    room.reconnection.enabled = false; // a connection that is lost is an error here
    room.onLeave((code) => table.wrong("LOST", `seat ${this.seat}: ${code}`));
    if (kind === "messages") room.onMessage("moved", (told) => this.moved(told));
    else room.onStateChange((state) => this.changed(state));
  }

  /** A message: the hand is told when it is dealt, and then kept here. */
  moved(told) {
    if (told.hand !== undefined) this.hand = told.hand;
    else if (told.lastSeat === this.seat && told.lastTile >= 0) this.hand &= ~(1 << told.lastTile);
    this.has(told, told.ends, this.hand);
  }

  /** The state, as it is synchronised. */
  changed(state) {
    const hand = state.hands[this.seat]?.mask;
    const others = state.hands.filter((other, seat) => seat !== this.seat && other.mask);
    if (others.length) this.table.wrong("LEAK", `seat ${this.seat} sees another hand`);
    if (hand) this.has(state, state.left < 0 ? [] : [state.left, state.right], hand);
    else if (state.seq > this.seq) this.has(state, [], 0);
  }

  has({ seq, turn, choosing, mustOpen, matches }, ends, hand) {
    if (seq > this.seq + 1) this.table.wrong("GAP", `${seq} after ${this.seq}`);
    if (seq > this.seq) this.table.has(this.seat, matches);
    this.seq = seq;
    if (turn !== this.seat || !hand) return;
    this.table.think(() => {
      const seen = { seat: this.seat, hand, ends, mustOpen, choosing };
      const [kind, first, end] = anyMove(this.chance, seen);
      this.table.sends(this.seat);
      this.room.send(kind, kind === "choose" ? { opener: first } : { tile: first, end });
    });
  }

  /** The match begins when the first of the table asks for it. */
  start() {
    if (this.seat === 0) this.room.send("start");
  }

  leave() {
    this.room.connection.close();
  }
}
