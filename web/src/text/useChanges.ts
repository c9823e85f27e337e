import type { EditorView } from "prosemirror-view";
import { useEffect } from "react";
import { api } from "../api/client";
import type { Run } from "../api/types";
import type { PageSession } from "../sync";
import { changesKey, wordChanges } from "./changes";

/** Shows before and after in the words, of what waits to be decided about. */
export function useChanges(
  view: EditorView | null,
  session: PageSession,
  runs: readonly Run[],
  showing: boolean,
  decided: number,
  onProblem: (message: string) => void,
): void {
  // What waits of a run changes when it ends, and when a part of it is decided about.
  const about = showing ? [decided, ...runs.map(({ id, status, elements }) => `${id} ${status} ${elements.length}`)].join() : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `runs` is new with every word; `about` tells what matters of it
  useEffect(() => {
    if (!view) return;
    let current = true;
    const put = (changes: ReturnType<typeof wordChanges>) => {
      if (current && !view.isDestroyed) view.dispatch(view.state.tr.setMeta(changesKey, changes));
    };
    if (about === null) put([]);
    else {
      const asked = runs.map(async ({ id }) => ({ id, changes: await api.changes(id) }));
      Promise.all(asked).then(
        (told) => put(told.flatMap(({ id, changes }) => wordChanges(id, changes, session.doc, view.state.doc))),
        (error: Error) => onProblem(error.message),
      );
    }
    return () => {
      current = false;
    };
  }, [view, session, about, onProblem]);
}
