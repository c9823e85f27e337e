import { nameOf } from "../api/names";
import type { Presence } from "../sync";

export interface PersonHere {
  subject: string;
  name: string;
  initial: string;
  color: string;
  me: boolean;
}

/** The people on the page, each once however many tabs they have open; oneself first. */
export function peopleHere(presences: ReadonlyMap<string, Presence>, me: string): PersonHere[] {
  const found = new Map<string, PersonHere>();
  for (const { kind, subject, name, color } of presences.values()) {
    if (kind !== "person" || found.has(subject)) continue;
    const shown = nameOf({ subject, name });
    const initial = (shown.trim()[0] ?? "?").toLocaleUpperCase();
    found.set(subject, { subject, name: shown, initial, color, me: subject === me });
  }
  return [...found.values()].sort((a, b) => Number(b.me) - Number(a.me) || a.name.localeCompare(b.name));
}
