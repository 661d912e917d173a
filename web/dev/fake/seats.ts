// Who sits at the pretended table, how it numbers what it tells, and what clients add to deals.

import type {
  Added,
  EventFrame,
  Seat,
  TableEvent,
  TableView,
} from "../../src/net/protocol.gen";

const EMPTY: Seat = { kind: "empty" };

/** Something that happened, and what only one seat is told of it. */
export type Told = (viewer: number | null) => TableEvent;

const toAll =
  (event: TableEvent): Told =>
  () =>
    event;

export class FakeSeats {
  seq = 0;
  seats: Seat[] = [EMPTY, EMPTY, EMPTY, EMPTY];
  fences = [0, 0, 0, 0];
  host: number | undefined;
  closed: TableView["closed"];
  protected added: Added[] = [];
  protected nextAdded: Added[] = [];
  protected told: Told[] = [];
  private readonly log: Told[][] = [];

  constructor(
    readonly id: string,
    readonly now: () => number,
  ) {}

  /** Somebody sits down, gets up, is gone, or comes back: whatever `who` says. */
  sit(seat: number, who: Seat): void {
    this.seatChanged(seat, who);
    this.commit();
  }

  gone(seat: number): void {
    const who = this.seats[seat];
    if (who?.kind === "person" && !who.gone) this.sit(seat, { ...who, gone: true });
  }

  standIn(seat: number): void {
    const who = this.seats[seat];
    if (who?.gone && who.stand_in === undefined) this.sit(seat, { ...who, stand_in: "simple" });
  }

  back(seat: number): void {
    const { gone, stand_in: _, ...who } = this.seats[seat] ?? EMPTY;
    if (gone) this.sit(seat, who);
  }

  /** Another window of the same person takes the seat. */
  hold(seat: number): void {
    this.tell({ k: "held", seat, fence: this.raised(seat) });
    this.commit();
  }

  swap(one: number, other: number): void {
    [this.seats[one], this.seats[other]] = [this.seats[other] ?? EMPTY, this.seats[one] ?? EMPTY];
    const fences = [this.raised(one), this.raised(other)] as const;
    if (this.host === one) this.host = other;
    else if (this.host === other) this.host = one;
    this.tell({ k: "swapped", seats: [one, other], fences, ...this.hostPart() });
    this.commit();
  }

  add(seat: number, hand: number, bytes: string): void {
    if (this.nextAdded.some((added) => added.seat === seat)) return;
    this.nextAdded = [...this.nextAdded, { seat, bytes }];
    this.tell({ k: "bytes_added", hand, added: { seat, bytes } });
    this.commit();
  }

  close(closing: NonNullable<TableView["closed"]>): void {
    this.closed = closing;
    this.tell({ k: "closed", closing });
    this.commit();
  }

  frame(seq: number, viewer: number | null): EventFrame {
    const events = (this.log[seq - 1] ?? []).map((tell) => tell(viewer));
    return { t: "event", table: this.id, seq, now: this.now(), d: { events } };
  }

  protected seatChanged(seat: number, who: Seat): void {
    this.seats[seat] = who;
    const isHost = this.host !== undefined && this.seats[this.host]?.kind === "person";
    const first = this.seats.findIndex(({ kind }) => kind === "person");
    this.host = isHost ? this.host : first < 0 ? undefined : first;
    this.tell({ k: "seat", seat, who, fence: this.raised(seat), ...this.hostPart() });
  }

  protected tell(event: TableEvent): void {
    this.told.push(toAll(event));
  }

  protected commit(): void {
    this.seq += 1;
    this.log.push(this.told);
    this.told = [];
  }

  private raised(seat: number): number {
    const fence = (this.fences[seat] ?? 0) + 1;
    this.fences[seat] = fence;
    return fence;
  }

  private hostPart(): { host?: number } {
    return this.host === undefined ? {} : { host: this.host };
  }
}
