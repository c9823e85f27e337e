import { useState } from "react";
import type { Run } from "../api/types";
import { colorOf } from "../app/identity";
import { maySettle } from "../app/rights";
import { shapesOf } from "../app/shapes";
import { useScene } from "../app/useScene";
import { Notice } from "../chat/Notice";
import { RunBar } from "../chat/RunBar";
import { FAIRY_COLOR } from "../fairies/paint";
import { calledIn, useHandle, usePage, usePending, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";

/** What people drew who may only suggest, and what fairies did that cannot be seen from here: to keep or undo. */
export function Suggestions() {
  const runs = usePending();
  const handle = useHandle();
  useScene(handle);
  const rights = useRights();
  const isCanvas = usePage()?.kind !== "text";
  const { workspace, session, keepRun, undoRun, reopenRun, showRun, lookAt, show, fail } = useParts(
    "workspace",
    "session",
    "keepRun",
    "undoRun",
    "reopenRun",
    "showRun",
    "lookAt",
    "show",
    "fail",
  );
  const me = session.subject;
  const [note, setNote] = useState<{ text: string; undone?: string } | null>(null);
  // What a fairy did that can be seen is decided in its chat.
  const inChat = (run: Run) => workspace.fairies.some(({ id }) => id === run.fairy);
  const waiting = runs.filter((run) => !inChat(run) && (maySettle(rights, run) || run.author === me));
  const undo = async (run: Run) => setNote({ text: await undoRun(run.id), undone: run.id });
  const bringBack = (run: string) => void reopenRun(run).then((text) => setNote({ text }), fail);
  const keep = async (run: Run) => {
    await keepRun(run.id);
    setNote(null);
  };
  if (waiting.length === 0 && note === null) return null;
  const undone = note?.undone;
  return (
    <div className="suggestions run-bars" data-testid="suggestions">
      {note && (
        <Notice
          tone="calm"
          action={undone ? { label: strings.run.bringBack, run: () => bringBack(undone) } : undefined}
          onDismiss={() => setNote(null)}
        >
          {note.text}
        </Notice>
      )}
      {waiting.map((run) =>
        maySettle(rights, run) ? (
          <RunBar
            key={run.id}
            run={run.fairy ? run : { ...run, message: strings.suggestions.by(calledIn({ workspace, session }, run.author ?? "")) }}
            color={run.fairy ? FAIRY_COLOR : colorOf(run.author ?? "")}
            elsewhere={null}
            shapes={shapesOf(handle, run.elements).length}
            part={null}
            onKeep={keep}
            onUndo={undo}
            onShow={showRun}
            onChanges={isCanvas ? (changed) => show({ kind: "changes", run: changed }) : undefined}
            onLook={lookAt}
          />
        ) : (
          <p key={run.id} className="run-bar" style={{ ["--run-color" as string]: colorOf(me) }}>
            {strings.suggestions.waits(shapesOf(handle, run.elements).length)}
          </p>
        ),
      )}
    </div>
  );
}
