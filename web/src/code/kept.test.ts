import { expect, test } from "vitest";
import type { Run } from "../api/types";
import { keptSince } from "./kept";
import type { CodeMessage } from "./types";

const asked = (id: string, text: string) => ({ id, role: "user", parts: [{ type: "text", text }] });
const answered = (run: string, tool: string) => ({
  id: `a-${run}`,
  role: "assistant",
  metadata: { run },
  parts: [{ type: `tool-${tool}`, toolCallId: run, state: "output-available", input: {}, output: {} }],
});
const run = (id: string, status: string) => ({ id, status }) as unknown as Run;

const messages = [
  asked("q1", "rename foo"),
  answered("r1", "multi-edit"),
  asked("q2", "find foo"),
  answered("r2", "grep-search"),
  asked("q3", "delete it"),
  answered("r3", "delete-file"),
] as unknown as CodeMessage[];

test("runs that changed files and were kept are named by what was asked", () => {
  const runs = [run("r1", "kept"), run("r2", "kept"), run("r3", "pending")];
  expect(keptSince(messages, "q1", runs)).toEqual(["rename foo"]);
  expect(keptSince(messages, "q2", runs)).toEqual([]);
  expect(keptSince(messages, undefined, [run("r3", "kept")])).toEqual(["delete it"]);
  expect(keptSince(messages, "gone", runs)).toEqual([]);
});
