import { useCallback, useEffect, useRef, useState } from "react";
import type { Run, UndoResult } from "../api/types";
import { runningRun, runsToSettle } from "../api/workspace";
import { asker } from "../chat/asked";
import { Composer, type ComposerHandle } from "../chat/Composer";
import { FailureNotice } from "../chat/FailureNotice";
import { describeChatError } from "../chat/failure";
import { spentOf, verdictOf } from "../chat/fate";
import { Log } from "../chat/Log";
import { plainText } from "../chat/message";
import { Thinking } from "../chat/MessageView";
import { Notice } from "../chat/Notice";
import { useFairyChat } from "../chat/useFairyChat";
import { useJump, type RunJump } from "../chat/useJump";
import { useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { Allowed } from "./Allowed";
import { codeApi } from "./client";
import { codeChat } from "./codeChat";
import { CodeMessageView } from "./CodeMessageView";
import { CodeExamples } from "./CodeExamples";
import { CodeRunBar } from "./CodeRunBar";
import { KeptRuns } from "./KeptRuns";
import { keptSince } from "./kept";
import type { Answer, CodeChat, CodeMessage, Part } from "./types";
import { whereabouts, type Whereabouts } from "./whereabouts";

interface ChatSideProps {
  chat: CodeChat;
  project: string;
  /** The name of who answers. */
  who: string;
  jump: RunJump | null;
  onOpen(path: string, line?: number): void;
  onChanges(run: string): void;
  onKeep(run: Run, part: Part): Promise<void>;
  onUndo(run: Run, part: Part): Promise<void>;
  /** Files, or what the chats hold, may be different now. */
  onTouched(): void;
  onSettled(result: UndoResult): void;
  /** Where the fairy is at work now. */
  onAt(at: Whereabouts | null): void;
}

/** Calls that were carried out: with each of them a file may have changed. */
const done = (messages: readonly CodeMessage[]) =>
  messages.at(-1)?.parts.filter((part) => "state" in part && part.state === "output-available").length ?? 0;

/** One chat about the code: what was said, what waits to be decided, and where to speak. */
export function ChatSide(props: ChatSideProps) {
  const { chat, who, onOpen, onTouched, onSettled, onAt } = props;
  const { workspace, line } = useParts("workspace", "line");
  const { askCode: mayAsk, settleCode: maySettle } = useRights();
  const talking = codeChat(chat.id);
  const running = runningRun(workspace, chat.id);
  const talk = useFairyChat<CodeMessage>(talking, running?.id, line, codeApi.abort);
  const { messages, refresh } = talk;
  const streaming = talk.state.is === "streaming";
  const busy = streaming || running !== undefined;
  const [stopping, setStopping] = useState(false);
  const [goingBack, setGoingBack] = useState<{ message: CodeMessage | undefined; asked: string[] } | null>(null);
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

  // A new object with every piece of the answer: only another place is news.
  const at = JSON.stringify(whereabouts(messages.at(-1), streaming));
  useEffect(() => onAt(JSON.parse(at) as Whereabouts | null), [at, onAt]);
  useEffect(() => () => onAt(null), [onAt]);

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
    async (answer: Answer) => {
      await codeApi.approve(chat.id, answer);
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
  const goBack = useCallback(
    (message: CodeMessage | undefined, keptToo: boolean) =>
      void attempt(async () => {
        const latest = talking.messages.findLast(({ role }) => role === "user");
        const taken = message ?? latest;
        onSettled(await codeApi.undoTo(chat.id, message?.id, keptToo));
        talking.clearError();
        await refresh();
        onTouched();
        if (taken) composer.current?.fill(plainText(taken));
      }),
    [chat.id, talking, refresh, onTouched, onSettled, attempt],
  );
  // Runs are read when somebody presses, so that turns do not render again with every run of the workspace.
  const runs = useRef(workspace.runs);
  runs.current = workspace.runs;
  const undoTo = useCallback(
    (message?: CodeMessage) => {
      const asked = keptSince(talking.messages, message?.id, runs.current);
      if (asked.length > 0) setGoingBack({ message, asked });
      else goBack(message, false);
    },
    [talking, goBack],
  );

  const last = messages.at(-1);
  const failure = last?.role === "assistant" ? (last.metadata?.error ?? null) : chat.error;
  const failed = workspace.runs.find(({ id }) => id === last?.metadata?.run);
  // Who may not see the fairy is not told its name.
  const nameOf = (id: string | null | undefined) => workspace.fairies.find((fairy) => fairy.id === id)?.name ?? strings.code.who;
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
            who={nameOf(message.metadata?.fairy)}
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
            {...(mayAsk
              ? {
                  onRetry: () => void attempt(() => talking.regenerate()),
                  onGoOn: () => void talk.send(strings.runFailure.goOnWords),
                }
              : {})}
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
      {goingBack && (
        <KeptRuns asked={goingBack.asked} onUndo={(keptToo) => goBack(goingBack.message, keptToo)} onClose={() => setGoingBack(null)} />
      )}
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
          fairy={who}
          placeholder={strings.code.placeholder}
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
