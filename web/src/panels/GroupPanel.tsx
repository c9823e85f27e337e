import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import { useFairyPresences } from "../app/usePresence";
import type { Run } from "../api/types";
import { runningRun, runsToSettle } from "../api/workspace";
import { maySettle } from "../app/rights";
import { shapesOf } from "../app/shapes";
import { useScene } from "../app/useScene";
import { askedBy } from "../chat/asked";
import { groupLines, shares } from "../chat/group";
import { clock, type FairyMessage } from "../chat/message";
import { Words } from "../comments/Words";
import { FairyArt } from "../fairies/FairyArt";
import { appearance, describeMode, presenceOf } from "../fairies/roster";
import { useHandle, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { SidePanel } from "./SidePanel";

function Said({ at }: { at: number }) {
  return <span className="message-time">{at > 0 && clock(at, new Date())}</span>;
}

interface DecidingProps {
  /** What waits to be kept or undone, if it does. */
  run: Run | undefined;
  onKeep(run: Run): void;
  onUndo(run: Run): void;
}

function Deciding({ run, onKeep, onUndo }: DecidingProps) {
  if (!run) return null;
  return (
    <span className="run-all">
      <button type="button" className="button small" onClick={() => onUndo(run)}>
        {strings.run.undo}
      </button>
      <button type="button" className="button small primary" onClick={() => onKeep(run)}>
        {strings.run.keep}
      </button>
    </span>
  );
}

/** One conversation with several fairies: words go to those they name, and everyone's answers come together. */
export default function GroupPanel() {
  const {
    workspace,
    take,
    stop,
    problem,
    keepRun,
    undoRun,
    say: tell,
  } = useParts("workspace", "take", "stop", "problem", "keepRun", "undoRun", "say");
  const rights = useRights();
  const handle = useHandle();
  useScene(handle);
  const [chats, setChats] = useState<ReadonlyMap<string, readonly FairyMessage[]>>(new Map());
  const end = useRef<HTMLLIElement>(null);
  const { fairies, runs } = workspace;
  const presences = useFairyPresences();

  const load = useCallback((fairy: string) => {
    api.history<FairyMessage>(fairy).then(
      ({ messages }) => setChats((was) => new Map(was).set(fairy, messages)),
      () => {},
    );
  }, []);

  // Read again whenever a run of its begins or ends.
  const states = useMemo(
    () =>
      fairies.map(
        ({ id }) =>
          `${id} ${runs
            .filter((run) => run.fairy === id)
            .map((run) => run.id + run.status)
            .join()}`,
      ),
    [fairies, runs],
  );
  const seen = useRef(new Set<string>());
  useEffect(() => {
    for (const state of states) {
      if (seen.current.has(state)) continue;
      seen.current.add(state);
      const id = state.split(" ")[0];
      if (id) load(id);
    }
  }, [states, load]);

  const lines = groupLines(chats);
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which React would take for the way to clean up.
    end.current?.scrollIntoView({ block: "nearest" });
  }, [lines.length]);
  const known = (id: string) => fairies.find((fairy) => fairy.id === id);

  const toDecide = (id: string | undefined) =>
    runs.find((run) => run.id === id && maySettle(rights, run) && runsToSettle(workspace, run.fairy).includes(run));
  const keep = (run: Run) => void keepRun(run.id).catch((error: Error) => problem(error.message));
  const undo = (run: Run) =>
    void undoRun(run.id).then(
      (text) => tell({ tone: "calm", text }),
      (error: Error) => problem(error.message),
    );

  const say = (text: string) => {
    const along = take();
    for (const [{ id }, message] of shares(text, fairies)) {
      api.interrupt(id, { message, ...along }).catch((error: Error) => problem(error.message));
    }
  };

  return (
    <SidePanel title={strings.group.title} testId="group-panel">
      <div className="group">
        <ol className="group-log" role="log" aria-label={strings.group.title} tabIndex={0}>
          {lines.length === 0 && <li className="side-empty">{strings.group.none}</li>}
          {lines.map((line) =>
            line.kind === "asked" ? (
              <li key={line.key} className="message" data-role="user">
                <p className="message-author">
                  <span>
                    {strings.group.fromTo(
                      askedBy(line.message),
                      fairies
                        .filter(({ id }) => line.to.includes(id))
                        .map(({ name }) => name)
                        .join(", "),
                    )}
                  </span>
                  <Said at={line.at} />
                </p>
                <p className="words">{line.text}</p>
              </li>
            ) : (
              <li key={line.key} className="group-said">
                {known(line.fairy) && <FairyArt {...appearance(known(line.fairy)!, undefined)} pose="idle" />}
                <span>
                  <b>
                    {known(line.fairy)?.name} <Said at={line.at} />
                  </b>
                  <span className="words">{line.text || strings.run.shapes(shapesOf(handle, line.elements).length)}</span>
                  <Deciding run={toDecide(line.run)} onKeep={keep} onUndo={undo} />
                </span>
              </li>
            ),
          )}
          {fairies
            .filter(({ id }) => runningRun(workspace, id))
            .map((fairy) => (
              <li key={fairy.id} className="group-said" data-busy>
                <FairyArt {...appearance(fairy, presenceOf(fairy.id, presences))} />
                <span>
                  <b>{fairy.name}</b>
                  <span>{describeMode(fairy, presenceOf(fairy.id, presences), true)}</span>
                </span>
                <button
                  type="button"
                  className="button small stop"
                  aria-label={strings.fairy.stop(fairy.name)}
                  onClick={() => stop(fairy.id)}
                >
                  <span className="stop-mark" aria-hidden="true" />
                  {strings.chat.stop}
                </button>
              </li>
            ))}
          <li ref={end} aria-hidden="true" />
        </ol>
        {rights.ask && <Words label={strings.group.say} placeholder={strings.group.placeholder} send={strings.chat.send} onSend={say} />}
      </div>
    </SidePanel>
  );
}
