// Made by `python -m laelo_common.wire.typescript`. Do not edit.
// A field with `?` is left out when it has its default value, which its comment names.

/** Version of the protocol that this server speaks best. */
export const PROTO = 1;

/** Oldest version that it still speaks. */
export const MIN_PROTO = 1;

/** Largest frame that a client may send, in bytes. */
export const MAX_FRAME = 4096;

/** WebSocket close codes and what they mean. */
export const CLOSE_CODES = {
  1001: "the server goes away",
  1009: "a frame of over 64 kB; over 4 kB it is only refused",
  1011: "a fault of ours",
  1012: "the server restarts",
  4001: "sign in",
  4002: "the client's protocol is too old",
  4003: "taken by a newer tab",
  4008: "too fast, or not reading",
} as const;

/**
 * Codes of refusals, and when the same command may be sent again: never, once what
 * was missed has been read (after_sync), or after a pause (later).
 */
export const CODES = {
  MATCH_OVER: "after_sync",
  HAND_OVER: "after_sync",
  OPENER_NOT_CHOSEN: "after_sync",
  NO_OPENER_CHOICE: "after_sync",
  NOT_YOUR_TURN: "after_sync",
  INVALID_OPENER: "never",
  CANNOT_PASS: "never",
  INVALID_TILE: "never",
  INVALID_END: "never",
  TILE_NOT_IN_HAND: "after_sync",
  MUST_OPEN_HIGHEST_DOUBLE: "never",
  TILE_DOES_NOT_FIT: "never",
  END_REQUIRED: "never",
  NOT_A_WHOLE_SET: "never",
  STALE_TURN: "after_sync",
  STALE_FENCE: "after_sync",
  UNKNOWN_TABLE: "never",
  UNKNOWN_MATCH: "never",
  TABLE_EXISTS: "never",
  TABLE_FULL: "never",
  TABLE_CLOSED: "never",
  NOT_SEATED: "after_sync",
  ALREADY_SEATED: "after_sync",
  NOT_YOUR_SEAT: "never",
  SEAT_TAKEN: "after_sync",
  INVALID_SEAT: "never",
  NOT_A_BOT: "after_sync",
  NOT_HOST: "never",
  NOT_STARTED: "after_sync",
  ALREADY_STARTED: "after_sync",
  BAD_OPTIONS: "never",
  BAD_REQUEST: "never",
  BAD_FRAME: "never",
  UNKNOWN_FRAME: "never",
  FRAME_TOO_LARGE: "never",
  HELLO_FIRST: "never",
  BAD_NICKNAME: "never",
  SIGN_IN: "never",
  PROTO_TOO_OLD: "never",
  TOO_FAST: "later",
  TRY_LATER: "later",
  OVERLOADED: "later",
  INTERNAL: "never",
} as const;

export type Code = keyof typeof CODES;

/** Two numbers 0-6, the lower first. */
export type Tile = readonly [number, number];

export type End = "left" | "right";

export type Level = "random" | "simple";

export type Opening = "first" | "tie" | "won";

export type Reason = "domino_simple" | "domino_double" | "la_e_lo" | "cruzada" | "count" | "tie";

export type Phase = "lobby" | "choose" | "play" | "pause" | "match_over";

export type Closing = "host" | "empty" | "old";

/** What can be said at a table: nothing else, so that there is nothing to moderate. */
export type Phrase = 
  | "hello"
  | "good_luck"
  | "well_played"
  | "thanks"
  | "sorry"
  | "thinking"
  | "again"
  | "bye";

export type CallKind = 
  | "end"
  | "all"
  | "double"
  | "opening"
  | "pass"
  | "domino_simple"
  | "domino_double"
  | "la_e_lo"
  | "cruzada"
  | "blocked"
  | "count"
  | "tie";

/**
 * Something called at the table (R30).
 *
 * `number` goes with end, all, double and opening (the higher one), `low` with opening;
 * for a tie `number` is what the next hand counts.
 */
export interface Call {
  readonly kind: CallKind;
  readonly number?: number;
  readonly low?: number;
}

/** A tile that may be laid, and at which ends; no ends = the table is empty. */
export interface Play {
  readonly tile: Tile;
  /** [] */
  readonly ends?: readonly End[];
}

/**
 * How a table is set up, shown before anybody joins.
 *
 * `move_seconds` 0 = no clock (R25). Strangers may be sent to a `public` one. `level` is
 * that of bots that nobody has chosen. `start_seconds`: the first match starts by itself
 * after so long, with bots in the empty seats; 0 = when the host says so.
 */
export interface Options {
  /** 0 */
  readonly move_seconds?: number;
  /** true */
  readonly spectators?: boolean;
  /** false */
  readonly public?: boolean;
  /** "simple" */
  readonly level?: Level;
  /** 0 */
  readonly start_seconds?: number;
}

/**
 * Who sits in a seat. A bot has a level and no name of its own.
 *
 * A person may be `gone` (R32); then `stand_in` is the level of the bot that plays for them.
 */
export interface Seat {
  readonly kind: "empty" | "person" | "bot";
  /** "" */
  readonly name?: string;
  /** false */
  readonly guest?: boolean;
  readonly level?: Level;
  /** false */
  readonly gone?: boolean;
  readonly stand_in?: Level;
}

/** What a person's client has added to a deal: 16 bytes, in hex. */
export interface Added {
  readonly seat: number;
  readonly bytes: string;
}

/**
 * How a hand ended (R14-R19): all four hands open, the sleeping tiles not (R2).
 *
 * `seed` is the deal's seed in hex, to be checked against its commitment, and `added` what
 * the clients added to it, by seat; `counts` is what each hand holds. Seat and team are
 * left out after a tie.
 */
export interface HandEnd {
  readonly reason: Reason;
  readonly points: number;
  readonly multiplier: number;
  readonly counts: readonly [number, number, number, number];
  readonly hands: readonly (readonly Tile[])[];
  readonly scores: readonly [number, number];
  readonly seed: string;
  readonly winner?: number;
  readonly team?: number;
  /** [] */
  readonly added?: readonly Added[];
}

/** A line of the score sheet. */
export interface HandScore {
  readonly reason: Reason;
  readonly points: number;
  readonly scores: readonly [number, number];
  readonly winner?: number;
}

/** How a match ended (R26-R28). */
export interface MatchEnd {
  readonly team: number;
  readonly scores: readonly [number, number];
  /** false */
  readonly buchuda?: boolean;
  /** false */
  readonly buchuda_de_re?: boolean;
}

/**
 * Who sits there now, and how: somebody sits down, gets up, is gone or back, a bot
 * stands in. `fence` is the seat's fencing number now, `host` the seat of who may start.
 */
export interface SeatChanged {
  readonly k: "seat";
  readonly seat: number;
  readonly who: Seat;
  /** 0 */
  readonly fence?: number;
  readonly host?: number;
}

/** Another window of the same person holds the seat now; `fence` is its number now. */
export interface SeatHeld {
  readonly k: "held";
  readonly seat: number;
  readonly fence: number;
}

/**
 * Two seats have changed places, with whoever sits in them; `fences` are theirs now, and
 * `host` is the seat of who may start.
 */
export interface SeatsSwapped {
  readonly k: "swapped";
  readonly seats: readonly [number, number];
  readonly fences: readonly [number, number];
  readonly host?: number;
}

/** A person's client has added to the deal of a hand. */
export interface BytesAdded {
  readonly k: "bytes_added";
  readonly hand: number;
  readonly added: Added;
}

/** Time was given back after an outage; `ms` is left of the clock now (R24). */
export interface DeadlineMoved {
  readonly k: "deadline_moved";
  readonly seat: number;
  readonly ms: number;
}

/** The table is no more. */
export interface TableClosed {
  readonly k: "closed";
  readonly closing: Closing;
}

/**
 * A match begins at 0-0; `match` counts from 1 at this table. Its first hand is dealt in
 * `next_ms`.
 */
export interface MatchStarted {
  readonly k: "match_started";
  readonly match: number;
  readonly next_ms?: number;
}

/** The server has bound itself to the next deal: SHA-256 of its seed, in hex. */
export interface Committed {
  readonly k: "committed";
  readonly hand: number;
  readonly commitment: string;
}

/** A new hand. `tiles` are the viewer's own, none without a seat. */
export interface Dealt {
  readonly k: "dealt";
  readonly hand: number;
  readonly opening: Opening;
  readonly multiplier: number;
  readonly scores: readonly [number, number];
  /** [] */
  readonly tiles?: readonly Tile[];
}

/** The winner of the hand before said who opens (R5). */
export interface OpenerChosen {
  readonly k: "opener_chosen";
  readonly seat: number;
  readonly opener: number;
  /** false */
  readonly by_clock?: boolean;
}

/** A tile was laid; `end` is left out on the empty table. `ends` are those after it. */
export interface Played {
  readonly k: "played";
  readonly seat: number;
  readonly tile: Tile;
  readonly ends: readonly [number, number];
  readonly calls: readonly Call[];
  readonly end?: End;
  /** false */
  readonly by_clock?: boolean;
}

/** Somebody had nothing to lay. */
export interface Passed {
  readonly k: "passed";
  readonly seat: number;
  /** false */
  readonly by_clock?: boolean;
}

/** A hand is over; the next is dealt in `next_ms`, unless the match is over too. */
export interface HandEnded {
  readonly k: "hand_ended";
  readonly end: HandEnd;
  readonly next_ms?: number;
}

/** A match is over. */
export interface MatchEnded {
  readonly k: "match_ended";
  readonly end: MatchEnd;
}

/**
 * It is a seat's turn; `turn` names it in commands.
 *
 * `ms` is what is left of the clock, left out without one; all but the seat on turn are
 * told the long clock's (R24). `plays` and `must_pass` are told to the seat on turn only.
 */
export interface Turn {
  readonly k: "turn";
  readonly seat: number;
  readonly turn: number;
  /** false */
  readonly choosing?: boolean;
  readonly ms?: number;
  /** [] */
  readonly plays?: readonly Play[];
  /** false */
  readonly must_pass?: boolean;
}

export type TableEvent = 
  | SeatChanged
  | SeatHeld
  | SeatsSwapped
  | BytesAdded
  | DeadlineMoved
  | TableClosed
  | MatchStarted
  | Committed
  | Dealt
  | OpenerChosen
  | Played
  | Passed
  | HandEnded
  | MatchEnded
  | Turn;

/**
 * All that a viewer sees of a table: enough to draw it without any history.
 *
 * `me` is the viewer's seat and `fence` its fencing number, left out without a seat.
 * `host` is the seat of who may start. `chain` lies left to right and `opened` is the
 * index of its opening tile; `last_seat` laid the newest tile, `last_end` says where.
 * `tiles` are the viewer's own and `counts` how many each seat holds. `turn` is the open
 * turn, `next_ms` the time until the next deal or, in the lobby, until the match starts by
 * itself. `added` is what was added to the current deal and `next_added` what was added to
 * the next one. `hand_end` is the newest hand's end while
 * no new one is dealt, `sheet` the hands of this match so far.
 */
export interface TableView {
  readonly phase: Phase;
  readonly options: Options;
  readonly seats: readonly [Seat, Seat, Seat, Seat];
  readonly scores: readonly [number, number];
  readonly match: number;
  readonly hand: number;
  readonly multiplier: number;
  readonly me?: number;
  readonly fence?: number;
  readonly host?: number;
  /** "" */
  readonly code?: string;
  /** [] */
  readonly tiles?: readonly Tile[];
  /** [0,0,0,0] */
  readonly counts?: readonly [number, number, number, number];
  /** [] */
  readonly chain?: readonly Tile[];
  /** 0 */
  readonly opened?: number;
  readonly ends?: readonly [number, number];
  readonly last_seat?: number;
  readonly last_end?: End;
  readonly turn?: Turn;
  readonly next_ms?: number;
  readonly commitment?: string;
  readonly next_commitment?: string;
  /** [] */
  readonly added?: readonly Added[];
  /** [] */
  readonly next_added?: readonly Added[];
  readonly closed?: Closing;
  readonly hand_end?: HandEnd;
  readonly match_end?: MatchEnd;
  /** [] */
  readonly sheet?: readonly HandScore[];
}

export type Id = string;

export type TableId = string;

export type SeatNumber = number;

export type Version = number;

export type Fence = number;

/** A table that the client shows, and the newest frame that it has of it. */
export interface Held {
  readonly table: TableId;
  readonly seq: Version;
}

/**
 * Who comes. `token` is that of an earlier welcome; without one a guest is made.
 *
 * `window` names the tab or app that comes, the same as long as it lives: of two windows
 * of a person the newer one holds the seat.
 */
export interface Hello {
  readonly proto: number;
  /** "" */
  readonly build?: string;
  /** "pt" */
  readonly lang?: string;
  /** "" */
  readonly name?: string;
  readonly token?: string;
  /** "" */
  readonly window?: string;
  /** [] */
  readonly resume?: readonly Held[];
}

/** The first frame of a connection. */
export interface HelloFrame {
  readonly t: "hello";
  readonly id: Id;
  readonly d: Hello;
}

/** The client's time, in milliseconds, and the newest frames that it has. */
export interface PingPart {
  readonly client: number;
  /** [] */
  readonly have?: readonly Held[];
}

/** Still there. */
export interface PingFrame {
  readonly t: "ping";
  readonly d: PingPart;
}

/** How the table shall be set up. */
export interface CreatePart {
  /** {} */
  readonly options?: Options;
}

/** Open a table under an id made by the client (a ULID) and sit down in seat 0. */
export interface CreateFrame {
  readonly t: "table.create";
  readonly id: Id;
  readonly table: TableId;
  /** {} */
  readonly d?: CreatePart;
}

/** Look at a table: answered with a snapshot, later frames follow. */
export interface WatchFrame {
  readonly t: "watch";
  readonly id: Id;
  readonly table: TableId;
}

/** Look away. */
export interface UnwatchFrame {
  readonly t: "unwatch";
  readonly id: Id;
  readonly table: TableId;
}

/** Ask for what came after `seq`: the missed events or a snapshot. */
export interface SyncFrame {
  readonly t: "sync";
  readonly id: Id;
  readonly table: TableId;
  readonly seq: Version;
}

/** The wanted seat; none = any free one. */
export interface SitPart {
  readonly seat?: SeatNumber;
}

/** Take a seat. */
export interface SitFrame {
  readonly t: "table.sit";
  readonly id: Id;
  readonly table: TableId;
  /** {} */
  readonly d?: SitPart;
}

/** Give one's seat up. */
export interface LeaveFrame {
  readonly t: "table.leave";
  readonly id: Id;
  readonly table: TableId;
}

/** How well the bots in the empty seats play; none = as the table's options say. */
export interface StartPart {
  readonly level?: Level;
}

/** Begin the first or the next match; bots fill the empty seats. */
export interface StartFrame {
  readonly t: "table.start";
  readonly id: Id;
  readonly table: TableId;
  /** {} */
  readonly d?: StartPart;
}

/** Which seat. */
export interface KickPart {
  readonly seat: SeatNumber;
}

/** The host takes a person out of a seat, while no match is played. */
export interface KickFrame {
  readonly t: "table.kick";
  readonly id: Id;
  readonly table: TableId;
  readonly d: KickPart;
}

/** Which two seats. */
export interface SwapPart {
  readonly seats: readonly [SeatNumber, SeatNumber];
}

/** The host swaps two seats, while no match is played. */
export interface SwapFrame {
  readonly t: "table.swap";
  readonly id: Id;
  readonly table: TableId;
  readonly d: SwapPart;
}

/** The host closes the table. */
export interface CloseFrame {
  readonly t: "table.close";
  readonly id: Id;
  readonly table: TableId;
}

/** A code as people write it: spaces, dashes and small letters are forgiven. */
export interface FindPart {
  readonly code: string;
}

/** Which table has this code: answered by an ack with `found`. */
export interface FindFrame {
  readonly t: "table.find";
  readonly id: Id;
  readonly d: FindPart;
}

/**
 * Take me to a public table with people if one waits, else open one under this id that
 * starts by itself within 10 s, with bots: answered by an ack with `found`, and a seat taken.
 */
export interface QuickFrame {
  readonly t: "table.quick";
  readonly id: Id;
  readonly table: TableId;
}

/** Which hand, and 16 bytes in hex. */
export interface AddBytesPart {
  readonly hand: number;
  readonly bytes: string;
}

/** Add to a deal that is not dealt yet, so that nobody alone makes it. */
export interface AddBytesFrame {
  readonly t: "deal.bytes";
  readonly id: Id;
  readonly table: TableId;
  readonly d: AddBytesPart;
}

/** What. */
export interface SayPart {
  readonly phrase: Phrase;
}

/** Say something to the table. */
export interface SayFrame {
  readonly t: "say";
  readonly id: Id;
  readonly table: TableId;
  readonly d: SayPart;
}

/** Which seat, and how well the bot plays; none = as the table's options say. */
export interface SeatBotPart {
  readonly seat: SeatNumber;
  readonly level?: Level;
}

/** Put a bot into an empty seat, or for the time being into that of who is gone (R32). */
export interface SeatBotFrame {
  readonly t: "seat.bot";
  readonly id: Id;
  readonly table: TableId;
  readonly d: SeatBotPart;
}

/** Which seat. */
export interface UnseatBotPart {
  readonly seat: SeatNumber;
}

/** Take a bot out of its seat. */
export interface UnseatBotFrame {
  readonly t: "seat.unbot";
  readonly id: Id;
  readonly table: TableId;
  readonly d: UnseatBotPart;
}

/**
 * A tile as two numbers in any order, the named end, and which turn is answered.
 *
 * Numbers and end are judged by the rules, not here: R13 orders the errors.
 */
export interface PlayPart {
  readonly tile: readonly [number, number];
  readonly turn: Version;
  readonly fence: Fence;
  readonly end?: string;
}

/** Lay a tile. */
export interface PlayFrame {
  readonly t: "play";
  readonly id: Id;
  readonly table: TableId;
  readonly d: PlayPart;
}

/** Which turn is answered. */
export interface PassPart {
  readonly turn: Version;
  readonly fence: Fence;
}

/** Pass. */
export interface PassFrame {
  readonly t: "pass";
  readonly id: Id;
  readonly table: TableId;
  readonly d: PassPart;
}

/** The seat that shall open, and which turn is answered. */
export interface ChoosePart {
  readonly opener: number;
  readonly turn: Version;
  readonly fence: Fence;
}

/** Say who opens (R5). */
export interface ChooseFrame {
  readonly t: "choose_opener";
  readonly id: Id;
  readonly table: TableId;
  readonly d: ChoosePart;
}

export type ClientFrame = 
  | HelloFrame
  | PingFrame
  | CreateFrame
  | WatchFrame
  | UnwatchFrame
  | SyncFrame
  | SitFrame
  | LeaveFrame
  | StartFrame
  | KickFrame
  | SwapFrame
  | CloseFrame
  | FindFrame
  | QuickFrame
  | AddBytesFrame
  | SayFrame
  | SeatBotFrame
  | UnseatBotFrame
  | PlayFrame
  | PassFrame
  | ChooseFrame;

/** Who the client is. `token` lets a guest come back; it is a secret of this client. */
export interface Me {
  readonly id: string;
  readonly name: string;
  /** true */
  readonly guest?: boolean;
  readonly token?: string;
}

/** The answer to hello. `build` names the web client that this server serves. */
export interface Welcome {
  readonly proto: number;
  readonly min_proto: number;
  readonly build: string;
  readonly me: Me;
}

/** The connection is open. */
export interface WelcomeFrame {
  readonly t: "welcome";
  readonly re: string;
  readonly now: number;
  readonly d: Welcome;
}

/** The whole table as the viewer sees it after version `seq`; at most 4 kB. */
export interface SnapshotFrame {
  readonly t: "snapshot";
  readonly table: string;
  readonly seq: number;
  readonly now: number;
  readonly d: TableView;
  readonly re?: string;
}

/** The events of one commit, in order. */
export interface Events {
  readonly events: readonly TableEvent[];
}

/** One commit. `seq` is dense for every viewer; `re` answers the command that made it. */
export interface EventFrame {
  readonly t: "event";
  readonly table: string;
  readonly seq: number;
  readonly now: number;
  readonly d: Events;
  readonly re?: string;
}

/** A table behind a code, as somebody sees it who may still decide to join. */
export interface Found {
  readonly table: string;
  readonly options: Options;
  readonly free: number;
  /** false */
  readonly playing?: boolean;
}

/** What a command that was done has to tell. */
export interface Done {
  readonly seat?: number;
  readonly fence?: number;
  readonly found?: Found;
}

/** The command `re` was done, now or when it was sent before. */
export interface AckFrame {
  readonly t: "ack";
  readonly re: string;
  readonly table?: string;
  readonly seq?: number;
  /** {} */
  readonly d?: Done;
}

/** Why a command was not done: a documented code, and the same in words. */
export interface Refused {
  readonly code: string;
  readonly reason: string;
}

/** The command `re` was refused and changed nothing; `re` is missing if it had no id. */
export interface NackFrame {
  readonly t: "nack";
  readonly d: Refused;
  readonly re?: string;
  readonly table?: string;
  readonly seq?: number;
}

/** Somebody in a seat says something. */
export interface Said {
  readonly seat: number;
  readonly phrase: Phrase;
}

/** Said at a table; not kept, and without a number. */
export interface SaidFrame {
  readonly t: "said";
  readonly table: string;
  readonly d: Said;
}

/** How many people without a seat watch. */
export interface Watching {
  readonly count: number;
}

/** The number of spectators of a table has changed; without a number of its own. */
export interface WatchingFrame {
  readonly t: "watching";
  readonly table: string;
  readonly d: Watching;
}

/** The client's time, sent back. */
export interface Pong {
  readonly client: number;
}

/** The answer to ping. */
export interface PongFrame {
  readonly t: "pong";
  readonly now: number;
  readonly d: Pong;
}

/**
 * Something the person should know. `taken`: a newer window holds the seat, and this
 * connection will be closed with 4003.
 */
export interface Notice {
  readonly kind: "restarting" | "new_build" | "table_unreachable" | "table_back" | "taken";
}

/** A notice, about `table` if named. */
export interface NoticeFrame {
  readonly t: "notice";
  readonly d: Notice;
  readonly table?: string;
}

export type ServerFrame = 
  | WelcomeFrame
  | SnapshotFrame
  | EventFrame
  | AckFrame
  | NackFrame
  | SaidFrame
  | WatchingFrame
  | PongFrame
  | NoticeFrame;
