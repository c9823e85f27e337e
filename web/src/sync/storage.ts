import type { JsonChange } from "loro-crdt";
import type { Author } from "./types";

/**
 * Where changes wait, on this device, until the server has acknowledged them. Written before they are sent: closing
 * the tab, a crash or a long time offline loses nothing that was drawn.
 */
export interface OutboxEntry {
  page: string;
  /** Decimal peer id that the operations carry: its tab's, for as long as it lives. */
  peer: string;
  /** Rising within a peer. */
  seq: number;
  blob: Uint8Array;
  /** How often its content has been made anew on top of the server's state after a refusal. */
  attempt: number;
  /** The same operations in words, for a page that no longer takes the blob; see `replay`. */
  ops?: JsonChange[];
  /** Who made it; what was kept before this was noted is nobody's, and nobody sends it. */
  by?: Author;
}

export interface OutboxStorage {
  put(entry: OutboxEntry): Promise<void>;
  remove(entries: readonly OutboxEntry[]): Promise<void>;
  /** All entries, or those of a page: by page, by peer and then in order. */
  list(page?: string): Promise<OutboxEntry[]>;
}

export class MemoryStorage implements OutboxStorage {
  private readonly entries = new Map<string, OutboxEntry>();

  async put(entry: OutboxEntry): Promise<void> {
    this.entries.set(storageKey(entry), entry);
  }

  async remove(entries: readonly OutboxEntry[]): Promise<void> {
    for (const entry of entries) {
      this.entries.delete(storageKey(entry));
    }
  }

  async list(page?: string): Promise<OutboxEntry[]> {
    return inOrder([...this.entries.values()].filter((entry) => page === undefined || entry.page === page));
  }
}

const DATABASE = "glade";
const STORE = "outbox";

class IndexedDbStorage implements OutboxStorage {
  constructor(private readonly db: IDBDatabase) {}

  put(entry: OutboxEntry): Promise<void> {
    return this.write((store) => store.put(entry));
  }

  remove(entries: readonly OutboxEntry[]): Promise<void> {
    return this.write((store) => entries.forEach((e) => store.delete([e.page, e.peer, e.seq])));
  }

  async list(page?: string): Promise<OutboxEntry[]> {
    const store = this.db.transaction(STORE, "readonly").objectStore(STORE);
    return inOrder(await result(store.getAll(page === undefined ? null : IDBKeyRange.bound([page], [page, []]))));
  }

  private write(work: (store: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const tx = this.db.transaction(STORE, "readwrite", { durability: "strict" });
      tx.oncomplete = () => resolve();
      tx.onerror = () => reject(tx.error ?? new Error("The outbox could not be written."));
      tx.onabort = () => reject(tx.error ?? new Error("The outbox could not be written."));
      work(tx.objectStore(STORE));
    });
  }
}

/** The browser's storage; in memory where the browser has none to give (some private windows). */
export async function openStorage(): Promise<OutboxStorage> {
  if (typeof indexedDB === "undefined") {
    return new MemoryStorage();
  }
  try {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["page", "peer", "seq"] });
    return new IndexedDbStorage(await result(request));
  } catch (error) {
    console.warn("glade: this browser keeps no unsent changes when the tab is closed", error);
    return new MemoryStorage();
  }
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The browser's storage did not answer."));
  });
}

function storageKey(entry: OutboxEntry): string {
  return `${entry.page}/${entry.peer}/${entry.seq}`;
}

function inOrder(entries: OutboxEntry[]): OutboxEntry[] {
  const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return entries.sort((a, b) => compare(a.page, b.page) || compare(a.peer, b.peer) || a.seq - b.seq);
}
