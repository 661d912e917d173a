// All style sheets come in one file: what a screen's own sheet says must not reach another screen.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");
const SHEETS = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));

/** The classes that each selector of a sheet names, but for those that are narrowed by attributes. */
function selectorsIn(name: string): readonly (readonly string[])[] {
  const text = readFileSync(join(SOURCES, name), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const heads = [...text.matchAll(/([^{};]+)\{/g)].map(([, head = ""]) => head.trim());
  const selectors = heads.filter((head) => !/[@[]/.test(head)).flatMap((head) => head.split(","));
  return selectors.map((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
}

const all = new Map(SHEETS.map((name) => [name, selectorsIn(name)]));
const own = SHEETS.filter((name) => name.startsWith("screens"));

test("there are sheets of screens", () => {
  expect(own.length).toBeGreaterThan(2);
});

test.each(own)("%s styles nothing that another sheet styles", (name) => {
  const others = [...all].filter(([other]) => other !== name).flatMap(([, selectors]) => selectors);
  const shared = (all.get(name) ?? []).filter(
    (classes) => classes.length > 0 && others.some((other) => classes.every((one) => other.includes(one))),
  );
  expect(shared.map((classes) => classes.join(" "))).toEqual([]);
});
