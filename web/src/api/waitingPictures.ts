/** Where pictures wait, on this device, that the server does not have yet: by their hash. */
export interface PictureStorage {
  put(id: string, bytes: Blob): Promise<void>;
  get(id: string): Promise<Blob | undefined>;
  remove(id: string): Promise<void>;
  ids(): Promise<string[]>;
}

export class MemoryPictures implements PictureStorage {
  private readonly kept = new Map<string, Blob>();

  async put(id: string, bytes: Blob): Promise<void> {
    this.kept.set(id, bytes);
  }

  async get(id: string): Promise<Blob | undefined> {
    return this.kept.get(id);
  }

  async remove(id: string): Promise<void> {
    this.kept.delete(id);
  }

  async ids(): Promise<string[]> {
    return [...this.kept.keys()];
  }
}

const DATABASE = "glade-pictures";
const STORE = "waiting";

class IndexedDbPictures implements PictureStorage {
  constructor(private readonly db: IDBDatabase) {}

  async put(id: string, bytes: Blob): Promise<void> {
    await this.ask("readwrite", (store) => store.put(bytes, id));
  }

  get(id: string): Promise<Blob | undefined> {
    return this.ask("readonly", (store) => store.get(id) as IDBRequest<Blob | undefined>);
  }

  async remove(id: string): Promise<void> {
    await this.ask("readwrite", (store) => store.delete(id));
  }

  async ids(): Promise<string[]> {
    return (await this.ask("readonly", (store) => store.getAllKeys())) as string[];
  }

  private ask<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const tx = this.db.transaction(STORE, mode);
      const request = work(tx.objectStore(STORE));
      tx.oncomplete = () => resolve(request.result);
      tx.onerror = tx.onabort = () => reject(tx.error ?? new Error("The browser's storage did not answer."));
    });
  }
}

/** The browser's storage; in memory where the browser has none to give (some private windows). */
export function openPictures(): Promise<PictureStorage> {
  return new Promise((resolve) => {
    if (typeof indexedDB === "undefined") return resolve(new MemoryPictures());
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(new IndexedDbPictures(request.result));
    request.onerror = () => resolve(new MemoryPictures());
  });
}
