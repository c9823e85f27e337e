import type { SignIn } from "../api/signIn";
import type { Line } from "../api/store";
import type { Session, Workspace } from "../api/types";
import type { Thread } from "../comments/commentsDoc";
import type { PageSession, RefusedCopy, SyncStatus } from "../sync";

/** The live session of the page on screen. */
export interface OpenPage {
  session: PageSession;
  status: SyncStatus;
  /** A change of this person's that the server would not take, kept for them. */
  refused: RefusedCopy | null;
}

/** What the server says. */
export interface Facts {
  session: Session;
  as: SignIn;
  workspace: Workspace;
  /** The stream of changes to the workspace. */
  line: Line;
  open: OpenPage | null;
  /** The comments on the page. */
  threads: Thread[];
}
