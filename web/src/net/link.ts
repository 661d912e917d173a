// One connection after another: opens, greets, keeps alive, notices death, comes back.

import { backoff } from "./backoff";
import type { Env, SocketLike } from "./env";
import type {
  ClientFrame,
  Hello,
  Held,
  Refused,
  ServerFrame,
  WelcomeFrame,
} from "./protocol.gen";

export type LinkState =
  /** Not connected; trying. */
  | "down"
  /** Connected and greeted. */
  | "up"
  /** Closed for a reason that trying again would not change. */
  | "signed_out"
  | "too_old"
  | "taken"
  | "shut_out";

export interface LinkOwner {
  hello(): Hello;
  /** The newest frames held, told with each ping. */
  held(): readonly Held[];
  onState(state: LinkState): void;
  /** Hello was refused; true if another hello is worth sending at once. */
  onHelloRefused(refused: Refused): boolean;
  onWelcome(frame: WelcomeFrame): void;
  onFrame(frame: ServerFrame, at: number): void;
}

const FINAL: Readonly<Record<number, LinkState>> = {
  4001: "signed_out",
  4002: "too_old",
  4003: "taken",
  4004: "shut_out",
};

/**
 * A ping tells what has arrived, and the gateway takes what it had sent before the ping before
 * for lost: so the last frame of a table, which no later one shows to be missing, comes within 5 s.
 */
const PING_IN_PLAY = 2_500;
const PING_IDLE = 25_000;
/** A socket that has said nothing for this long after a ping is dead. */
const SILENCE = 5_000;
/** A page that comes back to the front wants to know sooner. */
const PROBE = 1_500;
const GREETING = 5_000;

export class Link {
  state: LinkState = "down";
  private socket: SocketLike | null = null;
  private attempt = 0;
  /** When to come again, if the server has said so before it closed. */
  private again: number | null = null;
  private helloId = 0;
  private cancelRetry = () => {};
  private cancelPing = () => {};
  private cancelDeath = () => {};
  /** By when the socket has to have said something. */
  private deadline: number | null = null;

  constructor(
    private readonly env: Env,
    private readonly owner: LinkOwner,
    private readonly isInPlay: () => boolean,
  ) {}

  /** Drops what there is and connects at once: at the start, or when the network has changed. */
  connect(): void {
    this.forget();
    this.setState("down");
    const socket = this.env.open();
    this.socket = socket;
    this.expectWord(GREETING, () => this.lost(socket, 0));
    socket.onopen = () => this.greet(socket);
    socket.onmessage = ({ data }) => this.received(socket, data);
    socket.onclose = ({ code }) => this.lost(socket, code);
  }

  /** The page is in front again: is anybody there? */
  probe(): void {
    if (this.state === "up") {
      this.ping(PROBE);
    } else if (this.state === "down") {
      this.connect();
    }
  }

  /** A table is shown from now on: pings come sooner than they were planned. */
  quicken(): void {
    if (this.state === "up") this.schedulePing();
  }

  /** Sends if there is a connection; what has to arrive is sent again by its owner. */
  send(frame: ClientFrame): boolean {
    if (this.state !== "up" || this.socket === null) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  close(): void {
    this.forget();
  }

  private greet(socket: SocketLike): void {
    this.helloId += 1;
    const hello: ClientFrame = { t: "hello", id: this.helloName(), d: this.owner.hello() };
    socket.send(JSON.stringify(hello));
    this.stopWaiting();
    this.expectWord(GREETING, () => this.lost(socket, 0));
  }

  private helloName(): string {
    return `hello-${this.helloId}`;
  }

  /** These are followed by a close; anything else is tried again, now or later. */
  private refused(socket: SocketLike, refused: Refused): void {
    if (refused.code === "PROTO_TOO_OLD" || refused.code === "BANNED") return;
    if (this.owner.onHelloRefused(refused)) this.greet(socket);
    else this.lost(socket, 0);
  }

  private received(socket: SocketLike, data: unknown): void {
    if (socket !== this.socket || typeof data !== "string") return;
    const frame = JSON.parse(data) as ServerFrame;
    const isRefusal = frame.t === "nack" && frame.re === this.helloName();
    // Who is not welcomed yet goes on waiting for it, whatever else is heard before.
    if (this.state === "up" || frame.t === "welcome" || isRefusal) this.stopWaiting();
    if (frame.t === "welcome") {
      this.attempt = 0;
      this.again = null;
      this.setState("up");
      this.owner.onWelcome(frame);
      this.schedulePing();
    } else if (isRefusal) {
      this.refused(socket, frame.d);
      if (frame.d.code !== "BANNED") return;
    }
    if (frame.t === "notice" && frame.d.kind === "restarting") this.again = frame.d.again_ms ?? null;
    this.owner.onFrame(frame, this.env.now());
  }

  private schedulePing(): void {
    this.cancelPing();
    const wait = this.isInPlay() ? PING_IN_PLAY : PING_IDLE;
    this.cancelPing = this.env.after(wait, () => this.ping(SILENCE));
  }

  private ping(patience: number): void {
    const { socket } = this;
    if (socket === null) return;
    this.send({ t: "ping", d: { client: this.env.now(), have: this.owner.held() } });
    this.expectWord(patience, () => this.replace(socket));
    this.schedulePing();
  }

  /** Pings come sooner than patience ends: an earlier deadline stays. */
  private expectWord(patience: number, onSilence: () => void): void {
    const by = this.env.now() + patience;
    if (this.deadline !== null && this.deadline <= by) return;
    this.cancelDeath();
    this.deadline = by;
    this.cancelDeath = this.env.after(patience, onSilence);
  }

  private stopWaiting(): void {
    this.cancelDeath();
    this.deadline = null;
  }

  /** The socket is half open: its close would take minutes, so it is not waited for. */
  private replace(socket: SocketLike): void {
    if (socket === this.socket) this.connect();
  }

  private lost(socket: SocketLike, code: number): void {
    if (socket !== this.socket) return;
    this.forget();
    const final = FINAL[code];
    this.setState(final ?? "down");
    if (final !== undefined) return;
    const wait = this.again ?? backoff(this.attempt, this.env.random());
    this.again = null;
    this.attempt += 1;
    this.cancelRetry = this.env.after(wait, () => this.connect());
  }

  private forget(): void {
    this.cancelRetry();
    this.cancelPing();
    this.stopWaiting();
    const { socket } = this;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private setState(state: LinkState): void {
    if (state === this.state) return;
    this.state = state;
    this.owner.onState(state);
  }
}
