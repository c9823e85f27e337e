import { useState } from "react";
import type { Run } from "../api/types";
import { colorOf } from "../app/identity";
import { maySettle } from "../app/rights";
import { shapesOf } from "../app/shapes";
import { Notice } from "../chat/Notice";
import { RunBar } from "../chat/RunBar";
import { FAIRY_COLOR } from "../fairies/paint";
import { calledIn, useHandle, usePending, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";

/** What people drew who may only suggest, and what fairies did that cannot be seen from here: to keep or undo. */
export function Suggestions() {
  const runs = usePending();
  const handle = useHandle();
  const rights = useRights();
  const { workspace, session, keepRun, undoRun, showRun, lookAt } = useParts(
    "workspace",
    "session",
    "keepRun",
    "undoRun",
    "showRun",
    "lookAt",
  );
  const me = session.subject;
  const [note, setNote] = useState<string | null>(null);
  // What a fairy did that can be seen is decided in its chat.
  const inChat = (run: Run) => workspace.fairies.some(({ id }) => id === run.fairy);
  const waiting = runs.filter((run) => !inChat(run) && (maySettle(rights, run) || run.author === me));
  const undo = async (run: Run) => setNote(await undoRun(run.id));
  const keep = async (run: Run) => {
    await keepRun(run.id);
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
