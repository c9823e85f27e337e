/** A picture that waits, and whose it is: nobody else brings it to the server. */
export interface WaitingPicture {
  bytes: Blob;
  /** The subject; nothing for one from before this was noted. */
  by: string | null;
}

/** Where pictures wait, on this device, that the server does not have yet: by their hash. */
export interface PictureStorage {
  put(id: string, picture: WaitingPicture): Promise<void>;
  get(id: string): Promise<WaitingPicture | undefined>;
  remove(id: string): Promise<void>;
  ids(): Promise<string[]>;
}

export class MemoryPictures implements PictureStorage {
  private readonly kept = new Map<string, WaitingPicture>();

  async put(id: string, picture: WaitingPicture): Promise<void> {
    this.kept.set(id, picture);
  }

  async get(id: string): Promise<WaitingPicture | undefined> {
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

  async put(id: string, picture: WaitingPicture): Promise<void> {
    await this.ask("readwrite", (store) => store.put(picture, id));
  }

  async get(id: string): Promise<WaitingPicture | undefined> {
    const found = await this.ask("readonly", (store) => store.get(id) as IDBRequest<Blob | WaitingPicture | undefined>);
    return found instanceof Blob ? { bytes: found, by: null } : found;
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
