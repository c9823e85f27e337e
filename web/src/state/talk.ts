import { addComment, deleteComment, resolveComment, rewordComment, type NewComment, type Thread } from "../comments/commentsDoc";
import { pinAt, placeOf } from "../comments/place";
import type { ThreadActions } from "../comments/ThreadCard";
import type { Point } from "../sync";
import { handleOf } from "./select";
import type { Get, SetState } from "./store";

/** What people do with the comments on the page. */
export interface Talk {
  /** The conversation that is open on the page. */
  openThread: string | null;
  /** Whether the person is choosing a place for a new one. */
  placing: boolean;
  setThread(thread: string | null): void;
  setPlacing(placing: boolean): void;
  threadActions: Pick<ThreadActions, "onReply" | "onReword" | "onResolve" | "onDelete">;
  /** Begins one at a point of the page. */
  beginAt(at: Point, text: string): void;
  /** Begins one about a block of a text page, and answers its id. */
  beginAbout(block: string, text: string): string | null;
  /** Brings one into view and opens it. */
  visit(thread: Thread): void;
}

export function talk(set: SetState, get: Get): Talk {
  const doc = () => get().open?.session.doc;
  const say = (words: Pick<NewComment, "element" | "x" | "y" | "parent" | "text">) => {
    const page = doc();
    const { subject, name } = get().session;
    return page ? addComment(page, { author: subject, authorName: name, ...words }, Date.now()) : null;
  };
  const change = (what: (page: NonNullable<ReturnType<typeof doc>>) => void) => {
    const page = doc();
    if (page) what(page);
  };
  return {
    openThread: null,
    placing: false,
    setThread: (openThread) => set({ openThread }),
    setPlacing: (placing) => set({ placing }),
    threadActions: {
      onReply: (under, text) => void say({ element: under.element, x: under.x, y: under.y, parent: under.id, text }),
      onReword: (comment, text) => change((page) => rewordComment(page, comment.id, text)),
      onResolve: (which, resolved) => change((page) => resolveComment(page, which.id, resolved)),
      onDelete: (comment) => change((page) => deleteComment(page, comment.id)),
    },
    beginAt: (at, text) => {
      const handle = handleOf(get());
      set({ placing: false, ...(handle ? { openThread: say({ ...pinAt(at, handle), parent: null, text }) } : {}) });
    },
    beginAbout: (block, text) => {
      const openThread = say({ element: block, x: 0, y: 0, parent: null, text });
      set({ openThread });
      return openThread;
    },
    visit: (thread) => {
      const handle = handleOf(get());
      const at = handle && placeOf(thread, handle);
      if (at) handle.scrollTo({ x: at.x - 300, y: at.y - 225, w: 600, h: 450 });
      set({ openThread: thread.id });
    },
  };
}
