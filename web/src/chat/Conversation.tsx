import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { strings } from "../strings";
import type { FairyMessage } from "./message";
import { MessageView, Thinking } from "./MessageView";

interface ConversationProps {
  fairy: string;
  messages: FairyMessage[];
  streaming: boolean;
  verdict(run: string | undefined): string | null;
  spent(run: string | undefined): string | null;
  diff(run: string, action: number): ReactNode;
  onShow(elements: string[]): void;
  /** The run to bring into view; each new `count` is a new wish. */
  jump: RunJump | null;
  /** Shown while nothing has been said. */
  empty: ReactNode;
  /** Shown after the last message: errors and the like. */
  children?: ReactNode;
}

export interface RunJump {
  run: string;
  count: number;
}

const NEAR = 48;
const LIT_MS = 2400;

/** The scrolling log. It stays with the newest words unless the person has scrolled back to read. */
export function Conversation({ fairy, messages, streaming, verdict, spent, diff, onShow, jump, empty, children }: ConversationProps) {
  const log = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState(false);
  const sticking = useRef(true);

  const toEnd = () => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  };

  useLayoutEffect(() => {
    if (sticking.current) toEnd();
  }, [messages, streaming, children]);

  useEffect(() => {
    const { current } = inner;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (sticking.current) toEnd();
    });
    observer.observe(current);
    if (log.current) observer.observe(log.current);
    return () => observer.disconnect();
  }, []);

  // The reply may still have to be fetched: look again with every message until it is there.
  const jumped = useRef(0);
  const [lit, setLit] = useState<string | null>(null);
  useEffect(() => {
    if (!jump || jump.count === jumped.current || !log.current) return;
    const reply = log.current.querySelector<HTMLElement>(`[data-run="${CSS.escape(jump.run)}"]`);
    if (!reply) return;
    jumped.current = jump.count;
    sticking.current = false;
    const before = reply.previousElementSibling;
    const question = before?.getAttribute("data-role") === "user" ? before : reply;
    log.current.scrollTop += question.getBoundingClientRect().top - log.current.getBoundingClientRect().top - 10;
    reply.focus({ preventScroll: true });
    setLit(jump.run);
  }, [jump, messages]);

  useEffect(() => {
    if (!lit) return;
    const timer = setTimeout(() => setLit(null), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);

  const onScroll = () => {
    const { current } = log;
    if (!current) return;
    sticking.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    setReading(!sticking.current);
  };

  const last = messages.at(-1);
  return (
    <div className="conversation">
      <div
        className="log"
        ref={log}
        onScroll={onScroll}
        role="log"
        aria-live="polite"
        aria-busy={streaming}
        aria-label={strings.chat.log(fairy)}
        tabIndex={0}
      >
        <div className="log-inner" ref={inner}>
          {messages.length === 0 && !streaming && empty}
          {messages.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              author={fairy}
              live={streaming && message === last}
              verdict={message.role === "assistant" ? verdict(message.metadata?.run) : null}
              spent={message.role === "assistant" ? spent(message.metadata?.run) : null}
              diff={diff}
              lit={lit !== null && message.metadata?.run === lit}
              onShow={onShow}
            />
          ))}
          {streaming && last?.role === "user" && <Thinking />}
          {children}
        </div>
      </div>
      {reading && (
        <button
          type="button"
          className="jump"
          onClick={() => {
            sticking.current = true;
            setReading(false);
            toEnd();
          }}
        >
          ↓ {strings.chat.jump}
        </button>
      )}
    </div>
  );
}
