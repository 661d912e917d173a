// Path data for the linocuts, in a box of 64×64.
//
// A shape is a list of points "x y,x y,…", through which a smooth outline runs; "x y!" is a corner.
// A shape that begins with M is path data already.

type Point = readonly [x: number, y: number];
type Knot = { readonly at: Point; readonly sharp: boolean };

/** Length of a curve's handles, in parts of its chord: four points make a round circle. */
const HANDLE = 0.38;

/** A number with one decimal at most. */
export const short = (value: number) => String(Math.round(value * 10) / 10);
const spell = (...points: readonly Point[]) => points.map(([x, y]) => `${short(x)} ${short(y)}`).join(" ");
const minus = ([ax, ay]: Point, [bx, by]: Point): Point => [ax - bx, ay - by];

/** The point at `share` of `way` from `from`. */
const step = ([x, y]: Point, [dx, dy]: Point, share: number): Point => [x + dx * share, y + dy * share];

function knotOf(text: string): Knot {
  const [x = 0, y = 0] = text.replace("!", "").trim().split(/ +/).map(Number);
  return { at: [x, y], sharp: text.includes("!") };
}

/** The direction in which a smooth outline passes `at`: the nearer neighbour bends it more. */
function heading(before: Point, at: Point, after: Point): Point {
  const come = minus(at, before);
  const go = minus(after, at);
  const share = (Math.hypot(...go) || 1) / (Math.hypot(...come) || 1);
  const way: Point = [come[0] * share + go[0] / share, come[1] * share + go[1] / share];
  const length = Math.hypot(...way) || 1;
  return [way[0] / length, way[1] / length];
}

/** The next piece of a path; it runs straight to and from a corner, which has no heading. */
function piece(from: Point, to: Point, leave: Point | null, arrive: Point | null): string {
  if (!leave && !arrive) return `L${spell(to)}`;
  const chord = minus(to, from);
  const reach = Math.hypot(...chord) * HANDLE;
  const out = leave ? step(from, leave, reach) : step(from, chord, 1 / 3);
  const back = arrive ? step(to, arrive, -reach) : step(to, chord, -1 / 3);
  return `C${spell(out, back, to)}`;
}

/** Path data of a shape; `open` ends at its last point. */
export function outline(shape: string, open = false): string {
  if (shape.startsWith("M")) return shape;
  const knots = shape.split(",").map(knotOf);
  const last = knots.length - 1;
  const knot = (i: number) => knots.at(i % knots.length) as Knot;
  const headings = knots.map(({ at, sharp }, i) =>
    sharp || (open && (i === 0 || i === last)) ? null : heading(knot(i - 1).at, at, knot(i + 1).at),
  );
  const pieces = knots
    .slice(0, open ? last : undefined)
    .map(({ at }, i) => piece(at, knot(i + 1).at, headings[i] ?? null, headings[i === last ? 0 : i + 1] ?? null));
  return `M${spell(knot(0).at)}${pieces.join("")}${open ? "" : "Z"}`;
}

/** A cut that is thin at its ends: "x y x y bend width", of which the last two may be left out. */
function taper(text: string, usual: number): string {
  const [ax = 0, ay = 0, bx = 0, by = 0, bend = 0, width = usual] = text.trim().split(/ +/).map(Number);
  const from: Point = [ax, ay];
  const to: Point = [bx, by];
  const [dx, dy] = minus(to, from);
  const length = Math.hypot(dx, dy) || 1;
  const middle = step(from, [dx, dy], 0.5);
  const aside = (distance: number) => step(middle, [-dy / length, dx / length], distance);
  return `M${spell(from)}Q${spell(aside(bend * 2 + width), to)}Q${spell(aside(bend * 2 - width), from)}Z`;
}

/** Path data of many such cuts; `usual` is the width of those that name none. */
export const tapers = (list: string, usual: number) => list.split(",").map((text) => taper(text, usual)).join("");

/** Strokes around `x y` from one radius to another, between two angles in degrees (0 is right, 90 down). */
export function fan([x, y]: Point, [inner, outer]: Point, [from, to]: Point, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const angle = ((from + ((to - from) * i) / (count - 1)) * Math.PI) / 180;
    const way: Point = [Math.cos(angle), Math.sin(angle)];
    return spell(step([x, y], way, inner), step([x, y], way, outer));
  }).join(",");
}
