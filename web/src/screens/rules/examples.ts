// The tiles of the pictures. A test holds them to the rules that they show.

import type { Tile } from "../../net/protocol.gen";

/** A chain from left to right. */
export type Chain = readonly Tile[];

export const HAND: readonly Tile[] = [
  [6, 6],
  [3, 3],
  [2, 5],
  [0, 4],
  [1, 6],
  [0, 2],
];

export const FITS = {
  chain: [
    [5, 6],
    [6, 6],
    [6, 2],
  ] as Chain,
  tile: [2, 4] as Tile,
  both: [2, 5] as Tile,
};

export const NOTHING_FITS = {
  chain: [
    [1, 4],
    [4, 4],
    [4, 3],
  ] as Chain,
  hand: [
    [0, 2],
    [5, 6],
    [2, 2],
  ] as readonly Tile[],
};

/** A last tile, which lies at the right end of its chain. */
export const LAST = {
  domino_simple: [
    [3, 6],
    [6, 1],
    [1, 5],
  ],
  domino_double: [
    [2, 6],
    [6, 4],
    [4, 4],
  ],
  la_e_lo: [
    [5, 0],
    [0, 3],
    [3, 5],
  ],
  cruzada: [
    [1, 2],
    [2, 3],
    [3, 1],
    [1, 1],
  ],
} as const satisfies Readonly<Record<string, Chain>>;

/** The chain that the calls are shown with; what is called is told by the newest tile. */
export const CALLS = {
  double: { chain: [[6, 6]], number: 6 },
  opening: { chain: [[6, 5]], number: 6, low: 5 },
  all: {
    chain: [
      [5, 4],
      [4, 2],
      [2, 5],
    ],
    number: 5,
  },
  end: {
    chain: [
      [5, 4],
      [4, 2],
    ],
    number: 2,
  },
} as const;

/** The seven tiles with a one are out, and both ends show it. */
export const BLOCKED: Chain = [
  [1, 5],
  [5, 2],
  [2, 1],
  [1, 1],
  [1, 6],
  [6, 3],
  [3, 1],
  [1, 4],
  [4, 0],
  [0, 1],
];

/** What the four hold then. */
export const LEFT_OVER: readonly (readonly Tile[])[] = [
  [
    [0, 0],
    [0, 2],
    [2, 3],
  ],
  [
    [6, 6],
    [5, 5],
    [3, 4],
  ],
  [
    [0, 3],
    [2, 2],
    [0, 5],
    [2, 4],
  ],
  [
    [3, 3],
    [0, 6],
    [4, 5],
    [2, 6],
  ],
];

/** Points by place, from the champion down; a place that several share is named by its first and last. */
export const POINTS = {
  gold: { people: 32, places: ["1", "2", "3", "4", "5–6", "7–8", "9–12", "13–16"] },
  silver: { people: 16, places: ["1", "2", "3", "4", "5–6", "7–8"] },
  bronze: { people: 8, places: ["1", "2", "3", "4"] },
} as const;

/** From place to place the points double; the last place has one. */
export function pointsOf(places: readonly string[], index: number): number {
  return 2 ** (places.length - 1 - index);
}
