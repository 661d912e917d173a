// All style sheets come in one file: what a screen's own sheet says must not reach another screen.

import { expect, test } from "vitest";

const SHEETS: Readonly<Record<string, string>> = import.meta.glob("../src/**/*.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The classes that each selector of a sheet names, but for those that are narrowed by attributes. */
function selectorsIn(sheet: string): readonly (readonly string[])[] {
  const rules = sheet.replaceAll(/\/\*.*?\*\//gs, "");
  const heads = [...rules.matchAll(/([^{};]+)\{/g)].map(([, head = ""]) => head.trim());
  const selectors = heads.filter((head) => !/[@[]/.test(head)).flatMap((head) => head.split(","));
  return selectors.map((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
}

const all = Object.entries(SHEETS).map(([name, sheet]) => [name, selectorsIn(sheet)] as const);
const own = all.filter(([name]) => name.includes("/screens/"));

test("there are sheets of screens, and they say something", () => {
  expect(own.length).toBeGreaterThan(2);
  expect(own.every(([, selectors]) => selectors.length > 0)).toBe(true);
});

test.each(own)("%s styles nothing that another sheet styles", (name, selectors) => {
  const others = all.filter(([other]) => other !== name).flatMap(([, theirs]) => theirs);
  const shared = selectors.filter(
    (classes) => classes.length > 0 && others.some((other) => classes.every((one) => other.includes(one))),
  );
  expect(shared.map((classes) => classes.join(" "))).toEqual([]);
});
