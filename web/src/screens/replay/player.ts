// Where in the match one is, and how it goes on by itself.

import { useEffect, useState } from "preact/hooks";
import { handAt, leapt, momentIn, searchFor, stepped, within, type Moment } from "../../game/replay";
import type { Replay } from "../../net/protocol.gen";
import { clack, knock } from "../../sound/noises";

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

export function usePlayer(replay: Replay): Player {
  const [moment, setMoment] = useState(() => within(replay, momentIn(location.search)));
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const after = stepped(replay, moment, 1);
  const isAtEnd = after.hand === moment.hand && after.move === moment.move;
  const isOver = after.hand !== moment.hand;

  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isAtEnd) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onward(after), (isOver ? AT_END : PER_MOVE) / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, moment, speed]);
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(history.state, "", searchFor(moment)), AT_REST);
    return () => clearTimeout(timer);
  }, [moment]);

  function onward(to: Moment) {
    setMoment(to);
    const move = handAt(replay, to.hand)?.moves[to.move - 1];
    if (move !== undefined) (move.tile === undefined ? knock : clack)();
  }

  function byHand(to: Moment) {
    setPlaying(false);
    setMoment(to);
  }

  return {
    moment,
    isPlaying,
    speed,
    isAtEnd,
    setSpeed,
    go: (to) => byHand(within(replay, to)),
    step: (by) => (by > 0 ? (setPlaying(false), onward(after)) : byHand(stepped(replay, moment, by))),
    leap: (by) => byHand(leapt(replay, moment, by)),
    turn: (by) => byHand(within(replay, { hand: moment.hand + by, move: 0 })),
    toggle() {
      if (isAtEnd) setMoment(within(replay, { hand: 1, move: 0 }));
      setPlaying(!isPlaying);
    },
  };
}

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
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = KEYS[event.key];
      if (act === undefined || isBusy(event)) return;
      event.preventDefault();
      act(player);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}
