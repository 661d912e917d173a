// The pictures of the rules: the tiles of the table itself, laid as the table lays them.

import type { ComponentChildren } from "preact";
import { boxAround, layOut, placeAt, type Grid, type Placed } from "../../game/layout";
import { tileKey } from "../../game/tiles";
import type { End, Tile } from "../../net/protocol.gen";
import { Half, TileFace, TilePicture } from "../../ui/TileFace";
import type { Chain } from "./examples";

const STRAIGHT: Grid = { roomy: true, vertical: false, width: 100 };
const MARGIN = 0.24;

interface FigureProps {
  readonly caption?: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** A picture with the sentence that says the same. */
export function Figure({ caption, kind = "", children }: FigureProps) {
  return (
    <figure class={`rule-figure ${kind}`}>
      <div class="clay-strip">{children}</div>
      {caption !== undefined && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

interface LaidProps {
  readonly chain: Chain;
  /** The tile that came last is at the right end. */
  readonly fresh?: boolean;
  /** Places that are offered for a tile. */
  readonly ghosts?: readonly { readonly end: End; readonly tile: Tile }[];
  /** Length of a row, if the chain shall wind. */
  readonly width?: number;
}

/** A chain on the clay. */
export function Laid({ chain, fresh = false, ghosts = [], width }: LaidProps) {
  const grid = width === undefined ? STRAIGHT : { ...STRAIGHT, width };
  const opened = width === undefined ? 0 : Math.floor(chain.length / 2);
  const layout = layOut(grid, chain, opened);
  const [first, last] = [chain[0]?.[0] ?? 0, chain.at(-1)?.[1] ?? 0];
  const offered = ghosts.map(({ end, tile }) =>
    placeAt(grid, layout, end, tile, end === "left" ? first : last),
  );
  const box = boxAround([...layout.tiles, ...offered]);
  const [wide, high] = [box.right - box.left + 2 * MARGIN, box.bottom - box.top + 2 * MARGIN];
  return (
    <svg
      class="laid"
      viewBox={`${box.left - MARGIN} ${box.top - MARGIN} ${wide} ${high}`}
      style={{ "--units": wide }}
      aria-hidden="true"
    >
      {layout.tiles.map((tile, i) => (
        <Piece key={tileKey([tile.a, tile.b])} at={tile} kind={fresh && i === chain.length - 1 ? "newest" : ""} />
      ))}
      {offered.map((tile, i) => (
        <Piece key={i} at={tile} kind="ghost" />
      ))}
    </svg>
  );
}

function Piece({ at, kind }: { readonly at: Placed; readonly kind: string }) {
  return (
    <g class={kind} transform={`translate(${at.x} ${at.y})${at.lying ? " rotate(-90)" : ""}`}>
      <g class={`tile ${kind}`}>
        <TileFace a={at.a} b={at.b} lying={at.lying} />
      </g>
    </g>
  );
}

interface HandProps {
  readonly tiles: readonly Tile[];
  /** The tiles that may be played; the others are dark. Without it none is. */
  readonly bright?: readonly Tile[];
}

/** Tiles as they stand in a hand. */
export function Held({ tiles, bright }: HandProps) {
  const isBright = (tile: Tile) => bright?.some((other) => tileKey(other) === tileKey(tile)) ?? true;
  return (
    <span class="rack">
      {tiles.map((tile) => (
        <span key={tileKey(tile)} class={isBright(tile) ? "" : "dimmed"}>
          <TilePicture a={tile[0]} b={tile[1]} />
        </span>
      ))}
    </span>
  );
}

/** Tiles that nobody will see. */
export function Sleeping() {
  return (
    <span class="rack">
      {[0, 1, 2, 3].map((i) => (
        <i key={i} class="back" />
      ))}
    </span>
  );
}

/** Half a tile: a number. */
export function NumberPicture({ number }: { readonly number: number }) {
  return (
    <svg class="tile half" viewBox="-0.560 -0.560 1.160 1.160" aria-hidden="true">
      <Half number={number} />
    </svg>
  );
}
