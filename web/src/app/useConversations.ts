import { useState } from "react";
import type { Session } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { addComment, deleteComment, resolveComment, rewordComment, type NewComment, type Thread } from "../comments/commentsDoc";
import { pinAt, placeOf } from "../comments/place";
import type { ThreadActions } from "../comments/ThreadCard";
import { useComments } from "../comments/useComments";
import type { Point } from "../sync";
import type { OpenPage } from "./usePageSession";

export interface Conversations {
  threads: Thread[];
  /** The one that is open on the page. */
  open: string | null;
  setOpen(thread: string | null): void;
  /** Whether the person is choosing a place for a new one. */
  placing: boolean;
  setPlacing(placing: boolean): void;
  actions: Pick<ThreadActions, "onReply" | "onReword" | "onResolve" | "onDelete">;
  /** Begins one at a point of the page. */
  begin(at: Point, text: string): void;
  /** Begins one about a block of a text page, and answers its id. */
  beginAbout(block: string, text: string): string | null;
  /** Brings one into view and opens it. */
  visit(thread: Thread): void;
}

/** The comments on the page, and what people do with them. */
export function useConversations(page: OpenPage | null, session: Session, handle: CanvasHandle | null): Conversations {
  const threads = useComments(page?.session ?? null);
  const [open, setOpen] = useState<string | null>(null);
  const [placing, setPlacing] = useState(false);
  const doc = page?.session.doc;
  const say = (words: Pick<NewComment, "element" | "x" | "y" | "parent" | "text">) =>
    doc ? addComment(doc, { author: session.subject, authorName: session.name, ...words }, Date.now()) : null;
  return {
    threads,
    open,
    setOpen,
    placing,
    setPlacing,
    actions: {
      onReply: (under, text) => say({ element: under.element, x: under.x, y: under.y, parent: under.id, text }),
      onReword: (comment, text) => doc && rewordComment(doc, comment.id, text),
      onResolve: (which, resolved) => doc && resolveComment(doc, which.id, resolved),
      onDelete: (comment) => doc && deleteComment(doc, comment.id),
    },
    begin: (at, text) => {
      setPlacing(false);
      if (handle) setOpen(say({ ...pinAt(at, handle), parent: null, text }));
    },
    beginAbout: (block, text) => {
      const id = say({ element: block, x: 0, y: 0, parent: null, text });
      setOpen(id);
      return id;
    },
    visit: (thread) => {
      const at = handle && placeOf(thread, handle);
      if (at) handle.scrollTo({ x: at.x - 300, y: at.y - 225, w: 600, h: 450 });
      setOpen(thread.id);
    },
  };
}
