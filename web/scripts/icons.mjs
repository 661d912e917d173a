// After the build: the icons of an installed page as PNG, drawn from public/icon.svg.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST } from "./dist.mjs";
import { distance, isInside, isNear, outline } from "./outline.mjs";
import { png } from "./png.mjs";

const BOX = 64;
const SOURCE = fileURLToPath(new URL("../public/icon.svg", import.meta.url));
/** Systems cut a maskable icon as they like; within this part of it nothing is lost. */
const SAFE = 0.74;

const attribute = (element, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1];

function colour(name) {
  if (name === undefined || name === "none") return null;
  return [1, 3, 5].map((at) => Number.parseInt(name.slice(at, at + 2), 16));
}

/** The ground and the shapes on it, in the order in which they are painted. */
function readIcon() {
  const text = readFileSync(SOURCE, "utf8");
  const rect = /<rect[^>]*>/.exec(text)[0];
  const group = /<g [^>]*>/.exec(text)[0];
  const shapes = (text.match(/<path[^>]*>/g) ?? []).map((element) => ({
    line: outline(attribute(element, "d")),
    fill: colour(attribute(element, "fill")),
    stroke: colour(attribute(element, "stroke") ?? attribute(group, "stroke")),
    width: Number(attribute(element, "stroke-width") ?? attribute(group, "stroke-width")),
  }));
  return { ground: colour(attribute(rect, "fill")), radius: Number(attribute(rect, "rx")), shapes };
}

/** How much of a pixel is covered by what begins so far away, in units of the drawing. */
const covered = (outside, perUnit) => Math.min(1, Math.max(0, 0.5 - outside * perUnit));

function toRoundedRect(x, y, radius) {
  const [dx, dy] = [x, y].map((v) => Math.abs(v - BOX / 2) - BOX / 2 + radius);
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

function blend(under, over, alpha) {
  return under.map((value, i) => value + (over[i] - value) * alpha);
}

function colourAt({ ground, shapes }, x, y, perUnit) {
  let pixel = ground;
  for (const { line, fill, stroke, width } of shapes) {
    if (!isNear(line, x, y, width)) continue;
    const away = distance(line, x, y);
    if (fill !== null) pixel = blend(pixel, fill, covered(isInside(line, x, y) ? -away : away, perUnit));
    if (stroke !== null) pixel = blend(pixel, stroke, covered(away - width / 2, perUnit));
  }
  return pixel;
}

/** A square icon; its drawing fills `part` of it, and corners are round only where it fills all. */
function draw(icon, size, part, round) {
  const pixels = Buffer.alloc(size * size * 4);
  const perUnit = (size * part) / BOX;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [column, row].map((v) => (v + 0.5 - size / 2) / perUnit + BOX / 2);
      const alpha = round ? covered(toRoundedRect(x, y, icon.radius), perUnit) : 1;
      const pixel = [...colourAt(icon, x, y, perUnit), 255 * alpha].map(Math.round);
      pixels.set(pixel, (row * size + column) * 4);
    }
  }
  return png(size, size, pixels);
}

const icon = readIcon();
const folder = join(DIST, "icons");
mkdirSync(folder, { recursive: true });
for (const [name, size, part, round] of [
  ["icon-192", 192, 1, true],
  ["icon-512", 512, 1, true],
  ["maskable-512", 512, SAFE, false],
  ["touch-180", 180, 0.86, false],
]) {
  writeFileSync(join(folder, `${name}.png`), draw(icon, size, part, round));
}
