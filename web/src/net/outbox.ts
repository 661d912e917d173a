// Commands that the server has not answered yet. Each is sent again, with the same id, until it is.

import type { Env } from "./env";
import { CODES, type AckFrame, type ClientFrame, type Refused, type ServerFrame } from "./protocol.gen";

export type Command = Exclude<ClientFrame, { t: "hello" | "ping" }>;

export type Answer =
  | { readonly ok: true; readonly ack: AckFrame | null }
  | { readonly ok: false; readonly refused: Refused };

interface Waiting {
  readonly frame: Command;
  readonly settle: (answer: Answer) => void;
  cancel: () => void;
}

const RESEND = 2_500;
const LATER = 1_000;

/** When a refused command may be sent again; a code of a later server: never. */
export function retryOf(code: string): "never" | "after_sync" | "later" {
  return (CODES as Readonly<Record<string, "never" | "after_sync" | "later">>)[code] ?? "never";
}

export class Outbox {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly env: Env,
    private readonly send: (frame: Command) => boolean,
  ) {}

  /** Sends now, or as soon as there is a connection. */
  submit(frame: Command): Promise<Answer> {
    return new Promise((settle) => {
      this.waiting.set(frame.id, { frame, settle, cancel: () => {} });
      this.sendAgain(frame.id);
    });
  }

  /** A new connection: everything unanswered goes out at once, in its order. */
  resendAll(): void {
    for (const id of this.waiting.keys()) this.sendAgain(id);
  }

  /** Takes whatever frame may answer a command. */
  receive(frame: ServerFrame): void {
    const id = "re" in frame ? frame.re : undefined;
    const entry = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || entry === undefined) return;
    if (frame.t === "nack" && retryOf(frame.d.code) === "later") {
      this.arm(id, LATER * (1 + this.env.random()));
      return;
    }
    entry.cancel();
    this.waiting.delete(id);
    entry.settle(
      frame.t === "nack"
        ? { ok: false, refused: frame.d }
        : { ok: true, ack: frame.t === "ack" ? frame : null },
    );
  }

  private sendAgain(id: string): void {
    const entry = this.waiting.get(id);
    if (entry === undefined) return;
    this.send(entry.frame);
    this.arm(id, RESEND);
  }

  private arm(id: string, ms: number): void {
    const entry = this.waiting.get(id);
    if (entry === undefined) return;
    entry.cancel();
    entry.cancel = this.env.after(ms, () => this.sendAgain(id));
  }
}
