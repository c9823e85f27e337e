import { Popover } from "radix-ui";
import { useState } from "react";
import { clock } from "../chat/message";
import { strings } from "../strings";
import { keepKeys } from "../ui/keys";
import { stage } from "../ui/stage";
import type { Comment, Thread } from "./commentsDoc";
import { Words } from "./Words";

export interface ThreadActions {
  me: string;
  /** May say something here. */
  mayComment: boolean;
  /** Holds the owner's own key, which may delete any. */
  owner: boolean;
  onReply(thread: Thread, text: string): void;
  onReword(comment: Comment, text: string): void;
  onResolve(thread: Thread, resolved: boolean): void;
  onDelete(comment: Comment): void;
}

interface ThreadCardProps extends ThreadActions {
  thread: Thread;
}

function Said({
  comment,
  me,
  owner,
  mayComment,
  onReword,
  onDelete,
}: { comment: Comment } & Pick<ThreadActions, "me" | "owner" | "mayComment" | "onReword" | "onDelete">) {
  const [editing, setEditing] = useState(false);
  const mine = comment.author === me;
  return (
    <li>
      <p className="said-by">
        <b>{mine ? strings.chat.you : comment.authorName || strings.run.someone}</b>
        <span>{clock(comment.createdAt, new Date())}</span>
        {mayComment && mine && (
          <button type="button" className="link-button" onClick={() => setEditing(true)}>
            {strings.comments.edit}
          </button>
        )}
        {mayComment && (mine || owner) && (
          <button type="button" className="link-button" onClick={() => onDelete(comment)}>
            {strings.comments.delete}
          </button>
        )}
      </p>
      {editing ? (
        <Words
          label={strings.comments.edit}
          start={comment.text}
          send={strings.comments.save}
          onSend={(text) => {
            setEditing(false);
            onReword(comment, text);
          }}
        />
      ) : (
        <p className="words">{comment.text}</p>
      )}
    </li>
  );
}

/** One conversation: what was said, an answer, and whether it is settled. */
export function ThreadCard({ thread, ...act }: ThreadCardProps) {
  return (
    <Popover.Portal container={stage()}>
      <Popover.Content
        className="popup thread"
        aria-label={strings.comments.thread}
        align="start"
        sideOffset={8}
        collisionBoundary={stage()}
        collisionPadding={8}
        hideWhenDetached
        // Its pin moves with the page.
        updatePositionStrategy="always"
        onInteractOutside={(event) => event.preventDefault()}
        onPointerDown={(event) => event.stopPropagation()}
        onKeyDown={keepKeys}
      >
        <ol>
          {[thread, ...thread.replies].map((comment) => (
            <Said key={comment.id} comment={comment} {...act} />
          ))}
        </ol>
        {act.mayComment && (
          <>
            <Words label={strings.comments.reply} send={strings.comments.answer} onSend={(text) => act.onReply(thread, text)} />
            <button type="button" className="link-button" onClick={() => act.onResolve(thread, !thread.resolved)}>
              {thread.resolved ? strings.comments.reopen : strings.comments.resolve}
            </button>
          </>
        )}
      </Popover.Content>
    </Popover.Portal>
  );
}
