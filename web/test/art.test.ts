import { describe, expect, it, vi } from "vitest";

import { animalArt, loadGallery } from "../src/art/animals";
import { GALLERY } from "../src/art/gallery";
import { TABLE } from "../src/art/table";
import book from "../src/data/animals.json";

const IDS = book.animals.map(({ id }) => id);
/** In characters of markup; it is made from a third of that. */
const LARGEST = 6000;
const NUMBERS = /-?\d+(?:\.\d+)?/g;

/** How many numbers each command of path data takes at a time; 0 is none at all. */
const TAKES: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, Q: 4, T: 2, C: 6, S: 4, Z: 0 };

const early = animalArt("bode");
await loadGallery();
const artOf = (id: string) => animalArt(id) ?? "";
const paths = (markup: string) => [...markup.matchAll(/ d="([^"]*)"/g)].map(([, data = ""]) => data);

/** The segments of path data: a command's letter with its numbers. */
function segments(data: string): readonly (readonly [command: string, numbers: readonly number[]])[] {
  return [...data.matchAll(/([A-Za-z])([^A-Za-z]*)/g)].map(([, command = "", rest = ""]) => [
    command,
    (rest.match(NUMBERS) ?? []).map(Number),
  ]);
}

/** Points that the absolute commands of a drawing name, as flat numbers; controls among them. */
const reach = (markup: string) =>
  paths(markup).flatMap((data) =>
    segments(data).flatMap(([command, numbers]) => (/[MLQC]/.test(command) ? numbers : [])),
  );

describe("the linocuts", () => {
  it("are there for every animal of the championships", () => {
    expect(IDS).toHaveLength(61);
    expect(IDS.filter((id) => artOf(id) === "")).toEqual([]);
  });

  it("are of no animal that nobody knows", () => {
    const known = new Set([...IDS, ...Object.keys(TABLE)]);
    expect([...GALLERY.keys()].filter((id) => !known.has(id))).toEqual([]);
    expect(animalArt("unicorn")).toBeUndefined();
  });

  it("have no two alike", () => {
    const inked = IDS.map((id) => paths(artOf(id)).join("|"));
    expect(new Set(inked).size).toBe(IDS.length);
  });

  it("adorn every seat", () => {
    for (const [name, markup] of Object.entries(TABLE)) expect(animalArt(name)).toBe(markup);
  });

  it("are blank while they come", () => {
    expect(early).toBe("");
  });

  it("leave the seal to be drawn when they cannot come, and come later", async () => {
    vi.resetModules();
    vi.doMock("../src/art/gallery", () => {
      throw new Error("offline");
    });
    const fresh = await import("../src/art/animals");
    await fresh.loadGallery();
    expect(fresh.animalArt("bode")).toBeUndefined();
    vi.doUnmock("../src/art/gallery");
    await vi.waitFor(() => expect(fresh.animalArt("bode")).toBe(GALLERY.get("bode")));
  });
});

describe.each(IDS)("the linocut of %s", (id) => {
  const markup = artOf(id);

  it("holds flat shapes only, closed as they were opened", () => {
    const opened: string[] = [];
    for (const [, end, name = "", empty] of markup.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      expect(["path", "circle", "g"]).toContain(name);
      if (end) expect(opened.pop()).toBe(name);
      else if (!empty) opened.push(name);
    }
    expect(opened).toEqual([]);
  });

  it("takes its colours from its classes and nothing from elsewhere", () => {
    expect(markup).not.toMatch(/url\(|href|style=|fill=|stroke="|filter|gradient|<image|<use|<text/i);
    for (const [, name] of markup.matchAll(/class="([^"]*)"/g)) expect(["k", "p", "l", "c"]).toContain(name);
    expect(markup).toContain('class="k"');
    expect(markup).toContain('class="p"');
  });

  it("has path data that can be drawn", () => {
    expect(markup).not.toMatch(/NaN|undefined|Infinity/);
    for (const data of paths(markup)) {
      expect(data).toMatch(/^M/);
      expect(data).toMatch(/^[MLHVQTCSZmlhvqtcsz\d\s.,-]+$/);
      for (const [command, numbers] of segments(data)) {
        const takes = TAKES[command.toUpperCase()] ?? -1;
        if (takes === 0) expect(numbers).toEqual([]);
        else {
          expect(numbers.length).toBeGreaterThan(0);
          expect(numbers.length % takes).toBe(0);
        }
      }
    }
    for (const [, radius] of markup.matchAll(/ r="([^"]*)"/g)) expect(Number(radius)).toBeGreaterThan(0.5);
  });

  it("fills its box of 64 and stays within it", () => {
    const points = reach(markup);
    const across = points.filter((_, i) => i % 2 === 0);
    const down = points.filter((_, i) => i % 2 === 1);
    for (const line of [across, down]) {
      expect(Math.min(...line)).toBeGreaterThanOrEqual(-3);
      expect(Math.max(...line)).toBeLessThanOrEqual(67);
    }
    expect(Math.max(...across) - Math.min(...across)).toBeGreaterThan(28);
    expect(Math.max(...down) - Math.min(...down)).toBeGreaterThan(28);
  });

  it("is small", () => {
    expect(markup.length).toBeLessThan(LARGEST);
  });
});
