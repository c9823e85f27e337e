import { useState } from "react";
import { ApiError } from "../api/client";
import type { Run } from "../api/types";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { oneLine } from "./message";
import type { Part } from "./part";

interface RunBarProps {
  run: Run;
  /** The fairy's own, as on the page. */
  color: string;
  /** The page it drew on, when that is not the one on screen. */
  elsewhere: string | null;
  /** How many shapes it made or changed. */
  shapes: number;
  /** They are blocks of a text page. */
  blocks?: boolean;
  onKeep(run: Run): Promise<void>;
  /** Some of its shapes are selected, and can be taken back alone. */
  part: Part | null;
  onUndo(run: Run, elements?: string[]): Promise<void>;
  onShow(run: Run): void;
  /** Asks for before and after; not while its page is elsewhere. */
  onChanges?(run: Run): void;
  /** Someone looks at this one, by pointer or keyboard; null when they have moved on. */
  onLook(run: string | null): void;
}

/** One finished run, waiting for a person to say whether it may stay. */
export function RunBar({ run, color, elsewhere, shapes, blocks = false, part, onKeep, onUndo, onShow, onChanges, onLook }: RunBarProps) {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Whether a run lies in the region that somebody is limited to, only the server knows: no is said once.
  const [refused, setRefused] = useState(false);
  const title = oneLine(run.message, 80) || strings.run.untitled;

  const settle = async (how: () => Promise<void>) => {
    setWorking(true);
    setProblem(null);
    try {
      await how();
    } catch (error) {
      setRefused(error instanceof ApiError && error.status === 403);
      setProblem(error instanceof ApiError ? error.message : strings.errors.byStatus(500));
    } finally {
      setWorking(false);
    }
  };

  const how = run.status === "cancelled" ? strings.run.stopped : run.status === "failed" ? strings.run.failed : null;
  return (
    <section
      className="run-bar"
      data-testid="run-bar"
      data-run={run.id}
      aria-label={strings.run.bar(title)}
      style={{ ["--run-color" as string]: color }}
      onPointerEnter={() => onLook(run.id)}
      onPointerLeave={() => onLook(null)}
      onFocus={() => onLook(run.id)}
      onBlur={() => onLook(null)}
    >
      <div className="run-head">
        <p className="run-what" title={run.message}>
          {title}
        </p>
        {!elsewhere && onChanges && (
          <button type="button" className="run-show" onClick={() => onChanges(run)}>
            {strings.changes.show}
          </button>
        )}
        <Tip says={strings.action.goTo(title)}>
          <button type="button" className="run-show" onClick={() => onShow(run)}>
            {strings.run.show}
          </button>
        </Tip>
      </div>
      {part && !refused && (
        <div className="run-part">
          <span className="run-count">{strings.run.part(part.shapes, shapes)}</span>
          <button type="button" className="button" disabled={working} onClick={() => void settle(() => onUndo(run, part.elements))}>
            {strings.run.undoPart}
          </button>
        </div>
      )}
      <span className="run-count">
        {elsewhere ? strings.run.elsewhere(elsewhere) : (blocks ? strings.text.blocks : strings.run.shapes)(shapes)}
        {how && ` · ${how}`}
      </span>
      {!refused && (
        <>
          <button type="button" className="button" disabled={working} onClick={() => void settle(() => onUndo(run))}>
            {strings.run.undo}
          </button>
          <button type="button" className="button primary" disabled={working} onClick={() => void settle(() => onKeep(run))}>
            {strings.run.keep}
          </button>
        </>
      )}
      <Problem words={problem} />
    </section>
  );
}
