import type { Run } from "../api/types";
import { plainText } from "../chat/message";
import { blocks } from "./parts";
import type { CodeMessage } from "./types";

const WRITES = ["multi-edit", "overwrite-file", "delete-file"];

const wrote = (message: CodeMessage) =>
  blocks(message, false).some(
    (block) => block.kind === "calls" && block.calls.some(({ tool, state }) => WRITES.includes(tool) && state === "output-available"),
  );

/** What was asked of the runs, from a message on, that changed files and that somebody kept. */
export function keptSince(messages: readonly CodeMessage[], from: string | undefined, runs: readonly Run[]): string[] {
  const latest = messages.findLastIndex(({ role }) => role === "user");
  const at = from === undefined ? latest : messages.findIndex(({ id }) => id === from);
  const since = at < 0 ? [] : messages.slice(at);
  const kept = new Set(runs.filter(({ status }) => status === "kept").map(({ id }) => id));
  return since.flatMap((message, nth) => {
    const run = message.role === "assistant" ? message.metadata?.run : undefined;
    if (run === undefined || !kept.has(run) || !wrote(message)) return [];
    const question = since.slice(0, nth).findLast(({ role }) => role === "user");
    return [question ? plainText(question) : run];
  });
}
