import { useMemo } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Run, RunPart, Workspace } from "../api/types";
import { nameOf } from "../api/workspace";
import type { CanvasHandle } from "../canvas";
import { describeReopening, describeUndo } from "../chat/undo";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { strings } from "../strings";
import { colorOf } from "./identity";
import { shapesOf } from "./shapes";
import type { Toast } from "./Toast";

interface SettlingOptions {
  workspace: Workspace;
  page: string | undefined;
  me: string;
  handle: CanvasHandle | null;
  onToast(toast: Toast): void;
}

/** What runs do on a page, whose they are, and keeping or undoing parts of them there. */
export function useSettling({ workspace, page, me, handle, onToast }: SettlingOptions) {
  const runs = useMemo(() => workspace.runs.filter((run) => run.page === page && !run.settled), [workspace.runs, page]);
  const fairyOf = (run: Run) => workspace.fairies.find(({ id }) => id === run.fairy);
  const name = (subject: string) => {
    const known = nameOf(workspace, subject, me);
    return known === "you" ? strings.run.you : known;
  };
  const shape = (id: string) => shapesOf(handle, [id])[0] ?? id;
  const bringBack = async (run: Run) => {
    try {
      onToast({ tone: "calm", text: describeReopening(await api.reopen(run.id), name, shape) });
    } catch (error) {
      onToast({ tone: "bad", text: failed(error) });
    }
  };
  return {
    /** Being written, or waiting to be decided about. */
    runs,
    author: (run: Run) => ({
      name: fairyOf(run)?.name ?? name(run.author ?? ""),
      color: run.fairy ? paint(fairyOf(run)?.color, FAIRY_COLOR) : colorOf(run.author ?? ""),
    }),
    settle: async (run: Run, how: "keep" | "undo", part: RunPart) => {
      try {
        if (how === "keep") return void (await api.keep(run.id, part));
        const result = await api.undo(run.id, part);
        const action = { label: strings.run.bringBack, run: () => void bringBack(run) };
        onToast({ tone: "calm", text: describeUndo(result, name, shape), ...(result.undone > 0 ? { action } : {}) });
      } catch (error) {
        onToast({ tone: "bad", text: failed(error) });
      }
    },
  };
}
