import { expect, test } from "vitest";
import { countdown } from "../chat/failure";
import { likePath, blocks } from "./parts";
import { foldersOf, rows, step } from "./tree";
import type { CodeMessage, Listing } from "./types";

const listing = (...files: Listing["files"]): Listing => ({ files, totalFiles: files.length, truncated: false });
const file = (path: string) => ({ path, type: "file" as const });
const folder = (path: string) => ({ path, type: "directory" as const });
const TREE = new Map([
  ["", listing(file("README.md"), folder("src"))],
  ["src", listing(file("src/a.rs"), folder("src/deep"))],
]);

test("folders come first, and an open one is followed by what is in it", () => {
  const shown = rows(TREE, new Set(["src"])).map(({ path, level }) => `${level} ${path}`);
  expect(shown).toEqual(["1 src", "2 src/deep", "2 src/a.rs", "1 README.md"]);
  expect(rows(TREE, new Set()).map(({ name }) => name)).toEqual(["src", "README.md"]);
});

test("keys go through the tree as in any other", () => {
  const shown = rows(TREE, new Set(["src"]));
  const go = (at: number, key: string) => step(shown, at, key);
  expect([
    go(0, "ArrowDown"),
    go(3, "ArrowDown"),
    go(2, "ArrowLeft"),
    go(0, "ArrowLeft"),
    go(1, "ArrowRight"),
    go(2, "Enter"),
    go(0, " "),
    go(3, "x"),
  ]).toEqual([{ to: 1 }, { to: 3 }, { to: 0 }, { toggle: 0 }, { toggle: 1 }, { pick: 2 }, { toggle: 0 }, null]);
  expect(foldersOf("a/b/c.txt")).toEqual(["a", "a/b"]);
});

test("a question is offered with its difference only while it can be answered", () => {
  const message = {
    id: "m",
    role: "assistant",
    parts: [
      { type: "text", text: " " },
      { type: "tool-multi-edit", toolCallId: "c1", state: "approval-requested", input: { file_path: "a" }, approval: { id: "ap" } },
      { type: "data-approval", id: "ap", data: { call: "c1", path: "a", diff: { text: "+x" } } },
      { type: "tool-glob", toolCallId: "c2", state: "output-available", input: {}, output: { paths: [] } },
      { type: "data-call", id: "c2", data: { durationMs: 7 } },
    ],
  } as unknown as CodeMessage;
  const calls = (live: boolean) => blocks(message, live).flatMap((block) => (block.kind === "calls" ? block.calls : []));
  expect(calls(true).map(({ tool, approval, tookMs }) => [tool, approval?.path ?? null, tookMs])).toEqual([
    ["multi-edit", "a", null],
    ["glob", null, 7],
  ]);
  expect(calls(false)[0]?.approval).toBeNull();
});

test("a wait is counted down, and paths are offered by folder", () => {
  expect([countdown(125_000, 0), countdown(3_725_000, 0), countdown(5, 5)]).toEqual(["2:05", "1:02:05", null]);
  expect([likePath("src/deep/a.rs"), likePath("a.rs")]).toEqual(["src/deep/**", "a.rs"]);
});
