import { useCallback, useEffect, useState } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Why } from "../api/types";

export type Answer = { state: "asking" } | { state: "told"; shape: Why; label: Why | null } | { state: "failed"; message: string };

/** Asks the server about a shape and its label; `again` asks once more. */
export function useWhy(page: string, element: string, label: string | undefined): { answer: Answer; again(): void } {
  const [answer, setAnswer] = useState<Answer>({ state: "asking" });
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((n) => n + 1), []);
  useEffect(() => {
    let current = true;
    setAnswer({ state: "asking" });
    Promise.all([api.why(page, element), label ? api.why(page, label) : null]).then(
      ([shape, label]) => {
        if (current) setAnswer({ state: "told", shape, label });
      },
      (error: unknown) => {
        const message = failed(error);
        if (current) setAnswer({ state: "failed", message });
      },
    );
    return () => {
      current = false;
    };
  }, [page, element, label, attempt]);
  return { answer, again };
}
