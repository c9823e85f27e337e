import { useState } from "react";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { DiffText } from "./DiffText";
import { subject, type ToolCall } from "./parts";
import type { Diff } from "./types";

interface ToolLineProps {
  call: ToolCall;
  /** Its message still grows. */
  live: boolean;
  onOpen(path: string, line?: number): void;
}

const ICONS: Record<string, string> = {
  "read-file": "view",
  "list-files": "folder",
  "grep-search": "search",
  glob: "search",
  "multi-edit": "create",
  "overwrite-file": "file",
  "delete-file": "delete",
  "move-file": "file",
};

interface Found {
  path: string;
  /** Of a search: its lines, those that match with a column. */
  lines?: { line: number; column?: number; text: string }[];
}

/** A place that a call found; of a listing a file alone. */
interface Place {
  path: string;
  line?: number;
  text?: string;
}

const SHOWN = 20;

const number = (value: unknown) => (typeof value === "number" ? value : null);
const list = <T,>(value: unknown) => (Array.isArray(value) ? (value as T[]) : []);

/** All places that a call found, in its order. */
function places(output: Record<string, unknown>): Place[] {
  const paths = list<string>(output["paths"]).map((path) => ({ path }));
  const files = list<Found>(output["files"]).flatMap(({ path, lines }): Place[] =>
    lines ? lines.flatMap(({ line, column, text }) => (column === undefined ? [] : [{ path, line, text }])) : [{ path }],
  );
  const others = list<Found>(output["otherFiles"]).map(({ path }) => ({ path }));
  return [...paths, ...files, ...others];
}

/** What came of a call, in a few words. */
function outcome({ tool, output }: ToolCall): string | null {
  const total = number(output["totalMatches"]);
  switch (tool) {
    case "read-file": {
      const lines = number(output["totalLines"]);
      return lines === null ? null : strings.code.lines(lines);
    }
    case "list-files": {
      const files = number(output["totalFiles"]);
      return files === null ? null : strings.code.found(files);
    }
    case "grep-search":
      return total === null ? null : strings.code.matches(total);
    case "glob":
      return total === null ? null : strings.code.found(total);
    case "multi-edit": {
      const edits = number(output["editsApplied"]);
      return edits === null ? null : strings.code.edits(edits);
    }
    default:
      return null;
  }
}

const LONGEST_REASON = 90;

/** Why a call came to nothing, without the code that programs read. */
function reason({ error }: ToolCall): string | null {
  const words = error?.replace(/^[A-Z_]+: /, "").split("\n")[0] ?? "";
  if (!words) return null;
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON)}…` : words;
}

function Details({ call, onOpen }: Pick<ToolLineProps, "call" | "onOpen">) {
  if (call.error) return <p className="call-error">{call.error}</p>;
  const diff = call.output["diff"] as Diff | undefined;
  if (diff) return <DiffText diff={diff} label={strings.code.diffOf(subject(call))} omitted={strings.code.noDiff} />;
  const found = places(call.output);
  if (found.length === 0) return <p className="hint">{strings.code.empty}</p>;
  return (
    <ul className="call-found">
      {found.slice(0, SHOWN).map(({ path, line, text }) => (
        <li key={`${path}:${line ?? ""}`}>
          <button type="button" className="link-button" onClick={() => onOpen(path, line)}>
            {line === undefined ? path : `${path}:${line}`}
          </button>
          {text !== undefined && <code>{text.trim().slice(0, 120)}</code>}
        </li>
      ))}
      {found.length > SHOWN && <li className="hint">{strings.code.more(found.length - SHOWN)}</li>}
    </ul>
  );
}

/** One call of a tool: what, on what, how far, and what came of it. */
export function ToolLine({ call, live, onOpen }: ToolLineProps) {
  const [open, setOpen] = useState(false);
  const about = subject(call);
  const state = strings.code.state[call.state] ?? call.state;
  const over = call.state === "output-available" || call.state === "output-error" || call.state === "output-denied";
  const look = call.state === "output-available" ? "done" : over || !live ? "refused" : "partial";
  const content = (
    <>
      <span className="action-icon" aria-hidden="true">
        <Icon name={ICONS[call.tool] ?? "default"} />
      </span>
      <span className="action-label">
        {strings.code.tools[call.tool] ?? call.tool} <code>{about}</code>
      </span>
      <span className="call-outcome">
        {[
          call.state === "output-available" ? outcome(call) : (reason(call) ?? state),
          call.tookMs === null ? null : strings.action.took(call.tookMs),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <span className="action-state" title={state}>
        {look === "partial" ? (
          <span className="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        ) : (
          <span aria-hidden="true">{look === "done" ? "✓" : "✕"}</span>
        )}
        <span className="visually-hidden">{state}</span>
      </span>
    </>
  );
  return (
    <li className="action call" data-tool={call.tool} data-call={call.state} data-state={look}>
      {over ? (
        <button
          type="button"
          className="action-line"
          aria-expanded={call.tool === "read-file" && !call.error ? undefined : open}
          onClick={() => (call.tool === "read-file" && !call.error ? onOpen(about) : setOpen(!open))}
        >
          {content}
        </button>
      ) : (
        <span className="action-line">{content}</span>
      )}
      {open && <Details call={call} onOpen={onOpen} />}
    </li>
  );
}
