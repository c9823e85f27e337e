import { useRef, type ReactNode } from "react";
import { strings } from "../strings";
import { Log } from "./Log";
import { inOrder, type FairyMessage } from "./message";
import { MessageView, Thinking } from "./MessageView";
import { useJump, type RunJump } from "./useJump";

interface ConversationProps {
  fairy: string;
  messages: FairyMessage[];
  streaming: boolean;
  verdict(run: string | undefined): string | null;
  spent(run: string | undefined): string | null;
  /** Takes the undo of a run back, where that can be done. */
  reopen(run: string | undefined): (() => void) | null;
  diff(run: string, action: number): ReactNode;
  onShow(elements: string[]): void;
  /** The run to bring into view; each new `count` is a new wish. */
  jump: RunJump | null;
  /** Shown while nothing has been said. */
  empty: ReactNode;
  /** Shown after the last message: errors and the like. */
  children?: ReactNode;
}

/** What was said with a fairy, oldest first. */
export function Conversation({
  fairy,
  messages,
  streaming,
  verdict,
  spent,
  reopen,
  diff,
  onShow,
  jump,
  empty,
  children,
}: ConversationProps) {
  const log = useRef<HTMLDivElement>(null);
  const lit = useJump(log, jump, messages);
  const last = messages.at(-1);
  return (
    <Log ref={log} label={strings.chat.log(fairy)} busy={streaming} news={messages}>
      {messages.length === 0 && !streaming && empty}
      {inOrder(messages).map((message) => (
        <MessageView
          key={message.id}
          message={message}
          author={fairy}
          live={streaming && message === last}
          verdict={message.role === "assistant" ? verdict(message.metadata?.run) : null}
          spent={message.role === "assistant" ? spent(message.metadata?.run) : null}
          onReopen={message.role === "assistant" ? reopen(message.metadata?.run) : null}
          diff={diff}
          lit={lit !== null && message.metadata?.run === lit}
          onShow={onShow}
        />
      ))}
      {streaming && last?.role === "user" && <Thinking />}
      {children}
    </Log>
  );
}
