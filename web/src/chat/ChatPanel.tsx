import { useCallback, useEffect, useState } from "react";
import { failed } from "../api/failed";
import type { Fairy, Page, Run } from "../api/types";
import { runningRun, runsToSettle } from "../api/workspace";
import { FairyPick } from "../app/FairyPick";
import { maySettle } from "../app/rights";
import { shapesOf } from "../app/shapes";
import { useFairyActivity } from "../app/usePresence";
import { useScene } from "../app/useScene";
import { ActionDiff } from "../changes/ActionDiff";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { useHandle, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { Composer } from "./Composer";
import { ContextChips } from "./ContextChips";
import { Conversation } from "./Conversation";
import { createChat } from "./createChat";
import { Examples } from "./Examples";
import { FailureNotice } from "./FailureNotice";
import { describeChatError } from "./failure";
import { spentOf, verdictOf } from "./fate";
import { plainText } from "./message";
import { Notice } from "./Notice";
import { PanelHeader } from "./PanelHeader";
import { partOf } from "./part";
import { RunBar } from "./RunBar";
import { RunBars } from "./RunBars";
import { TodoList } from "./TodoList";
import { useFairyChat } from "./useFairyChat";

interface ChatPanelProps {
  fairy: Fairy;
  /** The page on screen. */
  page: Page;
  phone: boolean;
  open: boolean;
}

/** The panel of one fairy: who it is, what was said, what waits to be kept, and where to speak. */
export default function ChatPanel({ fairy, page, phone, open }: ChatPanelProps) {
  const { workspace, line, selection, focusAsked, unasked, jump } = useParts(
    "workspace",
    "line",
    "selection",
    "focusAsked",
    "unasked",
    "jump",
  );
  const act = useParts(
    "composer",
    "askWaiting",
    "chatWith",
    "keepRun",
    "undoRun",
    "reopenRun",
    "find",
    "togglePanel",
    "showElements",
    "showRun",
    "lookAt",
    "setInline",
    "show",
  );
  const handle = useHandle();
  useScene(handle);
  const rights = useRights();
  const chat = act.chatWith(fairy.id, createChat);
  const generating = useFairyActivity(fairy.id) === "generating";
  const running = runningRun(workspace, fairy.id);
  const talk = useFairyChat(chat, running?.id, line);
  const busy = talk.state.is === "streaming" || running !== undefined || generating;
  const [stopping, setStopping] = useState(false);
  const [note, setNote] = useState<{ tone: "calm" | "bad"; text: string; undone?: string } | null>(null);

  const elsewhere = (id: string) => {
    if (id === page.id) return null;
    return workspace.pages.find((page) => page.id === id)?.name || strings.page.untitled;
  };

  const send = (text: string) => {
    setNote(null);
    void talk.send(text);
  };

  const stop = async () => {
    setStopping(true);
    try {
      await talk.stop();
    } catch (error) {
      setNote({ tone: "bad", text: error instanceof Error ? error.message : strings.chat.failed });
    } finally {
      setStopping(false);
    }
  };

  const keep = async (run: Run) => {
    await act.keepRun(run.id);
    setNote(null);
  };

  const undo = async (run: Run, elements?: string[]) =>
    setNote({ tone: "calm", text: await act.undoRun(run.id, elements ? { elements } : {}), undone: run.id });

  const bringBack = async (run: string) => {
    try {
      setNote({ tone: "calm", text: await act.reopenRun(run) });
    } catch (error) {
      setNote({ tone: "bad", text: failed(error) });
    }
  };

  const diff = useCallback((run: string, action: number) => handle && <ActionDiff run={run} action={action} handle={handle} />, [handle]);

  useEffect(() => {
    if (focusAsked > 0) act.composer.current?.focus();
  }, [focusAsked, act.composer]);

  useEffect(() => {
    if (unasked.length > 0) act.askWaiting();
  }, [unasked, act.askWaiting]);

  const undone = note?.undone;
  const runOf = (id: string | undefined) => workspace.runs.find((candidate) => candidate.id === id);
  const last = talk.messages.at(-1);
  const failure = last?.role === "assistant" ? last.metadata?.error : undefined;
  const asked = talk.messages.findLast(({ role }) => role === "user");

  return (
    <aside className="panel" data-testid="chat-panel" data-open={open} aria-label={strings.panel.name(fairy.name)} hidden={!open && !phone}>
      <PanelHeader
        fairy={fairy}
        busy={busy}
        elsewhere={elsewhere(fairy.page)}
        readOnly={!rights.ask}
        phone={phone}
        open={open}
        onFind={() => act.find(fairy)}
        onToggle={act.togglePanel}
      />
      <div className="panel-body" id="chat-panel-body" hidden={!open}>
        <FairyPick current={fairy.id} />
        <Conversation
          fairy={fairy.name}
          messages={talk.messages}
          streaming={talk.state.is === "streaming"}
          verdict={(run) => verdictOf(runOf(run))}
          spent={(run) => spentOf(runOf(run))}
          reopen={(id) => {
            const run = runOf(id);
            return run?.status === "undone" && maySettle(rights, run) ? () => void bringBack(run.id) : null;
          }}
          diff={diff}
          onShow={act.showElements}
          jump={jump}
          empty={
            talk.state.is === "loading" ? (
              <p className="loading">{strings.chat.loading}</p>
            ) : (
              <Examples fairy={fairy.name} kind={page.kind} readOnly={!rights.ask} onPick={send} />
            )
          }
        >
          {talk.state.is === "lost" && (
            <Notice tone="bad" action={{ label: strings.chat.tryAgain, run: () => void talk.reload() }}>
              {strings.chat.historyLost}
            </Notice>
          )}
          {failure && !busy && (
            <FailureNotice
              failure={failure}
              at={Number(new Date(runOf(last?.metadata?.run)?.endedAt ?? Date.now()))}
              {...(rights.ask && asked ? { onRetry: () => send(plainText(asked)), onGoOn: () => send(strings.runFailure.goOnWords) } : {})}
            />
          )}
          {talk.state.is === "failed" && !failure && (
            <Notice tone="bad" action={{ label: strings.chat.tryAgain, run: () => void talk.retry() }} onDismiss={talk.clearError}>
              {describeChatError(talk.state.error, talk.messages.at(-1)?.role)}
            </Notice>
          )}
        </Conversation>
        <div className="panel-foot">
          {note && (
            <Notice
              tone={note.tone}
              action={undone ? { label: strings.run.bringBack, run: () => void bringBack(undone) } : undefined}
              onDismiss={() => setNote(null)}
            >
              {note.text}
            </Notice>
          )}
          <RunBars
            runs={runsToSettle(workspace, fairy.id).filter((run) => maySettle(rights, run))}
            page={page.id}
            onKeep={keep}
            onUndo={undo}
            bar={(run) => (
              <RunBar
                key={run.id}
                run={run}
                color={paint(fairy.color, FAIRY_COLOR)}
                elsewhere={elsewhere(run.page)}
                shapes={shapesOf(handle, run.elements).length}
                blocks={workspace.pages.find(({ id }) => id === run.page)?.kind === "text"}
                part={partOf(run.elements, selection, (id) => shapesOf(handle, [id])[0] ?? id)}
                onKeep={keep}
                onUndo={undo}
                onShow={act.showRun}
                onChanges={page.kind === "text" ? () => act.setInline(true) : (run) => act.show({ kind: "changes", run })}
                onLook={act.lookAt}
              />
            )}
          />
          <TodoList todos={fairy.todos} />
          <Composer
            ref={act.composer}
            fairy={fairy.name}
            placeholder={page.kind === "text" ? strings.text.askHere(fairy.name) : strings.chat.placeholder(fairy.name)}
            busy={busy}
            stopping={stopping}
            readOnly={!rights.ask}
            chips={<ContextChips pointing={page.kind !== "text"} />}
            onSend={send}
            onStop={() => void stop()}
          />
        </div>
      </div>
    </aside>
  );
}
