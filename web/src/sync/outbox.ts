import type { JsonChange } from "loro-crdt";
import type { HexString } from "loro-protocol";
import type { OutboxEntry, OutboxStorage } from "./storage";
import type { Author } from "./types";
import { blobSpan, covers, type Versions } from "./versions";

/** Whether a change may be sent under this sign-in: not by somebody else, nor with another link of the same person. */
export function isBy(entry: OutboxEntry, author: Author): boolean {
  return entry.by?.subject === author.subject && entry.by.session === author.session;
}

/**
 * The changes of one page that the server has not acknowledged, oldest first: this tab's own and those adopted from
 * tabs that are gone. An entry is persisted before it can be sent and forgotten only when it is known to be durable
 * on the server, by its acknowledgement or by the server's version at a rejoin.
 */
export class Outbox {
  private entries: OutboxEntry[] = [];
  private readonly sent = new Map<HexString, OutboxEntry>();
  private readonly lastSeq = new Map<string, number>();

  constructor(
    private readonly storage: OutboxStorage,
    private readonly page: string,
    private readonly author: Author,
  ) {}

  get waiting(): number {
    return this.entries.length;
  }

  all(): readonly OutboxEntry[] {
    return this.entries;
  }

  /** Persists a change; only then is it among the unsent. If the device fails, it is sent all the same. */
  async add(peer: string, blob: Uint8Array, attempt: number, ops: JsonChange[] = []): Promise<OutboxEntry> {
    const seq = (this.lastSeq.get(peer) ?? 0) + 1;
    this.lastSeq.set(peer, seq);
    const { subject, name, session } = this.author;
    const entry: OutboxEntry = { page: this.page, peer, seq, blob, attempt, ops, by: { subject, name, session } };
    try {
      await this.storage.put(entry);
    } finally {
      this.entries.push(entry);
    }
    return entry;
  }

  /** What tabs of the same sign-in left behind on this device, by peer. */
  async leftBehind(): Promise<Map<string, OutboxEntry[]>> {
    const own = new Set(this.entries);
    const found = new Map<string, OutboxEntry[]>();
    for (const entry of await this.storage.list(this.page)) {
      if (!this.lastSeq.has(entry.peer) && !own.has(entry) && isBy(entry, this.author)) {
        found.set(entry.peer, [...(found.get(entry.peer) ?? []), entry]);
      }
    }
    return found;
  }

  /** Takes over what a tab that is gone left behind; it is sent under the ids it was made with. */
  adopt(entries: readonly OutboxEntry[]): void {
    for (const entry of entries) {
      this.lastSeq.set(entry.peer, Math.max(this.lastSeq.get(entry.peer) ?? 0, entry.seq));
      this.entries.push(entry);
    }
  }

  unsent(): OutboxEntry[] {
    const underway = new Set(this.sent.values());
    return this.entries.filter((entry) => !underway.has(entry));
  }

  markSent(batchId: HexString, entry: OutboxEntry): void {
    this.sent.set(batchId, entry);
  }

  /** Which entry an acknowledgement answers, if any still waits for it. */
  inFlight(batchId: HexString): OutboxEntry | undefined {
    return this.sent.get(batchId);
  }

  async acknowledge(batchId: HexString): Promise<void> {
    const entry = this.sent.get(batchId);
    if (entry) {
      await this.forget([entry]);
    }
  }

  /** The line dropped: nothing is under way any more, and what was must be sent again. */
  disconnected(): void {
    this.sent.clear();
  }

  /** Forgets what the server already has: it was received, but its acknowledgement was lost. */
  async dropCovered(server: Versions): Promise<void> {
    await this.forget(this.entries.filter((entry) => covers(server, blobSpan(entry.blob).end)));
  }

  /** Takes everything out, to be made anew; it stays on the device until `discard`. */
  withdraw(): OutboxEntry[] {
    const all = this.entries;
    this.entries = [];
    this.sent.clear();
    return all;
  }

  async discard(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length > 0) {
      await this.storage.remove(entries);
    }
  }

  private async forget(gone: readonly OutboxEntry[]): Promise<void> {
    const set = new Set(gone);
    this.entries = this.entries.filter((entry) => !set.has(entry));
    for (const [batchId, entry] of this.sent) {
      if (set.has(entry)) {
        this.sent.delete(batchId);
      }
    }
    await this.discard(gone);
  }
}
