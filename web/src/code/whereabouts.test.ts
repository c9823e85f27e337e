import { expect, test } from "vitest";
import type { CodeMessage } from "./types";
import { rowOf, whereabouts } from "./whereabouts";

const call = (tool: string, input: unknown, output?: unknown) => ({
  type: `tool-${tool}`,
  toolCallId: tool,
  state: output ? "output-available" : "input-available",
  input,
  output,
});
const answer = (...parts: unknown[]) => ({ id: "m", role: "assistant", parts }) as unknown as CodeMessage;

test("a fairy is at the newest file that it reads or changes, and nowhere when it is done", () => {
  const reads = call("read-file", { path: "src/a.rs", start_line: 3, end_line: 9 });
  const searches = call("grep-search", { query: "foo" });
  expect(whereabouts(answer(reads, searches), true)).toEqual({ path: "src/a.rs", lines: { from: 3, to: 9 }, writes: false });
  const diff = { path: "b.rs", text: "--- a\n+++ b\n@@ -1,2 +1,3 @@\n x\n+y\n@@ -9 +10,2 @@\n+z\n" };
  const changes = call("multi-edit", { path: "b.rs", edits: [] }, { diff });
  expect(whereabouts(answer(reads, changes), true)).toEqual({ path: "b.rs", lines: { from: 1, to: 11 }, writes: true });
  expect(whereabouts(answer(reads, changes), false)).toBeNull();
  expect(whereabouts(answer(searches), true)).toBeNull();
  expect(whereabouts(undefined, true)).toBeNull();
});

test("a whole file that is read has no lines to point at", () => {
  const whole = call("read-file", { path: "a.rs" });
  expect(whereabouts(answer(whole), true)).toEqual({ path: "a.rs", lines: null, writes: false });
});

test("in a tree it stands at the file, or at the folder that hides it", () => {
  const rows = [{ path: "src" }, { path: "src/deep" }, { path: "README.md" }];
  expect(rowOf("README.md", rows)).toBe("README.md");
  expect(rowOf("src/deep/down/a.rs", rows)).toBe("src/deep");
  expect(rowOf("other/a.rs", rows)).toBeNull();
});
