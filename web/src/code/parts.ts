import type { CodeMessage, Diff } from "./types";

export type ToolState =
  | "input-streaming"
  | "input-available"
  | "approval-requested"
  | "approval-responded"
  | "output-available"
  | "output-error"
  | "output-denied";

/** One call of a tool, as the stream tells it. */
export interface ToolCall {
  id: string;
  tool: string;
  state: ToolState;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  error: string | null;
  tookMs: number | null;
  /** The question that waits for an answer. */
  approval: { id: string; path: string; diff: Diff } | null;
}

export type CodeBlock =
  | { kind: "text"; key: string; text: string }
  | { kind: "thought"; key: string; text: string; open: boolean }
  | { kind: "calls"; key: string; calls: ToolCall[] };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

interface ToolPart {
  type: string;
  toolCallId: string;
  state: ToolState;
  input?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string };
}

function isTool(part: { type: string }): part is ToolPart {
  return part.type.startsWith("tool-") && "toolCallId" in part;
}

/** A message as it is read: words, thoughts, and calls that belong together. */
export function blocks(message: CodeMessage, live: boolean): CodeBlock[] {
  const took = new Map<string, number>();
  const asked = new Map<string, { path: string; diff: Diff }>();
  for (const part of message.parts) {
    if (part.type === "data-call" && part.id) took.set(part.id, part.data.durationMs);
    if (part.type === "data-approval" && part.id) asked.set(part.id, part.data);
  }
  const out: CodeBlock[] = [];
  message.parts.forEach((part, at) => {
    const key = `${part.type}-${at}`;
    if (part.type === "text") {
      if (part.text.trim()) out.push({ kind: "text", key, text: part.text });
    } else if (part.type === "reasoning") {
      if (part.text.trim()) out.push({ kind: "thought", key, text: part.text, open: live && part.state === "streaming" });
    } else if (isTool(part)) {
      const question = live && part.state === "approval-requested" && part.approval ? asked.get(part.approval.id) : undefined;
      const call: ToolCall = {
        id: part.toolCallId,
        tool: part.type.slice("tool-".length),
        state: part.state,
        input: record(part.input),
        output: record(part.output),
        error: part.errorText ?? null,
        tookMs: took.get(part.toolCallId) ?? null,
        approval: question && part.approval ? { id: part.approval.id, ...question } : null,
      };
      const last = out.at(-1);
      if (last?.kind === "calls") last.calls.push(call);
      else out.push({ kind: "calls", key, calls: [call] });
    }
  });
  return out;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** What a call is about: a path, a pattern, a word. */
export function subject({ tool, input }: Pick<ToolCall, "tool" | "input">): string {
  switch (tool) {
    case "grep-search":
      return text(input["query"]);
    case "glob":
      return text(input["pattern"]);
    case "list-files":
      return text(input["path"]) || text(input["pattern"]) || ".";
    case "move-file":
      return [text(input["path"]), text(input["to"])].filter(Boolean).join(" → ");
    default:
      return text(input["path"]);
  }
}

/** Files in the folder of this one, as a pattern; of one at the top, itself. */
export function likePath(path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return folder ? `${folder}**` : path;
}
