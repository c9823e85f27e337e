import type { Run, Session } from "../api/types";
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
  /** Asks in the code project's chats. */
  askCode: boolean;
  /** Says yes to what those change, keeps and undoes it. */
  settleCode: boolean;
  /** Changes pages as a whole, and tasks: not for whom a region of a page is open. */
  wholePages: boolean;
  newPages: boolean;
  /** Says what a fairy is and may do: for those who may draw and ask everywhere. */
  manageFairies: boolean;
  /** Looks at what fairies remember, which is of every page and for everybody. */
  inspectFairies: boolean;
}

/** Whether this person says what stays of a run: a suggestion is for who may draw, a fairy's for who may also ask. */
export function maySettle(rights: Rights, run: Run): boolean {
  return !rights.readOnly && (run.fairy === "" || rights.ask);
}

/** What this person may do here. */
export function rightsOf({ subject, permission, ops, project, limits }: Session, status: SyncStatus | undefined): Rights {
  const readOnly = permission === "read" || (status?.state === "saved" && status.permission === "read");
  const ask = ops.includes("command");
  const comment = ops.includes("comment") || ops.includes("edit");
  const wholePages = !readOnly && !limits.includes("region");
  const manageFairies = ask && permission === "write" && ops.includes("comment") && limits.length === 0;
  return {
    owner: subject === OWNER,
    readOnly,
    ask,
    comment,
    suggest: ops.includes("suggest") && !ops.includes("edit") && status?.permission !== "read",
    askCode: project.includes("command"),
    settleCode: project.includes("edit"),
    wholePages,
    newPages: wholePages && !limits.includes("pages"),
    manageFairies,
    inspectFairies: ask && limits.length === 0,
  };
}
