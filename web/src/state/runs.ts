import { api } from "../api/client";
import type { RunPart } from "../api/types";
import { describeReopening, describeUndo } from "../chat/undo";
import { calledIn, shapeIn } from "./select";
import type { Get } from "./store";

/** Deciding about what a run did. */
export interface Runs {
  keepRun(run: string, part?: RunPart): Promise<void>;
  /** Undoes it and answers what that did, in words: what went, what stayed and for whom. */
  undoRun(run: string, part?: RunPart): Promise<string>;
  /** Takes its undo back and answers what that did, in words. */
  reopenRun(run: string): Promise<string>;
}

export function runs(get: Get): Runs {
  const called = (subject: string) => calledIn(get(), subject);
  const shape = (element: string) => shapeIn(get(), element);
  return {
    keepRun: async (run, part) => void (await api.keep(run, part)),
    undoRun: async (run, part) => describeUndo(await api.undo(run, part), called, shape),
    reopenRun: async (run) => describeReopening(await api.reopen(run), called, shape),
  };
}
