import type { Chat } from "@ai-sdk/react";
import { useCallback, useState, type ReactNode, type Ref } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Line } from "../api/store";
import type { Fairy, Page, Run, Workspace } from "../api/types";
import { nameOf, runningRun, runsToSettle } from "../api/workspace";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { useFairyActivity } from "../app/usePresence";
import { strings } from "../strings";
import { Composer, type ComposerHandle } from "./Composer";
import { Conversation } from "./Conversation";
import { Examples } from "./Examples";
import { describeChatError } from "./failure";
import { spentOf, verdictOf } from "./fate";
import type { FairyMessage } from "./message";
import { Notice } from "./Notice";
import { PanelHeader } from "./PanelHeader";
import { partOf } from "./part";
import { RunBar } from "./RunBar";
import { TodoList } from "./TodoList";
import { describeReopening, describeUndo } from "./undo";
import { useFairyChat } from "./useFairyChat";
import type { RunJump } from "./useJump";

interface ChatPanelProps {
  fairy: Fairy;
  chat: Chat<FairyMessage>;
  workspace: Workspace;
  line: Line;
  me: string;
  /** The page on screen. */
  page: Page;
  readOnly: boolean;
  /** Whether this person says what stays of a run. */
  maySettle(run: Run): boolean;
  /** The selected shapes, without labels. */
  selection: readonly string[];
  phone: boolean;
  open: boolean;
  composer: Ref<ComposerHandle>;
  jump: RunJump | null;
  /** What goes along with the next words. */
  chips: ReactNode;
  /** Chooses another fairy, where there is one. */
  pick?: ReactNode;
  /** Ids as a person counts them: a label is no shape beside its box. */
  shapesOf(ids: readonly string[]): string[];
  onToggle(): void;
  onFind(fairy: Fairy): void;
  onShow(elements: string[]): void;
  onShowRun(run: Run): void;
  onLookAtRun(run: string | null): void;
  onChanges(run: Run): void;
  diff(run: string, action: number): ReactNode;
}

/** The panel of one fairy: who it is, what was said, what waits to be kept, and where to speak. */
export function ChatPanel(props: ChatPanelProps) {
  const { fairy, chat, workspace, line, me, readOnly, phone, open, onShow } = props;
  const generating = useFairyActivity(fairy.id) === "generating";
  const running = runningRun(workspace, fairy.id);
  const talk = useFairyChat(chat, running?.id, line);
  const busy = talk.streaming || running !== undefined || generating;
  const [stopping, setStopping] = useState(false);
  const [note, setNote] = useState<{ tone: "calm" | "bad"; text: string } | null>(null);

  const elsewhere = (id: string) => {
    if (id === props.page.id) return null;
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

  const keep = useCallback(async (run: Run) => {
    await api.keep(run.id);
    setNote(null);
  }, []);

  const shapeOf = (id: string) => props.shapesOf([id])[0] ?? id;

  const name = (subject: string) => {
    const known = nameOf(workspace, subject, me);
    return known === "you" ? strings.run.you : known;
  };

  const undo = async (run: Run, elements?: string[]) => {
    const result = await api.undo(run.id, elements ? { elements } : {});
    setNote({ tone: "calm", text: describeUndo(result, name, shapeOf) });
  };

  const bringBack = async (run: string) => {
    try {
      setNote({ tone: "calm", text: describeReopening(await api.reopen(run), name, shapeOf) });
    } catch (error) {
      setNote({ tone: "bad", text: failed(error) });
    }
  };

  const runOf = (id: string | undefined) => workspace.runs.find((candidate) => candidate.id === id);

  return (
    <aside className="panel" data-testid="chat-panel" data-open={open} aria-label={strings.panel.name(fairy.name)} hidden={!open && !phone}>
      <PanelHeader
        fairy={fairy}
        busy={busy}
        elsewhere={elsewhere(fairy.page)}
        readOnly={readOnly}
        phone={phone}
        open={open}
        onFind={() => props.onFind(fairy)}
        onToggle={props.onToggle}
      />
      <div className="panel-body" id="chat-panel-body" hidden={!open}>
        {props.pick}
        <Conversation
          fairy={fairy.name}
          messages={talk.messages}
          streaming={talk.streaming}
          verdict={(run) => verdictOf(runOf(run))}
          spent={(run) => spentOf(runOf(run))}
          reopen={(id) => {
            const run = runOf(id);
            return run?.status === "undone" && props.maySettle(run) ? () => void bringBack(run.id) : null;
          }}
          diff={props.diff}
          onShow={onShow}
          jump={props.jump}
          empty={
            talk.history === "loading" ? (
              <p className="loading">{strings.chat.loading}</p>
            ) : (
              <Examples fairy={fairy.name} kind={props.page.kind} readOnly={readOnly} onPick={send} />
            )
          }
        >
          {talk.history === "failed" && (
            <Notice tone="bad" action={{ label: strings.chat.tryAgain, run: () => void talk.reload() }}>
              {strings.chat.historyLost}
            </Notice>
          )}
          {talk.error && (
            <Notice
              tone="bad"
              action={{ label: strings.chat.tryAgain, run: () => void talk.retry() }}
              onDismiss={talk.clearError}
            >
              {describeChatError(talk.error, talk.messages.at(-1)?.role)}
            </Notice>
          )}
        </Conversation>
        <div className="panel-foot">
          {note && (
            <Notice tone={note.tone} onDismiss={() => setNote(null)}>
              {note.text}
            </Notice>
          )}
          <div className="run-bars">
            {runsToSettle(workspace, fairy.id).filter(props.maySettle).map((run) => (
              <RunBar
                key={run.id}
                run={run}
                color={paint(fairy.color, FAIRY_COLOR)}
                elsewhere={elsewhere(run.page)}
                shapes={props.shapesOf(run.elements).length}
                blocks={workspace.pages.find(({ id }) => id === run.page)?.kind === "text"}
                part={partOf(run.elements, props.selection, shapeOf)}
                onKeep={keep}
                onUndo={undo}
                onShow={props.onShowRun}
                onChanges={props.onChanges}
                onLook={props.onLookAtRun}
              />
            ))}
          </div>
          <TodoList todos={fairy.todos} />
          <Composer
            ref={props.composer}
            fairy={fairy.name}
            placeholder={props.page.kind === "text" ? strings.text.askHere(fairy.name) : strings.chat.placeholder(fairy.name)}
            busy={busy}
            stopping={stopping}
            readOnly={readOnly}
            chips={props.chips}
            onSend={send}
            onStop={() => void stop()}
          />
        </div>
      </div>
    </aside>
  );
}
