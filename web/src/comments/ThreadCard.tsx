import { Popover } from "radix-ui";
import { useState } from "react";
import { clock } from "../chat/message";
import { useAuthor, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { keepKeys } from "../ui/keys";
import { stage } from "../ui/stage";
import type { Comment, Thread } from "./commentsDoc";
import { Words } from "./Words";

function Said({ comment }: { comment: Comment }) {
  const { session, reword, deleteComment } = useParts("session", "reword", "deleteComment");
  const { comment: mayComment, owner } = useRights();
  const [editing, setEditing] = useState(false);
  const mine = comment.author === session.subject;
  const author = useAuthor(comment);
  return (
    <li>
      <p className="said-by">
        <b>{mine ? strings.chat.you : author}</b>
        <span>{clock(comment.createdAt, new Date())}</span>
        {mayComment && mine && (
          <button type="button" className="link-button" onClick={() => setEditing(true)}>
            {strings.comments.edit}
          </button>
        )}
        {mayComment && (mine || owner) && (
          <button type="button" className="link-button" onClick={() => deleteComment(comment)}>
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
            reword(comment, text);
          }}
        />
      ) : (
        <p className="words">{comment.text}</p>
      )}
    </li>
  );
}

/** One conversation: what was said, an answer, and whether it is settled. */
export function ThreadCard({ thread }: { thread: Thread }) {
  const { reply, resolve } = useParts("reply", "resolve");
  const mayComment = useRights().comment;
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
            <Said key={comment.id} comment={comment} />
          ))}
        </ol>
        {mayComment && (
          <>
            <Words label={strings.comments.reply} send={strings.comments.answer} onSend={(text) => reply(thread, text)} />
            <button type="button" className="link-button" onClick={() => resolve(thread, !thread.resolved)}>
              {thread.resolved ? strings.comments.reopen : strings.comments.resolve}
            </button>
          </>
        )}
      </Popover.Content>
    </Popover.Portal>
  );
}
