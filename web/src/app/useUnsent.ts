import { useCallback, useEffect, useState } from "react";
import { openStorage, unsentBeside, type Author, type OutboxStorage, type Unsent } from "../sync";

/** Other tabs write and discard too. */
const LOOK_EVERY_MS = 2000;

let storage: Promise<OutboxStorage> | undefined;
export const outboxStorage = () => (storage ??= openStorage());

/** The changes on this device that nobody is about to send, for somebody to decide about. */
export function useUnsent(me: Author | null): { groups: Unsent[]; look(): void } {
  const [groups, setGroups] = useState<Unsent[]>([]);
  const { subject, name, session } = me ?? {};
  const look = useCallback(() => {
    const who = subject && name && session ? { subject, name, session } : null;
    outboxStorage()
      .then((stored) => stored.list())
      .then(
        (entries) => {
          const found = unsentBeside(who, entries);
          setGroups((was) => (was.length + found.length === 0 ? was : found));
        },
        (error: unknown) => console.warn("glade: what waits on this device could not be read", error),
      );
  }, [subject, name, session]);
  useEffect(() => {
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  return { groups, look };
}
