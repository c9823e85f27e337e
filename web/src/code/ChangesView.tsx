import { useEffect, useState } from "react";
import type { Run } from "../api/types";
import { isPending } from "../api/workspace";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { ChangedFile } from "./ChangedFile";
import { codeApi } from "./client";
import type { FileChange, Part } from "./types";

interface ChangesViewProps {
  run: Run;
  version: number;
  readOnly: boolean;
  onKeep(run: Run, part: Part): Promise<void>;
  onUndo(run: Run, part: Part): Promise<void>;
  onOpen(path: string): void;
}

/** What a run changed, file by file. */
export function ChangesView({ run, version, readOnly, onKeep, onUndo, onOpen }: ChangesViewProps) {
  const [changes, setChanges] = useState<FileChange[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  // A part that was settled changes what the run still holds.
  const held = run.elements.join("\n");
  const [asked, askAgain] = useState(0);
  useEffect(() => {
    let current = true;
    codeApi.changes(run.id).then(
      (found) => current && setChanges(found),
      (error: Error) => current && setProblem(error.message),
    );
    return () => {
      current = false;
    };
  }, [run.id, run.status, held, version, asked]);

  const open = !readOnly && isPending(run);
  const settle = async (how: typeof onKeep, part: Part) => {
    setWorking(true);
    setProblem(null);
    try {
      await how(run, part);
      askAgain((n) => n + 1);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : strings.chat.failed);
    } finally {
      setWorking(false);
    }
  };
  return (
    <div className="changes-view" data-testid="code-changes">
      <header className="changes-head">
        <p>
          <q>{run.message}</q>
        </p>
        {open && (
          <>
            <button type="button" className="button small" disabled={working} onClick={() => void settle(onUndo, {})}>
              {strings.code.undoAll}
            </button>
            <button type="button" className="button small primary" disabled={working} onClick={() => void settle(onKeep, {})}>
              {strings.code.keepAll}
            </button>
          </>
        )}
      </header>
      <Problem words={problem} />
      {changes === null && !problem && <p className="code-note">{strings.code.loading}</p>}
      {changes?.length === 0 && <p className="code-note">{strings.code.none}</p>}
      {changes?.map((change) => (
        <ChangedFile
          key={change.path}
          change={change}
          open={open}
          working={working}
          onKeep={(part) => void settle(onKeep, part)}
          onUndo={(part) => void settle(onUndo, part)}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}
