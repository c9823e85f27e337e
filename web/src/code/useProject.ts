import { useCallback, useEffect, useRef, useState } from "react";
import type { Run } from "../api/types";
import { codeApi } from "./client";
import type { Overview } from "./types";

export interface ProjectState {
  overview: Overview | null;
  problem: string | null;
  /** Grows when files may have changed. */
  version: number;
  /** Looks again, at the chats and at the files. */
  touch(): void;
}

/** The project as the server has it: fetched anew when a run of it goes on, and when one comes back to the window. */
export function useProject(runs: readonly Run[]): ProjectState {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [version, setVersion] = useState(0);
  const newest = useRef(0);

  const touch = useCallback(() => setVersion((n) => n + 1), []);

  useEffect(() => {
    const mine = ++newest.current;
    codeApi.overview().then(
      (found) => {
        if (mine !== newest.current) return;
        setOverview(found);
        setProblem(null);
      },
      (error: Error) => mine === newest.current && setProblem(error.message),
    );
  }, [version]);

  // What a run's row says changes when it begins, ends, or is settled in part.
  const told = runs.map(({ id, status, elements }) => `${id} ${status} ${elements.join()}`).join("\n");
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else touch();
  }, [told, touch]);

  useEffect(() => {
    addEventListener("focus", touch);
    return () => removeEventListener("focus", touch);
  }, [touch]);

  return { overview, problem, version, touch };
}
