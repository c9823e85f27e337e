import { expect, it } from "vitest";
import type { Page } from "../api/types";
import { positionAt } from "./pageOrder";

const pages = [1, 2, 4].map((position, at): Page => ({ id: "abc"[at]!, name: "", kind: "canvas", tier: "internal", position }));
const moved = (page: string, to: number) => {
  const position = positionAt(pages, page, to);
  if (position === null) return null;
  return pages
    .map((each) => (each.id === page ? { ...each, position } : each))
    .sort((a, b) => a.position - b.position)
    .map(({ id }) => id)
    .join("");
};

it("puts a page at any place of the list", () => {
  expect([moved("a", 1), moved("a", 2), moved("c", 0), moved("c", 1), moved("b", 0)]).toEqual(["bac", "bca", "cab", "acb", "bac"]);
});

it("says so when there is nothing to move", () => {
  expect([moved("a", 0), moved("a", -1), moved("c", 9), moved("gone", 1)]).toEqual([null, null, null, null]);
});
