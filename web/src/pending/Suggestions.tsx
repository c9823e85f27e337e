import { useState } from "react";
import { api } from "../api/client";
import type { Run, Workspace } from "../api/types";
import { nameOf } from "../api/workspace";
import { colorOf } from "../app/identity";
import { Notice } from "../chat/Notice";
import { RunBar } from "../chat/RunBar";
import { describeUndo } from "../chat/undo";
import { strings } from "../strings";

interface SuggestionsProps {
  /** What waits on this page, fairies' runs included. */
  runs: readonly Run[];
  workspace: Workspace;
  me: string;
  /** Whether this person may say what stays; a suggester is only told that it waits. */
  mayEdit: boolean;
  /** The shapes that elements make up: a box and its label are one. */
  shapesOf(elements: readonly string[]): string[];
  onShow(run: Run): void;
  onLook(run: string | null): void;
}

/** What people drew who may only suggest, for whoever may edit to keep or undo. */
export function Suggestions({ runs, workspace, me, mayEdit, shapesOf, onShow, onLook }: SuggestionsProps) {
  const [note, setNote] = useState<string | null>(null);
  const waiting = runs.filter((run) => run.fairy === "" && (mayEdit || run.author === me));
  const name = (subject: string) => {
    const known = nameOf(workspace, subject, me);
    return known === "you" ? strings.run.you : known;
  };
  const undo = async (run: Run) => {
    const result = await api.undo(run.id);
    setNote(describeUndo(result, name, (id) => shapesOf([id])[0] ?? id));
  };
  const keep = async (run: Run) => {
    await api.keep(run.id);
    setNote(null);
  };
  if (waiting.length === 0 && note === null) return null;
  return (
    <div className="suggestions run-bars" data-testid="suggestions">
      {note && (
        <Notice tone="calm" onDismiss={() => setNote(null)}>
          {note}
        </Notice>
      )}
      {waiting.map((run) =>
        mayEdit ? (
          <RunBar
            key={run.id}
            run={{ ...run, message: strings.suggestions.by(name(run.author ?? "")) }}
            color={colorOf(run.author ?? "")}
            elsewhere={null}
            shapes={shapesOf(run.elements).length}
            part={null}
            onKeep={keep}
            onUndo={undo}
            onShow={onShow}
            onLook={onLook}
          />
        ) : (
          <p key={run.id} className="run-bar" style={{ ["--run-color" as string]: colorOf(me) }}>
            {strings.suggestions.waits(shapesOf(run.elements).length)}
          </p>
        ),
      )}
    </div>
  );
}
