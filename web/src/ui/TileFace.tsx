// One drawing of a tile for table, hand and sheets: upright, in units of half a tile.

import { memo } from "./memo";

const NEAR = 0.23;
const SIX = 0.27;

type Spot = readonly [x: number, y: number];

const CORNERS: readonly Spot[] = [
  [-NEAR, -NEAR],
  [NEAR, NEAR],
  [NEAR, -NEAR],
  [-NEAR, NEAR],
];
const MIDDLE: Spot = [0, 0];

/** Where the pips of a number are, in a half of its own. */
export function spots(number: number): readonly Spot[] {
  switch (number) {
    case 1:
      return [MIDDLE];
    case 2:
      return CORNERS.slice(0, 2);
    case 3:
      return [...CORNERS.slice(0, 2), MIDDLE];
    case 4:
      return CORNERS;
    case 5:
      return [...CORNERS, MIDDLE];
    case 6:
      return [-SIX, 0, SIX].flatMap((y): Spot[] => [
        [-NEAR, y],
        [NEAR, y],
      ]);
    default:
      return [];
  }
}

const ROUND = "a.105.105 0 1 1 .21 0a.105.105 0 1 1-.21 0";

/** All pips of a half as one shape: a table has up to 24 tiles, and each shape on it costs time. */
function Pips({ number, y }: { readonly number: number; readonly y: number }) {
  const d = spots(number).map(([dx, dy]) => `M${(dx - 0.105).toFixed(3)} ${(y + dy).toFixed(3)}${ROUND}`);
  return d.length > 0 && <path class={`pips n${number}`} d={d.join("")} />;
}

interface Props {
  /** The upper half. */
  readonly a: number;
  readonly b: number;
}

/**
 * A tile standing upright around the origin. One that will be turned to lie has its shadow where
 * it then falls to the lower right.
 */
export function TileFace({ a, b, lying = false }: Props & { readonly lying?: boolean }) {
  const shadowX = lying ? -0.56 : -0.44;
  return (
    <>
      <rect class="shadow" x={shadowX} y="-0.940" width="1" height="2" rx="0.130" />
      <rect class="face" x="-0.470" y="-0.970" width="0.940" height="1.940" rx="0.130" />
      <path class="divider" d="M-0.360 0H0.360" />
      <Pips number={a} y={-0.5} />
      <Pips number={b} y={0.5} />
    </>
  );
}

/** The same as a picture of its own. */
export const TilePicture = memo(({ a, b }: Props) => (
  <svg class="tile" viewBox="-0.530 -1.030 1.140 2.140" aria-hidden="true">
    <TileFace a={a} b={b} />
  </svg>
));

/** Half a tile, around the origin: a number by itself. */
export function Half({ number }: { readonly number: number }) {
  return (
    <>
      <rect class="shadow" x="-0.440" y="-0.440" width="1" height="1" rx="0.130" />
      <rect class="face" x="-0.470" y="-0.470" width="0.940" height="0.940" rx="0.130" />
      <Pips number={number} y={0} />
    </>
  );
}

/** The backs of so many tiles, as others hold them. */
export function TileBacks({ count, testid }: { readonly count: number; readonly testid: string }) {
  const width = 9 * count;
  const backs = Array.from({ length: count }, (_, i) => `M${2 + 9 * i} 2v11h5v-11z`);
  return (
    <svg
      class={`backs ${count === 1 ? "last" : ""}`}
      data-testid={testid}
      data-count={count}
      width={width}
      height="15"
      viewBox={`0 0 ${width} 15`}
    >
      {count > 0 && <path d={backs.join("")} />}
    </svg>
  );
}
