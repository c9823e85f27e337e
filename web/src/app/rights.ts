import type { Session } from "../api/types";
import type { SyncStatus } from "../sync";

/** Who may set up models and hand out everything. */
const OWNER = "person:owner";

export interface Rights {
  owner: boolean;
  readOnly: boolean;
  /** May tell fairies what to do. */
  ask: boolean;
  comment: boolean;
  /** Draws, for somebody else to keep; the rest of the studio stays closed. */
  suggest: boolean;
  /** Asks in the code project's chats and says yes to what they change. */
  code: boolean;
}

/** What this person may do here. An older server says only whether one may write. */
export function rightsOf({ subject, permission, ops, project }: Session, status: SyncStatus | undefined): Rights {
  const readOnly = permission === "read" || (status?.state === "saved" && status.permission === "read");
  return {
    owner: subject === OWNER,
    readOnly,
    ask: ops ? ops.includes("command") : !readOnly,
    comment: ops ? ops.includes("comment") || ops.includes("edit") : !readOnly,
    suggest: !!ops?.includes("suggest") && !ops.includes("edit") && status?.permission !== "read",
    code: !!project?.includes("command") && project.includes("edit"),
  };
}
