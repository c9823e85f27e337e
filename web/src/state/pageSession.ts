import { confirmSignIn } from "../api/client";
import { colorOf } from "../app/identity";
import { watchComments } from "../comments/watchComments";
import { PageSession } from "../sync";
import { pageOf } from "./select";
import type { StudioStore } from "./store";

const syncUrl = () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/sync`;

/** Opens the live session of the page on screen, and closes it when the page is left. */
export function followSession(store: StudioStore): () => void {
  let page: string | undefined;
  let end = () => {};
  const open = (pageId: string) => {
    const { subject, name, session: signedIn } = store.getState().as;
    const session = new PageSession({
      pageId,
      url: syncUrl(),
      identity: { subject, name, session: signedIn, color: colorOf(subject) },
      confirm: confirmSignIn,
    });
    store.setState({ open: { session, status: session.status, refused: null } });
    const offStatus = session.onStatus((status) => store.setState(({ open }) => ({ open: open && { ...open, status } })));
    const offRefused = session.onRefusedCopy((refused) => store.setState(({ open }) => ({ open: open && { ...open, refused } })));
    const offComments = watchComments(session, (threads) => store.setState({ threads }));
    end = () => {
      offStatus();
      offRefused();
      offComments();
      session.close();
    };
  };
  const look = () => {
    const now = pageOf(store.getState())?.id;
    if (now === page) return;
    page = now;
    end();
    end = () => {};
    store.setState({ open: null, threads: [] });
    if (now) open(now);
  };
  look();
  const off = store.subscribe(look);
  return () => {
    off();
    end();
    store.setState({ open: null, threads: [] });
  };
}
