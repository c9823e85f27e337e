import { useState } from "react";
import type { Run } from "../api/types";
import { Problem } from "../app/Problem";
import { oneLine } from "../chat/message";
import { strings } from "../strings";
import type { Part } from "./types";

interface CodeRunBarProps {
  run: Run;
  onKeep(run: Run, part: Part): Promise<void>;
  onUndo(run: Run, part: Part): Promise<void>;
  onChanges(run: string): void;
}

/** One run that changed files, waiting for a person to say whether that may stay. */
export function CodeRunBar({ run, onKeep, onUndo, onChanges }: CodeRunBarProps) {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const title = oneLine(run.message, 80) || strings.run.untitled;
  const settle = async (how: typeof onKeep) => {
    setWorking(true);
    setProblem(null);
    try {
      await how(run, {});
    } catch (error) {
      setProblem(error instanceof Error ? error.message : strings.chat.failed);
    } finally {
      setWorking(false);
    }
  };
  const how = run.status === "cancelled" ? strings.run.stopped : run.status === "failed" ? strings.run.failed : null;
  return (
    <section className="run-bar" data-testid="code-run" data-run={run.id} aria-label={strings.run.bar(title)}>
      <div className="run-head">
        <p className="run-what" title={run.message}>
          {title}
        </p>
        <button type="button" className="run-show" aria-label={strings.code.changesOf(title)} onClick={() => onChanges(run.id)}>
          {strings.code.changes}
        </button>
      </div>
      <span className="run-count" title={run.elements.join("\n")}>
        {strings.code.changed(run.elements.length)}
        {how && ` · ${how}`}
      </span>
      <button type="button" className="button" disabled={working} onClick={() => void settle(onUndo)}>
        {strings.code.undo}
      </button>
      <button type="button" className="button primary" disabled={working} onClick={() => void settle(onKeep)}>
        {strings.code.keep}
      </button>
      <Problem words={problem} />
    </section>
  );
}
