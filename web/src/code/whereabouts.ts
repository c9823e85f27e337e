import type { CodeMessage, Diff } from "./types";
import { blocks, subject, type ToolCall } from "./parts";

/** Where in the project a fairy is at work; lines count from 1, both ends included. */
export interface Whereabouts {
  path: string;
  lines: { from: number; to: number } | null;
  /** It changes what is there; otherwise it reads. */
  writes: boolean;
}

const FILE_TOOLS = ["read-file", "multi-edit", "overwrite-file", "delete-file"];

const whole = (value: unknown) => (typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null);

function linesOf({ tool, input, output }: ToolCall): Whereabouts["lines"] {
  if (tool === "read-file") {
    const from = whole(input["start_line"]);
    return from === null ? null : { from, to: whole(input["end_line"]) ?? from };
  }
  const diff = output["diff"] as Diff | undefined;
  const hunks = diff && "text" in diff ? diff.text.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm) : [];
  const spans = Array.from(hunks, ([, start, count]) => {
    const from = Number(start);
    return { from, to: from + Math.max(Number(count ?? 1), 1) - 1 };
  });
  const [first, last] = [spans[0], spans.at(-1)];
  return first && last ? { from: first.from, to: last.to } : null;
}

/** Where the newest call of an answer that still grows is; nowhere once the answer is over. */
export function whereabouts(message: CodeMessage | undefined, live: boolean): Whereabouts | null {
  if (!live || message?.role !== "assistant") return null;
  const calls = blocks(message, live).flatMap((block) => (block.kind === "calls" ? block.calls : []));
  const call = calls.findLast(({ tool, input }) => FILE_TOOLS.includes(tool) && subject({ tool, input }));
  if (!call) return null;
  return { path: subject(call), lines: linesOf(call), writes: call.tool !== "read-file" };
}

/** The row of a tree that shows a file: its own, or the nearest folder's that is closed. */
export function rowOf(path: string, rows: readonly { path: string }[]): string | null {
  const shown = new Set(rows.map((row) => row.path));
  for (let at = path; at; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) if (shown.has(at)) return at;
  return null;
}
