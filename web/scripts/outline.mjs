// Paths of SVG as lists of points, and how far a point is from them: enough to draw our own icon.

const STEPS = 12;
const TAKES = { M: 2, L: 2, H: 1, V: 1, Q: 4, C: 6, Z: 0 };

/** Points of a Bézier curve after its first, by de Casteljau. */
function curve(controls) {
  return Array.from({ length: STEPS }, (_, i) => {
    const t = (i + 1) / STEPS;
    let points = controls;
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], k) => {
        const [fromX, fromY] = points[k];
        return [fromX + t * (x - fromX), fromY + t * (y - fromY)];
      });
    }
    return points[0];
  });
}

/** The lines of a path, each a list of points; `d` as in SVG, without arcs and shorthand curves. */
function linesOf(d) {
  const lines = [];
  let at = [0, 0];
  const words = d.match(/[a-zA-Z]|-?\d*\.?\d+/g);
  let command = "M";
  for (let i = 0; i < words.length; ) {
    if (/[a-zA-Z]/.test(words[i])) command = words[i++];
    const kind = command.toUpperCase();
    if (!(kind in TAKES)) throw new Error(`${command} is not known in ${d}`);
    const numbers = words.slice(i, (i += TAKES[kind])).map(Number);
    const [x0, y0] = command === kind ? [0, 0] : at;
    if (kind === "Z") {
      at = lines.at(-1)[0];
      lines.at(-1).push(at);
      continue;
    }
    const points = pairs(kind, numbers, at, [x0, y0]);
    if (kind === "M") lines.push([points[0]]);
    else lines.at(-1).push(...curve([at, ...points]));
    at = points.at(-1);
    if (kind === "M") command = command === "M" ? "L" : "l";
  }
  return lines;
}

function pairs(kind, numbers, at, [x0, y0]) {
  if (kind === "H") return [[numbers[0] + x0, at[1]]];
  if (kind === "V") return [[at[0], numbers[0] + y0]];
  return Array.from({ length: numbers.length / 2 }, (_, k) => [
    numbers[2 * k] + x0,
    numbers[2 * k + 1] + y0,
  ]);
}

/** An outline made ready for many questions: its segments one after another, and its box. */
export function outline(d) {
  const segments = [];
  for (const line of linesOf(d)) {
    for (let i = 1; i < line.length; i++) segments.push(...line[i - 1], ...line[i]);
  }
  const [xs, ys] = [0, 1].map((odd) => segments.filter((_, i) => i % 2 === odd));
  const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  return { segments: Float64Array.from(segments), box };
}

/** Whether a point is within so much of the outline's box. */
export function isNear({ box }, x, y, margin) {
  const across = x > box.left - margin && x < box.right + margin;
  return across && y > box.top - margin && y < box.bottom + margin;
}

/** How far a point is from the outline. */
export function distance({ segments }, x, y) {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < segments.length; i += 4) {
    const px = x - segments[i];
    const py = y - segments[i + 1];
    const dx = segments[i + 2] - segments[i];
    const dy = segments[i + 3] - segments[i + 1];
    const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
    const away = (px - t * dx) ** 2 + (py - t * dy) ** 2;
    if (away < nearest) nearest = away;
  }
  return Math.sqrt(nearest);
}

/** Whether a point is within the outline, by the even-odd rule. */
export function isInside({ segments }, x, y) {
  let inside = false;
  for (let i = 0; i < segments.length; i += 4) {
    const [ay, by] = [segments[i + 1], segments[i + 3]];
    if (ay > y === by > y) continue;
    const [ax, bx] = [segments[i], segments[i + 2]];
    if (x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
