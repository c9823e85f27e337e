import type { ChangeKind, Grant, Reach } from "./types";

/** A standing yes as a line of its own: to one kind of change, in the chat or for one pattern. */
export interface Standing {
  kind: ChangeKind;
  /** Absent: everywhere. */
  path?: string;
  reach: Reach;
}

/** What may be changed without asking, each once, what holds everywhere first. */
export function standing(grants: readonly Grant[]): Standing[] {
  const found = new Map<string, Standing>();
  const add = (one: Standing) => found.set(`${one.path ?? ""} ${one.kind}`, one);
  for (const grant of grants) {
    if (grant.scope === "chat") add({ kind: grant.kind, reach: { scope: "chat" } });
    if (grant.scope === "paths") {
      for (const path of grant.paths) add({ kind: grant.kind, path, reach: { scope: "paths", paths: [path] } });
    }
  }
  return [...found.values()].sort((a, b) => Number(a.path !== undefined) - Number(b.path !== undefined));
}
