// The clay table with the chain on it, and the places where a lifted tile may go.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Sun } from "../art/Sun";
import { aim, onScreen, touchable, usable, type Camera, type Size } from "../game/camera";
import { boxAround, gridFor, layOut, placeAt, slotAt, type Placed } from "../game/layout";
import { tileKey } from "../game/tiles";
import { numberName } from "../game/calls";
import { currentLang, t } from "../i18n";
import type { End, Tile } from "../net/protocol.gen";
import { mayMove, settings, type TileSize } from "../state/settings";
import type { FullView } from "../state/table";
import { memo } from "./memo";
import { tileName } from "./words";
import { TileFace } from "./TileFace";

export interface Ghost {
  readonly end: End | undefined;
  /** The number that is open there. */
  readonly open: number;
  readonly tile: Tile;
}

interface Props {
  readonly view: FullView;
  readonly pendingAt: number | null;
  readonly ghosts: readonly Ghost[];
  onGhost(ghost: Ghost): void;
  onCancel(): void;
}

/** How much larger than usual the person wants the tiles. */
const TIMES: Readonly<Record<TileSize, number>> = { small: 0.8, normal: 1, large: 1.25 };
const LANDING = { duration: 180, easing: "cubic-bezier(.2,.8,.3,1)" };

/** The size of an element, for as long as it is shown. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}

export function Board(props: Props) {
  const [ref, size] = useSize();
  const label = t("boardLabel", { n: props.view.chain.length });
  return (
    <div ref={ref} class="board" data-testid="board" role="group" aria-label={label}>
      {size !== null && size.width > 0 && <Surface {...props} size={size} />}
    </div>
  );
}

function Surface({ view, pendingAt, ghosts, onGhost, onCancel, size }: Props & { size: Size }) {
  const grid = useMemo(() => {
    const area = usable(size);
    return gridFor(area.width, area.height);
  }, [size]);
  const layout = layOut(grid, view.chain, view.opened);
  const places = ghosts.map((ghost) => ({ ghost, at: placeOf(ghost) }));
  const camera = useSteadyCamera(size, `${view.match}.${view.hand}`, [
    ...layout.tiles,
    ...(view.chain.length > 0 ? [slotAt(grid, layout, "left"), slotAt(grid, layout, "right")] : []),
    ...places.map(({ at }) => at),
  ]);

  function placeOf({ end, tile, open }: Ghost): Placed {
    if (end === undefined || view.ends === undefined) {
      const lying = (tile[0] === tile[1]) === grid.vertical;
      return { x: 0, y: 0, lying, a: tile[0], b: tile[1] };
    }
    return placeAt(grid, layout, end, tile, open);
  }

  const newest = pendingAt ?? newestOf(view);
  return (
    <>
      <svg class="cloth" width={size.width} height={size.height} aria-hidden="true" onClick={onCancel}>
        <Clay {...size} />
        <g class="camera" style={cameraStyle(camera)}>
          {layout.tiles.map((tile, i) => (
            <Laid
              key={tileKey([tile.a, tile.b])}
              {...tile}
              newest={i === newest}
              pending={i === pendingAt}
            />
          ))}
        </g>
      </svg>
      {places.map(({ ghost, at }) => (
        <GhostButton
          key={ghost.end ?? "middle"}
          ghost={ghost}
          at={at}
          camera={camera}
          onChoose={() => onGhost(ghost)}
        />
      ))}
    </>
  );
}

function newestOf(view: FullView): number | null {
  if (view.chain.length === 0) return null;
  return view.last_end === "left" ? 0 : view.chain.length - 1;
}

function cameraStyle({ x, y, scale }: Camera) {
  return { transform: `translate(${x}px,${y}px) scale(${scale})` };
}

/** Within a hand the view only ever widens: what has been small never jumps back. */
function useSteadyCamera(size: Size, hand: string, tiles: readonly Placed[]): Camera {
  const held = useRef({ key: "", scale: Number.POSITIVE_INFINITY });
  const times = TIMES[settings.value.tiles];
  const key = `${hand} ${size.width}x${size.height} ${times}`;
  if (held.current.key !== key) held.current = { key, scale: Number.POSITIVE_INFINITY };
  const camera = aim(size, boxAround(tiles), { largest: held.current.scale, times });
  held.current.scale = camera.scale;
  return camera;
}

interface LaidProps extends Placed {
  readonly newest: boolean;
  readonly pending: boolean;
}

const Laid = memo(({ x, y, lying, a, b, newest, pending }: LaidProps) => {
  const ref = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    if (!newest || !mayMove()) return;
    const from = { transform: "scale(1.6)", opacity: 0.4 };
    // With the frame: an animation begun here and now would have all styles found out twice.
    requestAnimationFrame(() => ref.current?.animate([from, { transform: "scale(1)", opacity: 1 }], LANDING));
  }, []);
  const classes = ["tile", newest ? "newest" : "", pending ? "pending" : ""].join(" ");
  return (
    <g transform={`translate(${x} ${y})`}>
      <g ref={ref}>
        <g class={classes} transform={lying ? "rotate(-90)" : ""}>
          <TileFace a={a} b={b} lying={lying} />
        </g>
      </g>
    </g>
  );
});

interface GhostProps {
  readonly ghost: Ghost;
  readonly at: Placed;
  readonly camera: Camera;
  onChoose(): void;
}

function GhostButton({ ghost, at, camera, onChoose }: GhostProps) {
  const rect = onScreen(camera, at);
  const target = touchable(rect);
  const name = tileName(ghost.tile);
  const end = numberName(currentLang(), ghost.open);
  const label =
    ghost.end === undefined
      ? t("ghostOnly", { tile: name })
      : t(ghost.end === "left" ? "ghostLeft" : "ghostRight", { tile: name, end });
  const box = { left: `${target.x}px`, top: `${target.y}px`, width: `${target.width}px`, height: `${target.height}px` };
  const shape = { width: `${rect.width}px`, height: `${rect.height}px` };
  return (
    <button
      type="button"
      class="ghost"
      data-testid={`ghost-${ghost.end ?? "middle"}`}
      data-end={ghost.end}
      aria-label={label}
      style={box}
      onClick={onChoose}
    >
      <span class="outline" style={shape}>
        <svg viewBox={at.lying ? "-1 -0.500 2 1" : "-0.500 -1 1 2"} aria-hidden="true">
          <g class="tile" transform={at.lying ? "rotate(-90)" : ""}>
            <TileFace a={at.a} b={at.b} lying={at.lying} />
          </g>
        </svg>
      </span>
    </button>
  );
}

/** The table itself: clay, a border of teeth over a hatched edge, the sun in the middle. */
const Clay = memo(({ width, height }: Size) => {
  const sun = Math.min(width, height) / 250;
  const [right, bottom] = [width - 7, height - 7];
  return (
    <g class="clay">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0h2v5h-2z" />
        </pattern>
        <pattern id="teeth" width="14" height="7" patternUnits="userSpaceOnUse">
          <path d="M0 0h14L7 7z" />
        </pattern>
      </defs>
      <g transform={`translate(${width / 2} ${height / 2}) scale(${sun})`}>
        <Sun />
      </g>
      <path class="hatched" fill-rule="evenodd" d={`M0 0H${width}V${height}H0zM7 7V${bottom}H${right}V7z`} />
      <Teeth length={width - 14} at="translate(7 7)" />
      <Teeth length={width - 14} at={`translate(${right} ${bottom}) rotate(180)`} />
      <Teeth length={height - 14} at={`translate(${right} 7) rotate(90)`} />
      <Teeth length={height - 14} at={`translate(7 ${bottom}) rotate(-90)`} />
    </g>
  );
});

/** One side of the zigzag, whole teeth only, in the middle of its length. */
function Teeth({ length, at }: { readonly length: number; readonly at: string }) {
  const whole = Math.floor(length / 14) * 14;
  return (
    <g transform={at}>
      <path class="frame" d={`M0 0H${length}`} />
      <g transform={`translate(${(length - whole) / 2} 0)`}>
        <rect class="teeth" width={Math.max(0, whole)} height="7" />
      </g>
    </g>
  );
}
