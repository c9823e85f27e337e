import { expect, it } from "vitest";
import type { Fairy, Page, Run } from "../api/types";
import { costOf, costText, scopeText, timeText } from "./work";

const run = (usd: number, inputTokens: number, outputTokens: number) => ({ cost: { usd, inputTokens, outputTokens } }) as Run;

it("says what runs cost: money where there is a price, else words", () => {
  expect(costOf([run(0.5, 10, 20), run(0.25, 1, 2)])).toEqual({ usd: 0.75, tokens: 33 });
  expect([
    costText({ usd: 0.75, tokens: 33 }),
    costText({ usd: 0.002, tokens: 33 }),
    costText({ usd: 0, tokens: 1234 }),
    costText({ usd: 0, tokens: 0 }),
  ]).toEqual(["$0.75", "under 1¢", "1.2k tokens", null]);
});

it("says how long a run took", () => {
  expect(timeText({ startedAt: 0, endedAt: 1234 }, 0)).toBe("1.2 s");
  expect(timeText({ startedAt: 0, endedAt: null }, 30_000)).toBe("30 s");
  expect(timeText({ startedAt: 0, endedAt: 150_000 }, 0)).toBe("3 min");
});

it("says what limits a fairy, and nothing when nothing does", () => {
  const pages = [{ id: "pg_a", name: "Garden" }] as Page[];
  const fairy = (scope: Fairy["scope"]) => ({ scope }) as Fairy;
  expect(scopeText(fairy({}), pages)).toBeNull();
  expect(scopeText(fairy({ pages: null, region: null }), pages)).toBeNull();
  expect(scopeText(fairy({ pages: ["pg_a"], region: { x: 0, y: 0, w: 1, h: 1 } }), pages)).toBe("only on Garden · in a region");
});
