import { LoroDoc } from "loro-crdt";
import { isBy } from "./outbox";
import { replay } from "./replay";
import type { OutboxEntry, OutboxStorage } from "./storage";
import type { Author } from "./types";

/** Changes on this device that nobody sends by themselves: of somebody else, or of an earlier sign-in. */
export interface Unsent {
  /** Nothing for those from before authors were noted. */
  by: Author | null;
  entries: OutboxEntry[];
}

/** What waits here beside the changes of this sign-in, by person. */
export function unsentBeside(me: Author | null, entries: readonly OutboxEntry[]): Unsent[] {
  const groups = new Map<string | undefined, Unsent>();
  for (const entry of entries) {
    if (me && isBy(entry, me)) continue;
    const subject = entry.by?.subject;
    const group = groups.get(subject) ?? { by: entry.by ?? null, entries: [] };
    group.entries.push(entry);
    groups.set(subject, group);
  }
  return [...groups.values()];
}

/** Their person has come back and wants them sent: from now on they are changes of this sign-in. */
export async function claimUnsent(storage: OutboxStorage, { by, entries }: Unsent, me: Author): Promise<void> {
  if (by?.subject !== me.subject) throw new Error("These changes are somebody else's.");
  const { subject, name, session } = me;
  for (const entry of entries) await storage.put({ ...entry, by: { subject, name, session } });
}

/** What a person keeps of changes that were not sent: per page, the elements, blocks and comments as far as they were changed. */
export interface UnsentCopy {
  by: string | null;
  at: string;
  pages: Record<string, PageCopy>;
}

interface PageCopy {
  elements: Record<string, Record<string, unknown>>;
  comments: Record<string, Record<string, unknown>>;
  /** All that was done, for what the rest does not show. */
  operations: unknown[];
}

export function copyOf({ by, entries }: Unsent, at: Date): UnsentCopy {
  const pages: Record<string, PageCopy> = {};
  for (const page of new Set(entries.map((entry) => entry.page))) {
    pages[page] = copyOfPage(entries.filter((entry) => entry.page === page));
  }
  return { by: by?.name ?? null, at: at.toISOString(), pages };
}

type Content = Record<string, Record<string, unknown> | undefined>;

function copyOfPage(entries: readonly OutboxEntry[]): PageCopy {
  const operations = entries.flatMap((entry) => entry.ops ?? []);
  const doc = new LoroDoc();
  for (const { ops } of operations) ops.forEach(({ container }) => prepare(doc, container));
  replay(operations, doc);
  const { elements, doc: blocks, comments } = doc.toJSON() as Content;
  return { elements: { ...elements, ...blocks } as PageCopy["elements"], comments: { ...comments } as PageCopy["comments"], operations };
}

/** A child of an element that was on the page before: the empty document has to have it first. */
const CHILD = /^cid:root-🤝:\$(elements|doc|comments)>([^>]+?)(?:>([^>]+))?:(Map|Text)$/u;

function prepare(doc: LoroDoc, container: string): void {
  const [, root, id, text] = CHILD.exec(container) ?? [];
  if (root === undefined || id === undefined) return;
  const child = doc.getMap(root).ensureMergeableMap(id);
  if (text !== undefined) child.ensureMergeableText(text);
}
