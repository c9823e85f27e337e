/** What a link may do in the code project, from nothing to everything. */
export const PROJECT = {
  none: [],
  read: ["read"],
  command: ["read", "command"],
  edit: ["read", "command", "edit"],
} as const;
export type ProjectRight = keyof typeof PROJECT;

/** What somebody can hand on who may do this much themselves. */
export function offered(own: readonly string[]): ProjectRight[] {
  const rights = Object.keys(PROJECT) as ProjectRight[];
  return rights.filter((right) => PROJECT[right].every((op) => own.includes(op)));
}

/** The most that a list of rights amounts to. */
export function projectRightOf(ops: readonly string[]): ProjectRight {
  return offered(ops).at(-1) ?? "none";
}
