import type { LoroDoc } from "loro-crdt";
import type { PageSession } from "../sync";
import { readComments, threadsOf, type Thread } from "./commentsDoc";

/** Tells the conversations on a page, now and whenever they change. */
export function watchComments(session: PageSession, tell: (threads: Thread[]) => void): () => void {
  let off = () => {};
  let last = "";
  const follow = (doc: LoroDoc) => {
    off();
    const read = () => {
      const next = threadsOf(readComments(doc));
      const text = JSON.stringify(next);
      if (text === last) return;
      last = text;
      tell(next);
    };
    read();
    off = doc.subscribe((batch) => {
      if (batch.events.some(({ path }) => path[0] === "comments")) read();
    });
  };
  let alive = true;
  void session.ready().then(() => alive && follow(session.doc));
  const offReplaced = session.onDocReplaced(follow);
  return () => {
    alive = false;
    off();
    offReplaced();
  };
}
