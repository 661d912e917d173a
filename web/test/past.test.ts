import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastWeeks } from "../src/game/weeks";
import type { Word } from "../src/net/protocol.gen";
import { parse, replayPath } from "../src/router";
import { ANY, filterOf, searchOf } from "../src/screens/history/Filters";
import { en } from "../src/screens/replay/words/en";
import { es } from "../src/screens/replay/words/es";
import { pt } from "../src/screens/replay/words/pt";

const TABLE = "01J00000000000000000000000";
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
const inAll = (texts: Readonly<Record<string, string>>) => Object.entries(texts).map(([key, text]) => [key, placeholders(text)]);

describe("addresses of the past", () => {
  it("lead to a match, or nowhere", () => {
    expect(parse("/historico")).toEqual({ page: "history" });
    expect(parse(replayPath(TABLE, 12))).toEqual({ page: "replay", table: TABLE, match: 12 });
    expect(replayPath(TABLE, 1, 3)).toBe(`/partida/${TABLE}/1?mao=3`);
    const nowhere = ["/partida", `/partida/${TABLE}`, `/partida/${TABLE}/0`, `/partida/${TABLE}/1/2`, "/partida/x/1", "/historico/1"];
    for (const path of nowhere) expect(parse(path)).toEqual({ page: "lost" });
  });

  it("keep what a history is filtered by", () => {
    const filters = fc.record({
      partner: fc.constantFrom("", TABLE),
      kind: fc.constantFrom("", "friendly" as const, "championship" as const),
      week: fc.constantFrom("", "2026-11-30"),
    });
    fc.assert(
      fc.property(filters, (filter) => {
        expect(filterOf(searchOf(filter))).toEqual(filter);
      }),
    );
    expect(filterOf("?parceiro=ana&tipo=todas&semana=agora")).toEqual(ANY);
  });
});

describe("weeks", () => {
  it("begin on Monday in Recife, three hours behind UTC (R43)", () => {
    expect(lastWeeks(Date.parse("2026-11-30T02:59:59Z"), 2)).toEqual(["2026-11-23", "2026-11-16"]);
    expect(lastWeeks(Date.parse("2026-11-30T03:00:00Z"), 2)).toEqual(["2026-11-30", "2026-11-23"]);
    expect(lastWeeks(Date.parse("2026-12-07T02:59:59Z"), 1)).toEqual(["2026-11-30"]);
  });

  it("always are seven days apart", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }), (now) => {
        const weeks = lastWeeks(now.getTime(), 4).map((monday) => new Date(`${monday}T03:00:00Z`));
        expect(weeks.every((monday) => monday.getUTCDay() === 1)).toBe(true);
        expect(now.getTime() - (weeks[0]?.getTime() ?? 0)).toBeLessThan(7 * 86_400_000);
        expect(now.getTime()).toBeGreaterThanOrEqual(weeks[0]?.getTime() ?? Infinity);
        expect(weeks.slice(1).map((monday, i) => (weeks[i]?.getTime() ?? 0) - monday.getTime())).toEqual([7, 7, 7].map((days) => days * 86_400_000));
      }),
    );
  });
});

it.each(Object.entries({ es, en }))("has the same placeholders in %s", (_, words) => {
  expect(inAll(words)).toEqual(inAll(pt));
});

/** The gateway says these, not the source. */
const VERDICTS: Readonly<Record<Word, true>> = { best: true, good: true, doubtful: true, mistake: true };

it("uses all its words", () => {
  const files = import.meta.glob<string>("../src/screens/{replay,history}/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
  const source = Object.values(files).join("\n");
  expect(Object.keys(pt).filter((key) => !(key in VERDICTS) && !source.includes(`"${key}"`))).toEqual([]);
});
