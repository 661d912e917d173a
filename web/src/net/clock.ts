// The server's time, as well as it can be known from its frames.

/**
 * A frame's `now` is late by its time on the way, so the largest difference seen between the
 * server's clock and ours comes closest.
 */
export class ServerClock {
  private offset: number | null = null;

  /** A frame written at `now` (server) came at `at` (this clock). */
  learn(now: number, at: number): void {
    const offset = now - at;
    if (this.offset === null || offset > this.offset) this.offset = offset;
  }

  /** A new connection, perhaps to another server. */
  forget(): void {
    this.offset = null;
  }

  /** Milliseconds from `at` (this clock) to a moment in the server's time; null if unknown. */
  until(moment: number, at: number): number | null {
    return this.offset === null ? null : moment - (at + this.offset);
  }
}
