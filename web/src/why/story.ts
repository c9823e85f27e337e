import type { Run, Why, Workspace } from "../api/types";
import { isPending, nameOf } from "../api/workspace";
import { strings } from "../strings";

/** One run's part in how a shape came to be. */
export interface Chapter {
  run: string;
  /** Null when the fairy has left the glade, and with it its chat. */
  fairy: string | null;
  line: string;
  at: string | number;
  prompt: string;
  fate: string;
  /** Nobody has decided about it yet. */
  open: boolean;
}

export interface Story {
  /** No run made it, so a person did. */
  byPerson: boolean;
  chapters: Chapter[];
}

export const isText = (workspace: Workspace, page: string): boolean =>
  workspace.pages.some(({ id, kind }) => id === page && kind === "text");

/** The server's mark, among the touched properties, for the element as a whole. */
const ITSELF = "";

/**
 * How a shape came to be, oldest first. Its label is part of it to anyone who
 * looks, so what was done to the label is told too, as a change to the shape.
 */
export function storyOf(shape: Why, label: Why | null, workspace: Workspace): Story {
  const made = new Set(shape.runs.filter(({ properties }) => properties.includes(ITSELF)).map(({ run }) => run.id));
  const runs = new Map<string, Run>();
  for (const { run } of [...shape.runs, ...(label?.runs ?? [])]) {
    // What the workspace says now is newer than what the store answered when asked.
    runs.set(run.id, workspace.runs.find(({ id }) => id === run.id) ?? run);
  }
  const ordered = [...runs.values()].sort((a, b) => Number(new Date(a.startedAt)) - Number(new Date(b.startedAt)));
  // Only the first can have made it: a later whole touch is a deletion or its return.
  const maker = ordered.find(({ id }) => made.has(id))?.id;
  return {
    byPerson: maker === undefined,
    chapters: ordered.map((run) => {
      const fairy = workspace.fairies.find(({ id }) => id === run.fairy);
      const name = fairy?.name ?? (run.fairy === "" && run.author ? nameOf(workspace, run.author, "") : strings.why.gone);
      const open = isPending(run);
      return {
        run: run.id,
        fairy: fairy?.id ?? null,
        line:
          run.id !== maker ? strings.why.changed(name) : isText(workspace, run.page) ? strings.text.wrote(name) : strings.why.drew(name),
        at: run.startedAt,
        prompt: run.message,
        fate: open ? strings.why.fate.pending : strings.why.fate[run.status],
        open,
      };
    }),
  };
}
