import { expect, it } from "vitest";

import { bracketPath, parse, rankingPath, signInPath, tablePath } from "../src/router";

const ID = "01J00000000000000000000000";

it.each([
  ["/", { page: "home" }],
  [tablePath(ID), { page: "table", table: ID }],
  ["/m/k7m-2qp", { page: "code", code: "K7M2QP" }],
  ["/campeonato", { page: "championships" }],
  ["/campeonato/", { page: "championships" }],
  [bracketPath(ID), { page: "bracket", championship: ID }],
  [rankingPath(null), { page: "ranking", week: null }],
  [rankingPath("2026-11-30"), { page: "ranking", week: "2026-11-30" }],
  ["/conta", { page: "account" }],
] as const)("%s is a page", (path, page) => {
  expect(parse(path)).toEqual(page);
});

it.each(["/x", "/t/1", "/campeonato/1", `/campeonato/${ID}/x`, `/campeonato/${ID}1`, "/ranking/now", "/conta/1", "/m/%E0"])(
  "%s is no page",
  (path) => {
    expect(parse(path)).toEqual({ page: "lost" });
  },
);

it("comes back from signing in to where it was asked for", () => {
  expect(signInPath("/campeonato")).toBe("/auth/sign-in?back=%2Fcampeonato");
});
