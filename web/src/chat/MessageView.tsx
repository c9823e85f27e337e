import { memo, type ReactNode } from "react";
import { strings } from "../strings";
import { ActionList } from "./ActionList";
import { askedBy } from "./asked";
import { Markdown } from "./Markdown";
import { blocks, clock, plainText, type AnyMessage, type FairyMessage } from "./message";

interface MessageViewProps {
  message: FairyMessage;
  author: string;
  /** Its stream still runs. */
  live: boolean;
  /** What became of its run: kept, undone, stopped. */
  verdict: string | null;
  /** How long its run took and what it cost. */
  spent: string | null;
  /** Takes the undo of its run back. */
  onReopen: (() => void) | null;
  /** Somebody just asked to see it. */
  lit: boolean;
  onShow(elements: string[]): void;
  diff(run: string, action: number): ReactNode;
}

function FairyWords({ message, live, onShow, diff }: MessageViewProps) {
  const run = message.metadata?.run;
  const parts = blocks(message, live);
  if (parts.length === 0 && live) return <Thinking />;
  return parts.map((block) => {
    switch (block.kind) {
      case "text":
      case "thought":
        return <Said key={block.key} block={block} />;
      case "actions":
        return <ActionList key={block.key} actions={block.actions} onShow={onShow} diff={(action) => run && diff(run, action)} />;
    }
  });
}

interface SaidProps {
  block: { kind: "text"; text: string } | { kind: "thought"; text: string; open: boolean };
  /** Opens a file that the words name. */
  onOpen?(path: string, line?: number): void;
}

/** Words to the person, or a thought, folded. */
export function Said({ block, onOpen }: SaidProps) {
  if (block.kind === "text") return <Markdown text={block.text} onOpen={onOpen} />;
  return (
    <details className="thought">
      <summary>{block.open ? strings.chat.thinking : strings.chat.thought}</summary>
      <p>{block.text}</p>
    </details>
  );
}

export function Thinking() {
  return (
    <p className="thinking">
      <span className="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="visually-hidden">{strings.chat.thinking}</span>
    </p>
  );
}

interface TurnProps {
  message: AnyMessage;
  author: string;
  verdict: string | null;
  spent: string | null;
  onReopen?: (() => void) | null;
  lit: boolean;
  children: ReactNode;
}

/** One turn of a conversation: who, when, what became of it, and what was said. */
export function Turn({ message, author, verdict, spent, onReopen, lit, children }: TurnProps) {
  const time = clock(message.metadata?.createdAt, new Date());
  return (
    <article className="message" data-role={message.role} data-run={message.metadata?.run} data-lit={lit || undefined} tabIndex={-1}>
      <h3 className="message-author">
        <span>{message.role === "user" ? askedBy(message) : author}</span>
        {time && <span className="message-time">{time}</span>}
        {verdict && <span className="message-verdict">{verdict}</span>}
        {onReopen && (
          <button type="button" className="link-button" onClick={onReopen}>
            {strings.run.bringBack}
          </button>
        )}
        {spent && <span className="message-spent">{spent}</span>}
      </h3>
      {children}
    </article>
  );
}

/** A turn with a fairy. Memoised: while one reply streams, the long past does not render again. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message } = props;
  return <Turn {...props}>{message.role === "user" ? <p className="words">{plainText(message)}</p> : <FairyWords {...props} />}</Turn>;
});
