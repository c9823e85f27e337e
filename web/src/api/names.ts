import type { Person } from "./types";

const names = new Map<string, string>();

/** Takes over what the server says people are called; it tells people of the same name apart. */
export function setNames(people: readonly Person[]): void {
  names.clear();
  for (const { subject, name } of people) names.set(subject, name);
}

/** What somebody is called: by the server where it says so, else by themselves. */
export function nameOf({ subject, name }: { subject: string; name: string }): string {
  return names.get(subject) ?? name;
}
