// What the person is about to do at the table, and what is on its way.

import { batch, computed, signal } from "@preact/signals";
import { isDouble, sameTile } from "../game/tiles";
import type { End, Play, Tile } from "../net/protocol.gen";
import { shownView, type PendingPlay } from "./pending";
import { locked, submit, table } from "./session";
import { settings } from "./settings";

/** The tile that is lifted. */
export const lifted = signal<Tile | null>(null);
const pending = signal<PendingPlay | null>(null);
/** The turn that has been answered with a pass or a choice, not confirmed yet. */
const answeredTurn = signal<number | null>(null);

export const shown = computed(() =>
  table.value === null ? null : shownView(table.value, pending.value),
);

/** The open turn, if it is the person's own and not answered yet. */
export const myTurn = computed(() => {
  const view = table.value?.view;
  const turn = view?.turn;
  if (view?.me === undefined || turn?.seat !== view.me || view.phase === "pause") return null;
  return isAnswered(turn.turn) ? null : turn;
});

/** The person's turn is on its way to the server. */
export const sending = computed(() => {
  const turn = table.value?.view.turn;
  return turn !== undefined && turn.seat === table.value?.view.me && isAnswered(turn.turn);
});

/** What may be laid now. */
export const plays = computed<readonly Play[]>(() => myTurn.value?.plays ?? []);

export const mayPass = computed(() => myTurn.value?.must_pass === true && !locked.value);

function isAnswered(turn: number): boolean {
  return pending.value?.turn === turn || answeredTurn.value === turn;
}

export function playOf(tile: Tile): Play | undefined {
  return plays.value.find((play) => sameTile(play.tile, tile));
}

/** The ends that are worth asking about; none if the tile goes where it goes. */
export function endsToChoose(play: Play): readonly End[] {
  const ends = play.ends ?? [];
  const open = shown.value?.view.ends;
  const mirrored = open !== undefined && open[0] === open[1] && ends.length === 2;
  return mirrored ? [shorterArm()] : ends;
}

/** With equal ends both plays are the same but for the picture: the shorter arm grows. */
function shorterArm(): End {
  const view = shown.value?.view;
  if (view === undefined) return "left";
  return view.opened <= view.chain.length - 1 - view.opened ? "left" : "right";
}

export type Touched = "laid" | "lifted" | "put_back" | "refused";

/** A tile in hand is touched. */
export function touch(tile: Tile): Touched {
  if (lifted.value !== null && sameTile(lifted.value, tile)) {
    lifted.value = null;
    return "put_back";
  }
  const play = playOf(tile);
  if (play === undefined || locked.value) return "refused";
  const ends = endsToChoose(play);
  if (ends.length < 2 && !settings.value.confirm) {
    lay(tile, ends[0]);
    return "laid";
  }
  lifted.value = tile;
  return "lifted";
}

/** Lays a tile: on the page at once, in truth when the server says so. */
export function lay(tile: Tile, end: End | undefined): void {
  const state = table.value;
  const turn = myTurn.value;
  if (state === null || turn === null || locked.value) return;
  const play: PendingPlay = { table: state.id, turn: turn.turn, tile, end };
  batch(() => {
    lifted.value = null;
    pending.value = play;
  });
  const fence = state.view.fence ?? 0;
  const d = { tile, turn: turn.turn, fence, ...(end === undefined ? {} : { end }) };
  void submit({ t: "play", table: state.id, d }).then(({ ok }) => {
    if (!ok && pending.value === play) pending.value = null;
  });
}

export function pass(): void {
  answer((id, turn, fence) => ({ t: "pass", table: id, d: { turn, fence } }));
}

export function choose(opener: number): void {
  answer((id, turn, fence) => ({ t: "choose_opener", table: id, d: { opener, turn, fence } }));
}

function answer(
  wish: (id: string, turn: number, fence: number) => Parameters<typeof submit>[0],
): void {
  const state = table.value;
  const turn = myTurn.value;
  if (state === null || turn === null || locked.value) return;
  answeredTurn.value = turn.turn;
  void submit(wish(state.id, turn.turn, state.view.fence ?? 0)).then(({ ok }) => {
    if (!ok && answeredTurn.value === turn.turn) answeredTurn.value = null;
  });
}

/** The double with which the person has to open, if so. */
export function mustOpenWith(): Tile | null {
  const [only, ...others] = plays.value;
  const empty = shown.value?.view.chain.length === 0;
  return empty && only !== undefined && others.length === 0 && isDouble(only.tile) ? only.tile : null;
}
