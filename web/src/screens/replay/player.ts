// Where in the match one is, and how it goes on by itself.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { handAt, leapt, momentIn, searchFor, stepped, within, type Moment } from "../../game/replay";
import type { Replay } from "../../net/protocol.gen";
import { clack, knock } from "../../sound/noises";
import { useKeydown } from "../../ui/keys";

/** Times as fast as usual. */
export const SPEEDS = [0.5, 1, 2, 4] as const;

const PER_MOVE = 1300;
/** The end of a hand is looked at for longer. */
const AT_END = 3200;
/** So long after the last step the address tells where one is: browsers allow no more often. */
const AT_REST = 350;

export interface Player {
  readonly moment: Moment;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** There is nothing after this moment. */
  readonly isAtEnd: boolean;
  go(moment: Moment): void;
  step(by: 1 | -1): void;
  leap(by: 1 | -1): void;
  /** To another hand, at its beginning. */
  turn(by: 1 | -1): void;
  toggle(): void;
  setSpeed(speed: number): void;
}

/** What is pressed goes on from where one is by then, not from what was drawn last. */
export function usePlayer(replay: Replay): Player {
  const moment = useSignal(within(replay, momentIn(location.search)));
  const isPlaying = useSignal(false);
  const speed = useSignal(1);
  const next = () => stepped(replay, moment.value, 1);
  const isLast = () => isSame(next(), moment.value);

  useEffect(() => {
    if (!isPlaying.value) return undefined;
    if (isLast()) {
      isPlaying.value = false;
      return undefined;
    }
    const isOver = next().hand !== moment.value.hand;
    const timer = setTimeout(onward, (isOver ? AT_END : PER_MOVE) / speed.value);
    return () => clearTimeout(timer);
  }, [isPlaying.value, moment.value, speed.value]);
  useEffect(() => {
    const here = searchFor(moment.value);
    const timer = setTimeout(() => history.replaceState(history.state, "", here), AT_REST);
    return () => clearTimeout(timer);
  }, [moment.value]);

  function onward() {
    const to = next();
    moment.value = to;
    const move = handAt(replay, to.hand)?.moves[to.move - 1];
    if (move !== undefined) (move.tile === undefined ? knock : clack)();
  }

  function byHand(to: Moment) {
    isPlaying.value = false;
    moment.value = to;
  }

  return {
    moment: moment.value,
    isPlaying: isPlaying.value,
    speed: speed.value,
    isAtEnd: isLast(),
    setSpeed: (wanted) => (speed.value = wanted),
    go: (to) => byHand(within(replay, to)),
    step(by) {
      if (by < 0) return byHand(stepped(replay, moment.value, by));
      isPlaying.value = false;
      onward();
    },
    leap: (by) => byHand(leapt(replay, moment.value, by)),
    turn: (by) => byHand(within(replay, { hand: moment.value.hand + by, move: 0 })),
    toggle() {
      if (isLast()) moment.value = within(replay, { hand: 1, move: 0 });
      isPlaying.value = !isPlaying.value;
    },
  };
}

const isSame = (one: Moment, other: Moment) => one.hand === other.hand && one.move === other.move;

type Act = (player: Player) => void;

const KEYS: Readonly<Record<string, Act>> = {
  ArrowLeft: (player) => player.step(-1),
  ArrowRight: (player) => player.step(1),
  Home: (player) => player.leap(-1),
  End: (player) => player.leap(1),
  PageUp: (player) => player.turn(-1),
  PageDown: (player) => player.turn(1),
  " ": (player) => player.toggle(),
};

/** Keys that mean something of their own where the focus is are left alone. */
function isBusy(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || at.matches("input, select, textarea")) return true;
  return document.querySelector("dialog[open]") !== null || (event.key === " " && at.matches("button, a"));
}

export function useKeys(player: Player): void {
  useKeydown((event) => {
    const act = KEYS[event.key];
    if (act === undefined || isBusy(event)) return;
    event.preventDefault();
    act(player);
  });
}
