import { useEffect, useState } from "react";
import type { PageSession, Presence } from "../sync";

type All = ReadonlyMap<string, Presence>;

/**
 * A part of the presence on a page, rendering again only when that part
 * changes: cursors move dozens of times a second, names and fairies do not.
 * `select` must be a stable function that returns plain data.
 */
export function usePresence<T>(session: PageSession | null, select: (all: All) => T): T {
  const [part, setPart] = useState(() => select(new Map()));
  useEffect(() => {
    let last = "";
    const take = (all: All) => {
      const next = select(all);
      const text = JSON.stringify(next);
      if (text === last) return;
      last = text;
      setPart(next);
    };
    take(new Map());
    return session?.onPresence(take);
  }, [session, select]);
  return part;
}

/** Only the fairies. */
export function fairyPresences(all: All): Presence[] {
  return [...all.values()].filter((presence) => presence.kind === "fairy");
}
