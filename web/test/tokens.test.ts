import { describe, expect, it } from "vitest";

import SHEET from "../src/styles/tokens.css?raw";

type Tokens = Readonly<Record<string, string>>;

/** The colours that a rule of the sheet sets. */
function tokensOf(selector: string): Tokens {
  const start = SHEET.indexOf(`${selector} {`);
  const rule = SHEET.slice(start, SHEET.indexOf("}", start));
  return Object.fromEntries([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1], found[2]]));
}

const LIGHT = tokensOf(":root");
const DARK = { ...LIGHT, ...tokensOf(':root[data-theme="dark"]') };

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** What is written on what. */
const TEXTS = [
  ["text", "paper"],
  ["text", "paper-2"],
  ["text", "surface"],
  ["text-2", "paper"],
  ["text-2", "paper-2"],
  ["text-2", "surface"],
  ["ink", "yellow"],
  ["ink", "ivory"],
  ["dim-pip", "dim-face"],
] as const;

/** White is written on these. */
const UNDER_WHITE = ["barro", "blue", "red", "green", "ink"] as const;

/** Edges and shapes that have to be seen. */
const SHAPES = [
  ["edge", "paper"],
  ["edge", "paper-2"],
  ["edge", "surface"],
  ["ivory", "barro"],
  ["yellow", "barro"],
] as const;

describe.each([
  ["by day", LIGHT],
  ["by night", DARK],
] as const)("colours %s", (_, tokens) => {
  const between = (one: string, other: string) => contrast(tokens[one] ?? one, tokens[other] ?? other);

  it.each(TEXTS)("%s can be read on %s", (text, ground) => {
    expect(between(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(UNDER_WHITE)("white can be read on %s", (ground) => {
    expect(between("#ffffff", ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPES)("%s is seen on %s", (shape, ground) => {
    expect(between(shape, ground)).toBeGreaterThanOrEqual(3);
  });
});
