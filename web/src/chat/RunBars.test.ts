import { expect, it } from "vitest";
import type { Run } from "../api/types";
import { byPage } from "./RunBars";

const run = (id: string, page: string, startedAt: number) => ({ id, page, startedAt }) as Run;

it("has what was made last on this page first, and what lies elsewhere apart", () => {
  const runs = [run("old", "pg_a", 1), run("other", "pg_b", 4), run("new", "pg_a", 3), run("middle", "pg_a", 2)];
  const { here, elsewhere } = byPage(runs, "pg_a");
  expect(here.map(({ id }) => id)).toEqual(["new", "middle", "old"]);
  expect(elsewhere.map(({ id }) => id)).toEqual(["other"]);
});
