/** What outlives a tab: unsent changes on the device, and which tabs are alive. */
import type { Liveness } from "../../src/sync/liveness";
import { MemoryStorage, type OutboxEntry, type OutboxStorage } from "../../src/sync/storage";
import { blobSpan } from "../../src/sync/versions";
import { below } from "./world";

/** The longest that a write to the device takes. */
const SLOWEST_MS = 40;

export class Device {
  private readonly disk = new MemoryStorage();
  private readonly alive = new Map<string, object>();

  /** The device as one tab has it; `kept` is told of what a crash of the tab no longer loses. */
  storageOf(kept: (peer: string, to: number) => void): OutboxStorage {
    const { disk } = this;
    // Timers of a tab that was killed never run: its writes end there.
    const later = <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => setTimeout(() => void work().then(resolve, reject), below(SLOWEST_MS)));
    return {
      put: (entry) =>
        later(async () => {
          await disk.put(entry);
          for (const [peer, to] of blobSpan(entry.blob).end) kept(peer, to);
        }),
      remove: (entries) => later(() => disk.remove(entries)),
      list: (page) => later(() => disk.list(page)),
    };
  }

  livenessOf(tab: object): Liveness {
    const { alive } = this;
    return {
      claim: (name) => void alive.set(name, tab),
      adopt: async (name) => {
        if (alive.has(name)) return false;
        alive.set(name, tab);
        return true;
      },
      release: () => this.release(tab),
    };
  }

  /** The tab is gone. */
  release(tab: object): void {
    for (const [name, holder] of this.alive) {
      if (holder === tab) this.alive.delete(name);
    }
  }

  /** All that waits here. */
  waiting(): Promise<OutboxEntry[]> {
    return this.disk.list();
  }
}
