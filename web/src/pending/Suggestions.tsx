import { useState } from "react";
import { api } from "../api/client";
import type { Run, Workspace } from "../api/types";
import { nameOf } from "../api/workspace";
import { colorOf } from "../app/identity";
import { Notice } from "../chat/Notice";
import { RunBar } from "../chat/RunBar";
import { describeUndo } from "../chat/undo";
import { FAIRY_COLOR } from "../fairies/paint";
import { strings } from "../strings";

interface SuggestionsProps {
  /** What waits on this page, fairies' runs included. */
  runs: readonly Run[];
  workspace: Workspace;
  me: string;
  /** Whether this person may say what stays; a suggester is only told that it waits. */
  maySettle(run: Run): boolean;
  /** The shapes that elements make up: a box and its label are one. */
  shapesOf(elements: readonly string[]): string[];
  onShow(run: Run): void;
  onLook(run: string | null): void;
}

/** What people drew who may only suggest, and what fairies did that cannot be seen from here: to keep or undo. */
export function Suggestions({ runs, workspace, me, maySettle, shapesOf, onShow, onLook }: SuggestionsProps) {
  const [note, setNote] = useState<string | null>(null);
  // What a fairy did that can be seen is decided in its chat.
  const inChat = (run: Run) => workspace.fairies.some(({ id }) => id === run.fairy);
  const waiting = runs.filter((run) => !inChat(run) && (maySettle(run) || run.author === me));
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
        maySettle(run) ? (
          <RunBar
            key={run.id}
            run={run.fairy ? run : { ...run, message: strings.suggestions.by(name(run.author ?? "")) }}
            color={run.fairy ? FAIRY_COLOR : colorOf(run.author ?? "")}
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
