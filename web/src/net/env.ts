// What the net layer takes from the world, so that tests can bring their own.

export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Env {
  open(): SocketLike;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  /** Calls once, later; the answer takes it back. */
  after(ms: number, call: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
}

export function browserEnv(): Env {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return {
    open: () => new WebSocket(`${scheme}://${location.host}/ws`) as unknown as SocketLike,
    now: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
  };
}
