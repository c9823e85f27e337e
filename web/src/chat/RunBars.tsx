import { useState, type ReactNode } from "react";
import { ApiError } from "../api/client";
import type { Run } from "../api/types";
import { ConfirmButton } from "../app/ConfirmButton";
import { Problem } from "../app/Problem";
import { strings } from "../strings";

interface RunBarsProps {
  /** Those that wait, on pages that are there. */
  runs: readonly Run[];
  /** The page on screen. */
  page: string;
  bar(run: Run): ReactNode;
  onKeep(run: Run): Promise<void>;
  onUndo(run: Run): Promise<void>;
}

/** Those of this page and those of others, the newest first. */
export function byPage(runs: readonly Run[], page: string): { here: Run[]; elsewhere: Run[] } {
  const newestFirst = [...runs].sort((a, b) => b.startedAt - a.startedAt);
  return { here: newestFirst.filter((run) => run.page === page), elsewhere: newestFirst.filter((run) => run.page !== page) };
}

/** What waits to be kept or undone: what was made last on this page comes first, what lies elsewhere is folded away. */
export function RunBars({ runs, page, bar, onKeep, onUndo }: RunBarsProps) {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { here, elsewhere } = byPage(runs, page);
  const all = async (settle: (run: Run) => Promise<void>) => {
    setWorking(true);
    setProblem(null);
    try {
      for (const run of here) await settle(run);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : strings.errors.byStatus(500));
    } finally {
      setWorking(false);
    }
  };
  return (
    <>
      <div className="run-bars">{here.map(bar)}</div>
      {here.length > 1 && (
        <div className="run-all">
          <span className="run-count">{strings.run.waitHere(here.length)}</span>
          <ConfirmButton
            label={strings.run.undoAll}
            really={strings.run.reallyUndoAll}
            disabled={working}
            onConfirm={() => void all(onUndo)}
          />
          <button type="button" className="button small" disabled={working} onClick={() => void all(onKeep)}>
            {strings.run.keepAll}
          </button>
        </div>
      )}
      <Problem words={problem} />
      {elsewhere.length > 0 && (
        <details className="run-elsewhere">
          <summary>{strings.run.waitElsewhere(elsewhere.length)}</summary>
          <div className="run-bars">{elsewhere.map(bar)}</div>
        </details>
      )}
    </>
  );
}
