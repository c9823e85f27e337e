import { createContext, useCallback, useContext, useEffect, useState } from "react";
import { presenceOf } from "../fairies/roster";
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

/** The session of the page on screen: whoever shows fairies listens for itself, and nothing around it renders. */
export const OpenSession = createContext<PageSession | null>(null);

function fairiesIn(all: All): Presence[] {
  return [...all.values()].filter((presence) => presence.kind === "fairy");
}

/** All fairies seen on the page, live. */
export function useFairyPresences(): Presence[] {
  return usePresence(useContext(OpenSession), fairiesIn);
}

/** One of them, live; nothing where it is not seen. */
export function useFairyPresence(fairy: string): Presence | undefined {
  const one = useCallback((all: All) => presenceOf(fairy, fairiesIn(all)) ?? null, [fairy]);
  return usePresence(useContext(OpenSession), one) ?? undefined;
}

/** One of them as it is now. */
export function fairyPresenceNow(session: PageSession | null, fairy: string): Presence | undefined {
  const all = session?.presence.getAllStates() as unknown as Record<string, Presence> | undefined;
  return presenceOf(fairy, Object.values(all ?? {}));
}
