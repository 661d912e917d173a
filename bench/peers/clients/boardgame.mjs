// A client of boardgame.io: its lobby over HTTP, then its messages on a WebSocket, as its own
// client sends them. It reads whole only what it has to act on, so that the crowd costs little.
import WebSocket from "ws";

import { anyMove } from "./mind.mjs";

const GAME = "dominoes";
const UPDATE = `42/${GAME},["update"`;
const PRESENCE = `42/${GAME},["matchData"`;
const STATE_ID = /"_stateID":(\d+)/;
const MATCHES = /"matches":(\d+)/;

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

/** Sit down at a table of its own: four clients. */
export async function openTable(url, table, chance) {
  const games = `${url}/games/${GAME}`;
  const { matchID } = await post(`${games}/create`, { numPlayers: 4 });
  const clients = [];
  for (let seat = 0; seat < 4; seat++) {
    const who = { playerID: String(seat), playerName: `Load ${seat}` };
    const { playerCredentials } = await post(`${games}/${matchID}/join`, who);
    const client = new Player(table, seat, chance, { matchID, playerCredentials });
    await client.connect(url);
    clients.push(client);
  }
  return clients;
}

class Player {
  constructor(table, seat, chance, { matchID, playerCredentials }) {
    Object.assign(this, { table, seat, chance, matchID, credentials: playerCredentials });
    this.stateID = 0;
    this.myTurn = `"currentPlayer":"${seat}"`;
  }

  connect(url) {
    const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
    this.socket = new WebSocket(address, { perMessageDeflate: false });
    this.socket.on("close", (code) => this.table.wrong("LOST", `seat ${this.seat}: ${code}`));
    return new Promise((resolve, reject) => {
      this.socket.on("error", reject);
      this.synced = resolve;
      this.socket.on("message", (data) => this.receive(data.toString()));
    });
  }

  receive(text) {
    if (text.startsWith(UPDATE)) this.updated(text);
    else if (text.startsWith(PRESENCE)) return;
    else if (text === "2") this.socket.send("3");
    else if (text.startsWith("0")) this.socket.send(`40/${GAME},`);
    else if (text.startsWith(`40/${GAME}`)) {
      this.emit("sync", this.matchID, String(this.seat), this.credentials, 4);
    } else if (text.startsWith(`42/${GAME},["sync"`)) {
      this.first = read(text).state;
      this.stateID = this.first._stateID;
      this.synced();
    } else this.table.wrong("UNKNOWN", text.slice(0, 80));
  }

  updated(text) {
    const stateID = Number(STATE_ID.exec(text)[1]);
    if (stateID <= this.stateID) this.table.wrong("STALE", `${stateID} after ${this.stateID}`);
    this.stateID = stateID;
    this.table.has(this.seat, Number(MATCHES.exec(text)[1]));
    if (text.includes(this.myTurn)) this.think(read(text));
  }

  start() {
    if (this.first.ctx.currentPlayer === String(this.seat)) this.think(this.first);
  }

  think({ G }) {
    const { ends, mustOpen, choosing } = G;
    const hand = G.hands[this.seat];
    this.table.think(() => {
      const seen = { seat: this.seat, hand, ends, mustOpen, choosing };
      const [type, ...args] = anyMove(this.chance, seen);
      const playerID = String(this.seat);
      const payload = { type, args, playerID, credentials: this.credentials };
      const action = { type: "MAKE_MOVE", payload };
      this.table.sends(this.seat);
      this.emit("update", action, this.stateID, this.matchID, playerID);
    });
  }

  emit(...message) {
    this.socket.send(`42/${GAME},${JSON.stringify(message)}`);
  }

  leave() {
    this.socket.terminate();
  }
}

/** What a message `42/game,[kind, match, told, ...]` tells. */
const read = (text) => JSON.parse(text.slice(text.indexOf("[")))[2];
