import { memo, type ReactNode } from "react";
import { strings } from "../strings";
import { ActionList } from "./ActionList";
import { blocks, clock, plainText, type FairyMessage } from "./message";

interface MessageViewProps {
  message: FairyMessage;
  author: string;
  /** Its stream still runs. */
  live: boolean;
  /** What became of its run: kept, undone, stopped. */
  verdict: string | null;
  /** How long its run took and what it cost. */
  spent: string | null;
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
        return (
          <p key={block.key} className="words">
            {block.text}
          </p>
        );
      case "thought":
        return (
          <details key={block.key} className="thought">
            <summary>{block.open ? strings.chat.thinking : strings.chat.thought}</summary>
            <p>{block.text}</p>
          </details>
        );
      case "actions":
        return (
          <ActionList key={block.key} actions={block.actions} onShow={onShow} diff={(action) => run && diff(run, action)} />
        );
    }
  });
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

/** One turn of the conversation. Memoised: while one reply streams, the long past does not render again. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, author, verdict, spent, lit } = props;
  const mine = message.role === "user";
  const time = clock(message.metadata?.createdAt, new Date());
  return (
    <article className="message" data-role={message.role} data-run={message.metadata?.run} data-lit={lit || undefined} tabIndex={-1}>
      <h3 className="message-author">
        <span>{mine ? strings.chat.you : author}</span>
        {time && <span className="message-time">{time}</span>}
        {verdict && <span className="message-verdict">{verdict}</span>}
        {spent && <span className="message-spent">{spent}</span>}
      </h3>
      {mine ? <p className="words">{plainText(message)}</p> : <FairyWords {...props} />}
    </article>
  );
});
