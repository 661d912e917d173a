import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ink, line, nicks } from "../src/art/gouge";
import { fan, outline } from "../src/art/outline";

const place = fc.tuple(fc.integer({ min: 0, max: 64 }), fc.integer({ min: 0, max: 64 }));
const places = fc.uniqueArray(place, { minLength: 3, maxLength: 12, selector: String });
const numbersOf = (data: string) => (data.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

/** The ends of a path's segments, its beginning first. */
const stops = (data: string) =>
  [...data.matchAll(/[MLC]([^MLCZ]*)/g)].map(([, text = ""]) => numbersOf(text).slice(-2));

describe("an outline", () => {
  it("goes through every point and comes back to the first", () => {
    fc.assert(
      fc.property(places, fc.boolean(), (points, sharp) => {
        const data = outline(points.map(([x, y]) => `${x} ${y}${sharp ? "!" : ""}`).join(","));
        expect(stops(data)).toEqual([...points, points[0]]);
        expect(data).toMatch(/Z$/);
        expect(numbersOf(data).every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("ends at its last point if it is open", () => {
    fc.assert(
      fc.property(places, (points) => {
        const data = outline(points.map((point) => point.join(" ")).join(","), true);
        expect(stops(data)).toEqual(points.map((point) => [...point]));
        expect(data).not.toContain("Z");
      }),
    );
  });

  it("is straight between corners", () => {
    expect(outline("0 0!,8 0!,8 8!")).toBe("M0 0L8 0L8 8L0 0Z");
  });

  it("makes a round circle of four points", () => {
    const [x = 0, y = 0] = numbersOf(outline("32 0,64 32,32 64,0 32")).slice(2, 4);
    expect(x).toBeCloseTo(32 + 0.55 * 32, 0);
    expect(y).toBe(0);
  });

  it("leaves path data as it is", () => {
    expect(outline("M1 2 3 4")).toBe("M1 2 3 4");
  });
});

describe("the strokes", () => {
  it("are thick in the middle as asked, and bend as asked", () => {
    // The middle of a quadratic curve lies half-way between its control and the middle of its chord.
    const [, , , upper = 0, , , , lower = 0] = numbersOf(nicks("0 32 64 32 3 2"));
    expect([upper / 2 + 16, lower / 2 + 16]).toEqual([36, 34]);
  });

  it("stand around a point", () => {
    expect(fan([32, 32], [10, 20], [0, 180], 3)).toBe("42 32 52 32,32 42 32 52,22 32 12 32");
  });

  it("are marked by what they are", () => {
    expect(ink("0 0!,8 0!,8 8!")).toBe('<path class="k" d="M0 0L8 0L8 8L0 0Z"/>');
    expect(line(3, "0 0!,8 8!")).toBe('<path class="l" stroke-width="3" d="M0 0L8 8"/>');
  });
});
