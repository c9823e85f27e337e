import { useCallback, useEffect, useRef, useState } from "react";
import type { Line } from "../api/store";
import type { Run, UndoResult, Workspace } from "../api/types";
import { runningRun, runsToSettle } from "../api/workspace";
import { asker } from "../chat/asked";
import { Composer, type ComposerHandle } from "../chat/Composer";
import { describeChatError } from "../chat/failure";
import { spentOf, verdictOf } from "../chat/fate";
import { Log } from "../chat/Log";
import { plainText } from "../chat/message";
import { Thinking } from "../chat/MessageView";
import { Notice } from "../chat/Notice";
import { useFairyChat } from "../chat/useFairyChat";
import { useJump, type RunJump } from "../chat/useJump";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { Allowed } from "./Allowed";
import { codeApi } from "./client";
import { codeChat } from "./codeChat";
import { CodeMessageView } from "./CodeMessageView";
import { CodeExamples } from "./CodeExamples";
import { CodeRunBar } from "./CodeRunBar";
import { FailureNotice } from "./FailureNotice";
import type { CodeChat, CodeMessage, Part, Reach } from "./types";

interface ChatSideProps {
  chat: CodeChat;
  project: string;
  workspace: Workspace;
  line: Line;
  mayAsk: boolean;
  maySettle: boolean;
  jump: RunJump | null;
  onOpen(path: string, line?: number): void;
  onChanges(run: string): void;
  onKeep(run: Run, part: Part): Promise<void>;
  onUndo(run: Run, part: Part): Promise<void>;
  /** Files, or what the chats hold, may be different now. */
  onTouched(): void;
  onSettled(result: UndoResult): void;
}

/** Calls that were carried out: with each of them a file may have changed. */
const done = (messages: readonly CodeMessage[]) =>
  messages.at(-1)?.parts.filter((part) => "state" in part && part.state === "output-available").length ?? 0;

/** One chat about the code: what was said, what waits to be decided, and where to speak. */
export function ChatSide(props: ChatSideProps) {
  const { chat, workspace, line, mayAsk, maySettle, onOpen, onTouched, onSettled } = props;
  const talking = codeChat(chat.id);
  const running = runningRun(workspace, chat.id);
  const talk = useFairyChat<CodeMessage>(talking, running?.id, line, codeApi.abort);
  const { messages, refresh } = talk;
  const streaming = talk.state.is === "streaming";
  const busy = streaming || running !== undefined;
  const [stopping, setStopping] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const composer = useRef<ComposerHandle>(null);
  const log = useRef<HTMLDivElement>(null);
  const lit = useJump(log, props.jump, messages);
  const title = chat.title || strings.code.untitled;

  // The server names messages: once a reply has ended, they are fetched under the names that it knows.
  const streamed = useRef(false);
  useEffect(() => {
    if (streamed.current && !streaming && talking.messages.at(-1)?.role === "assistant") {
      void refresh();
      onTouched();
    }
    streamed.current = streaming;
  }, [streaming, talking, refresh, onTouched]);

  const carried = done(messages);
  useEffect(() => {
    if (carried > 0) onTouched();
  }, [carried, onTouched]);

  const attempt = useCallback(async (what: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await what();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : strings.chat.failed);
    }
  }, []);

  const answer = useCallback(
    async (approval: string, allow: boolean, reach?: Reach) => {
      await codeApi.approve(chat.id, approval, allow, reach);
      onTouched();
    },
    [chat.id, onTouched],
  );
  const again = useCallback(
    (messageId: string, text: string) =>
      void attempt(async () => {
        talking.clearError();
        await talking.sendMessage({ text, messageId, metadata: { createdAt: Date.now(), ...asker() } });
      }),
    [talking, attempt],
  );
  const undoTo = useCallback(
    (message?: CodeMessage) =>
      void attempt(async () => {
        const latest = talking.messages.findLast(({ role }) => role === "user");
        const taken = message ?? latest;
        onSettled(await codeApi.undoTo(chat.id, message?.id));
        talking.clearError();
        await refresh();
        onTouched();
        if (taken) composer.current?.fill(plainText(taken));
      }),
    [chat.id, talking, refresh, onTouched, onSettled, attempt],
  );

  const last = messages.at(-1);
  const failure = last?.role === "assistant" ? (last.metadata?.error ?? null) : chat.error;
  const failed = workspace.runs.find(({ id }) => id === last?.metadata?.run);
  const runOf = (id: string | undefined) => workspace.runs.find((run) => run.id === id);
  return (
    <div className="panel-body">
      <Log ref={log} label={strings.code.log(title)} busy={streaming} news={messages}>
        {messages.length === 0 &&
          !busy &&
          (talk.state.is === "loading" ? (
            <p className="loading">{strings.chat.loading}</p>
          ) : (
            <CodeExamples project={props.project} onPick={mayAsk ? (words) => void talk.send(words) : undefined} />
          ))}
        {messages.map((message) => (
          <CodeMessageView
            key={message.id}
            message={message}
            live={streaming && message === last}
            lit={lit !== null && message.role === "assistant" && message.metadata?.run === lit}
            mayAsk={mayAsk}
            maySettle={maySettle}
            busy={busy}
            verdict={message.role === "assistant" ? verdictOf(runOf(message.metadata?.run)) : null}
            spent={message.role === "assistant" ? spentOf(runOf(message.metadata?.run)) : null}
            onOpen={onOpen}
            onAnswer={answer}
            onEdit={again}
            onUndoTo={undoTo}
          />
        ))}
        {streaming && last?.role === "user" && <Thinking />}
        {talk.state.is === "lost" && (
          <Notice tone="bad" action={{ label: strings.chat.tryAgain, run: () => void talk.reload() }}>
            {strings.chat.historyLost}
          </Notice>
        )}
        {failure && !busy ? (
          <FailureNotice
            failure={failure}
            at={Number(new Date(failed?.endedAt ?? Date.now()))}
            {...(mayAsk ? { onRetry: () => void attempt(() => talking.regenerate()) } : {})}
          />
        ) : (
          talk.state.is === "failed" &&
          !busy && (
            <Notice tone="bad" action={{ label: strings.chat.tryAgain, run: () => void talk.retry() }} onDismiss={talk.clearError}>
              {describeChatError(talk.state.error, last?.role)}
            </Notice>
          )
        )}
        {mayAsk && maySettle && !busy && !failure && last?.role === "assistant" && (
          <p className="answer-tools">
            <button type="button" className="link-button" onClick={() => void attempt(() => talking.regenerate())}>
              {strings.code.retry}
            </button>
            <Tip says={strings.code.undoToHint}>
              <button type="button" className="link-button" onClick={() => undoTo()}>
                {strings.code.undoLatest}
              </button>
            </Tip>
          </p>
        )}
      </Log>
      <div className="panel-foot">
        {problem && (
          <Notice tone="bad" onDismiss={() => setProblem(null)}>
            {problem}
          </Notice>
        )}
        {maySettle && (
          <div className="run-bars">
            {runsToSettle(workspace, chat.id).map((run) => (
              <CodeRunBar key={run.id} run={run} onKeep={props.onKeep} onUndo={props.onUndo} onChanges={props.onChanges} />
            ))}
          </div>
        )}
        <Allowed
          allowed={chat.allowed}
          readOnly={!maySettle}
          onTakeBack={(reach) =>
            void attempt(async () => {
              await codeApi.takeBack(chat.id, reach);
              onTouched();
            })
          }
        />
        <Composer
          ref={composer}
          fairy={strings.code.who}
          placeholder={strings.code.placeholder}
          patient
          busy={busy}
          stopping={stopping}
          readOnly={!mayAsk}
          chips={null}
          onSend={(text) => {
            setProblem(null);
            void talk.send(text);
          }}
          onStop={() => {
            setStopping(true);
            void attempt(() => talk.stop()).finally(() => setStopping(false));
          }}
        />
      </div>
    </div>
  );
}
