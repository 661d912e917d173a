// A world with a clock of its own and sockets whose other end is the test.

import type { Env, SocketLike } from "../src/net/env";
import type { ClientFrame, ServerFrame } from "../src/net/protocol.gen";

export class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: ClientFrame[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.closed = true;
  }

  tell(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  cut(code = 1006): void {
    this.onclose?.({ code });
  }

  of<T extends ClientFrame["t"]>(kind: T): Extract<ClientFrame, { t: T }>[] {
    return this.sent.filter((frame) => frame.t === kind) as Extract<ClientFrame, { t: T }>[];
  }
}

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

export class World implements Env {
  readonly sockets: FakeSocket[] = [];
  private time = 0;
  private timers: Timer[] = [];

  open(): FakeSocket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }

  now(): number {
    return this.time;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.time + ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass; what is due happens in its order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((timer) => timer.at <= end);
      const next = due.toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.call();
    }
    this.time = end;
  }

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("no socket was opened");
    return socket;
  }

  /** Opens the newest socket and answers its hello. */
  welcome(): FakeSocket {
    const { socket } = this;
    socket.onopen?.();
    const re = socket.of("hello").at(-1)?.id ?? "";
    const me = { id: "p", name: "Anna" };
    socket.tell({ t: "welcome", re, now: 1000, d: { proto: 1, min_proto: 1, build: "b", me } });
    return socket;
  }
}

/** Lets promises that are settled be heard. */
export const settled = () => new Promise<void>((resolve) => setTimeout(resolve));
