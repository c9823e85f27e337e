import { useEffect, useState } from "react";
import { confirmSignIn } from "../api/client";
import type { SignIn } from "../api/signIn";
import { PageSession, type RefusedCopy, type SyncStatus } from "../sync";
import { colorOf } from "./identity";

export interface OpenPage {
  session: PageSession;
  status: SyncStatus;
  /** A change of this person's that the server would not take, kept for them. */
  refused: RefusedCopy | null;
  dismissRefused(): void;
}

const syncUrl = () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/sync`;

/** The live session of a page, closed when the page is left. */
export function usePageSession(page: string | undefined, who: SignIn): OpenPage | null {
  const [open, setOpen] = useState<PageSession | null>(null);
  const [status, setStatus] = useState<SyncStatus | null>(null);
  const [refused, setRefused] = useState<RefusedCopy | null>(null);
  const { subject, name, session: signedIn } = who;

  useEffect(() => {
    if (!page) return;
    const session = new PageSession({
      pageId: page,
      url: syncUrl(),
      identity: { subject, name, session: signedIn, color: colorOf(subject) },
      confirm: confirmSignIn,
    });
    setOpen(session);
    setStatus(session.status);
    const offStatus = session.onStatus((next) => setStatus({ ...next }));
    const offRefused = session.onRefusedCopy(setRefused);
    return () => {
      offStatus();
      offRefused();
      session.close();
      setOpen(null);
      setRefused(null);
    };
  }, [page, subject, name, signedIn]);

  if (!open || !status || open.pageId !== page) return null;
  return { session: open, status, refused, dismissRefused: () => setRefused(null) };
}
