import { useCallback, useEffect, useState } from "react";
import { presenceOf } from "../fairies/roster";
import { useStudio } from "../state/store";
import type { PageSession, Presence } from "../sync";
import { atPace } from "./pace";

type All = ReadonlyMap<string, Presence>;

const AT_ONCE = () => 0;

/**
 * A part of the presence on a page, rendering again only when that part
 * changes: cursors move dozens of times a second, names and fairies do not.
 * `select` must be a stable function that returns plain data; so must `pace`
 * be, which says how long to wait between one rendering and the next.
 */
export function usePresence<T>(session: PageSession | null, select: (all: All) => T, pace: () => number = AT_ONCE): T {
  const [part, setPart] = useState(() => select(new Map()));
  useEffect(() => {
    let last = "";
    const show = (all: All) => {
      const next = select(all);
      const text = JSON.stringify(next);
      if (text === last) return;
      last = text;
      setPart(next);
    };
    show(new Map());
    const paced = atPace(show, pace);
    const leave = session?.onPresence(paced.tell);
    return () => {
      paced.cancel();
      leave?.();
    };
  }, [session, select, pace]);
  return part;
}

/** The session of the page on screen: whoever shows fairies listens for itself, and nothing around it renders. */
const useOpenSession = () => useStudio(({ open }) => open?.session ?? null);

function fairiesIn(all: All): Presence[] {
  return [...all.values()].filter((presence) => presence.kind === "fairy");
}

/** All fairies seen on the page, live. */
export function useFairyPresences(pace?: () => number): Presence[] {
  return usePresence(useOpenSession(), fairiesIn, pace);
}

/** One of them, live; nothing where it is not seen. */
export function useFairyPresence(fairy: string): Presence | undefined {
  const one = useCallback((all: All) => presenceOf(fairy, fairiesIn(all)) ?? null, [fairy]);
  return usePresence(useOpenSession(), one) ?? undefined;
}

/** Whether one of them thinks: the conversation beside it need not hear of its every move. */
export function useFairyActivity(fairy: string): string | null {
  const activity = useCallback((all: All) => presenceOf(fairy, fairiesIn(all))?.activity ?? null, [fairy]);
  return usePresence(useOpenSession(), activity);
}

/** One of them as it is now. */
export function fairyPresenceNow(session: PageSession | null, fairy: string): Presence | undefined {
  return presenceOf(fairy, [...(session?.presences().values() ?? [])]);
}
