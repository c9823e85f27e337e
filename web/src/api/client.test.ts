import { expect, it } from "vitest";
import { strings } from "../strings";
import { describeFailure } from "./client";

it("says what the server said, in its most telling words", () => {
  const problem = { type: "about:blank", title: "Forbidden", status: 403, detail: "This link is view only." };
  expect(describeFailure(403, JSON.stringify(problem))).toBe("This link is view only.");
  expect(describeFailure(403, JSON.stringify({ title: "Forbidden" }))).toBe("Forbidden");
});

it("falls back on what the status means when the answer is no problem+json", () => {
  expect(describeFailure(429, "<html>slow down</html>")).toBe(strings.errors.byStatus(429));
  expect(describeFailure(502, "")).toContain("502");
});
