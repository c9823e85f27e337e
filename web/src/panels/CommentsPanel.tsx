import { useState } from "react";
import { clock } from "../chat/message";
import type { Thread } from "../comments/commentsDoc";
import { useAuthor, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { SidePanel } from "./SidePanel";

function Author({ thread }: { thread: Thread }) {
  return <b>{useAuthor(thread)}</b>;
}

/** All conversations of the page; each leads to where it is. */
export default function CommentsPanel() {
  const { threads, setPlacing, visit } = useParts("threads", "setPlacing", "visit");
  const rights = useRights();
  const [all, setAll] = useState(false);
  const settled = threads.filter(({ resolved }) => resolved).length;
  const shown = threads.filter(({ resolved }) => all || !resolved);
  return (
    <SidePanel title={strings.comments.title} testId="comments-panel">
      {rights.comment && (
        <button type="button" className="button wide" onClick={() => setPlacing(true)}>
          <span aria-hidden="true">+</span> {strings.comments.add}
        </button>
      )}
      {shown.length === 0 && <p className="side-empty">{strings.comments.none}</p>}
      <ul className="comment-list">
        {shown.map((thread) => (
          <li key={thread.id}>
            <button type="button" className="comment-row" data-resolved={thread.resolved || undefined} onClick={() => visit(thread)}>
              <span>
                <Author thread={thread} /> <small>{clock(thread.createdAt, new Date())}</small>
              </span>
              <span>{thread.text}</span>
              <small>
                {[
                  thread.replies.length > 0 ? strings.comments.replies(thread.replies.length) : null,
                  thread.resolved ? strings.comments.resolved : null,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {settled > 0 && (
        <button type="button" className="link-button" onClick={() => setAll((was) => !was)}>
          {all ? strings.comments.hideResolved : strings.comments.showResolved(settled)}
        </button>
      )}
    </SidePanel>
  );
}
