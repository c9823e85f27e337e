import { api } from "../api/client";
import type { RunPart } from "../api/types";
import { describeUndo } from "../chat/undo";
import { calledIn, shapeIn } from "./select";
import type { Get } from "./store";

/** Deciding about what a run did. */
export interface Runs {
  keepRun(run: string, part?: RunPart): Promise<void>;
  /** Undoes it and answers what that did, in words: what went, what stayed and for whom. */
  undoRun(run: string, part?: RunPart): Promise<string>;
}

export function runs(get: Get): Runs {
  return {
    keepRun: async (run, part) => void (await api.keep(run, part)),
    undoRun: async (run, part) => {
      const result = await api.undo(run, part);
      return describeUndo(
        result,
        (subject) => calledIn(get(), subject),
        (element) => shapeIn(get(), element),
      );
    },
  };
}
