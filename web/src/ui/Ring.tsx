// The turn's clock: eight cloth gores of the umbrella that are cut away as the time runs. One Web
// Animation for a whole turn, and the digits are written past the components: no state ticks.

import { useEffect, useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { msUntil } from "../state/session";
import { mayMove, settings } from "../state/settings";

const GORES = 8;
const COLOURS = ["red", "yellow", "green", "blue"] as const;
const RADIUS = 29;

/** A point on a circle, so many gores from the top clockwise. */
function at(gores: number, radius: number): string {
  const angle = (gores / GORES) * 2 * Math.PI - Math.PI / 2;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}

/** One of eight equal pieces of the ring. */
function gore(index: number): string {
  const inner = RADIUS - 4;
  const outer = RADIUS + 3;
  return `M${at(index, inner)}L${at(index, outer)}A${outer} ${outer} 0 0 1 ${at(index + 1, outer)}L${at(index + 1, inner)}A${inner} ${inner} 0 0 0 ${at(index, inner)}z`;
}

/** A piece and the one across from it, which is of the same colour. */
const PAIRS = COLOURS.map((colour, i) => [colour, gore(i) + gore(i + GORES / 2)] as const);

interface Props {
  readonly onTurn: boolean;
  /** When the clock runs out, in the server's time; null without a clock. */
  readonly endsAt: number | null;
  /** How long the whole turn is, in milliseconds. */
  readonly whole: number;
  /** The connection is gone, so nobody knows what is left. */
  readonly unknown: boolean;
  readonly team: "us" | "them";
  readonly children: ComponentChildren;
}

export function Ring({ onTurn, endsAt, whole, unknown, team, children }: Props) {
  const mask = useId();
  const wipe = useRef<SVGCircleElement>(null);
  const digits = useRef<HTMLSpanElement>(null);
  const runs = onTurn && endsAt !== null && !unknown;
  const { motion } = settings.value;

  useEffect(() => {
    if (!runs || endsAt === null) return undefined;
    return run(wipe.current, digits.current, endsAt, whole);
  }, [runs, endsAt, whole, motion]);

  return (
    <span class={`ring ${team} ${onTurn ? "on-turn" : ""} ${unknown ? "unknown" : ""}`}>
      <svg viewBox="-34 -34 68 68" aria-hidden="true">
        <circle class="rim" r={RADIUS} />
        {onTurn && (
          <>
            <mask id={mask} maskUnits="userSpaceOnUse" x="-34" y="-34" width="68" height="68">
              <circle ref={wipe} class="wipe" r={RADIUS} pathLength={GORES} transform="rotate(-90)" />
            </mask>
            <g mask={`url(#${mask})`}>
              {PAIRS.map(([colour, d]) => (
                <path key={colour} class={`gore ${colour}`} d={d} />
              ))}
            </g>
          </>
        )}
        <circle class="paper" r={RADIUS - 4} />
      </svg>
      {children}
      {onTurn && endsAt !== null && (
        // What is written past the components stays: another element shows that nobody knows.
        <span key={unknown ? "unknown" : "known"} ref={digits} class="digits" aria-hidden="true">
          {unknown ? "?" : ""}
        </span>
      )}
    </span>
  );
}

const AT_WHOLE = [{ strokeDashoffset: 0 }, { strokeDashoffset: -GORES }];

/** Starts the animation where the clock stands; the answer stops it. */
function run(
  wipe: SVGCircleElement | null,
  digits: HTMLElement | null,
  endsAt: number,
  whole: number,
): () => void {
  const left = () => Math.max(0, msUntil(endsAt) ?? 0);
  const animation = mayMove() ? wipe?.animate(AT_WHOLE, { duration: whole, fill: "both" }) : undefined;
  if (animation) animation.currentTime = Math.max(0, whole - left());
  const write = () => {
    if (digits) digits.textContent = String(Math.ceil(left() / 1000));
    // Where nothing may move, one gore after another is simply gone.
    if (!animation && wipe) wipe.style.strokeDashoffset = String(Math.ceil((left() / whole) * GORES) - GORES);
  };
  write();
  const timer = setInterval(write, 250);
  return () => {
    clearInterval(timer);
    animation?.cancel();
    wipe?.style.removeProperty("stroke-dashoffset");
  };
}
