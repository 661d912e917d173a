// The gouge of the linocuts: flat ink (class `k`) or ink line (`l`), and bare paper (`p`) cut out of
// it. The colours are in styles/art.css, the shapes as outline.ts has them.

import { outline, short, tapers } from "./outline";

const filled = (kind: "k" | "p", data: string) => `<path class="${kind}" d="${data}"/>`;
const outlines = (shapes: readonly string[], open = false) => shapes.map((shape) => outline(shape, open)).join("");

/** Closed shapes of ink. */
export const ink = (...shapes: readonly string[]) => filled("k", outlines(shapes));
/** Closed shapes of bare paper. */
export const bare = (...shapes: readonly string[]) => filled("p", outlines(shapes));
/** Tapered strokes of ink: spines, hairs, claws. */
export const thorns = (list: string, width = 3) => filled("k", tapers(list, width));
/** Tapered cuts: feathers, folds, fur. */
export const nicks = (list: string, width = 2.4) => filled("p", tapers(list, width));
/** Inked lines of one width, open at their ends. */
export const line = (width: number, ...shapes: readonly string[]) =>
  `<path class="l" stroke-width="${width}" d="${outlines(shapes, true)}"/>`;

const discs = (kind: "k" | "p", list: string) =>
  list
    .split(",")
    .map((text) => text.trim().split(/ +/))
    .map(([x, y, r]) => `<circle class="${kind}" cx="${x}" cy="${y}" r="${r}"/>`)
    .join("");

/** Round dots of ink, each "x y radius". */
export const dots = (list: string) => discs("k", list);
/** Round holes in the ink, each "x y radius". */
export const holes = (list: string) => discs("p", list);

/** Eyes, each "x y radius": a hole with its pupil. */
export const eyes = (list: string) =>
  holes(list) +
  list
    .split(",")
    .map((text) => text.trim().split(/ +/).map(Number))
    .map(([x, y, r = 3]) => dots(`${x} ${y} ${short(r * 0.52)}`))
    .join("");

/** The same half on both sides of the middle. */
export const mirrored = (half: string) => `${half}<g transform="matrix(-1 0 0 1 64 0)">${half}</g>`;
