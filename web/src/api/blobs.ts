import { ApiError, send } from "./client";
import { signIn } from "./signIn";
import { openPictures, type PictureStorage } from "./waitingPictures";

/** A picture's bytes as the server keeps them. */
export interface KeptBlob {
  bytes: Blob;
  contentType: string;
}

/** Where pictures are kept: brought once, known by the hash of their bytes, never changed. */
export interface Blobs {
  put(bytes: Blob): Promise<string>;
  get(id: string): Promise<KeptBlob>;
}

const server: Blobs = {
  async put(bytes) {
    const response = await send("POST", "/api/blobs", bytes.type ? { "content-type": bytes.type } : {}, bytes);
    return ((await response.json()) as { id: string }).id;
  },
  async get(id) {
    const response = await send("GET", `/api/blobs/${encodeURIComponent(id)}`);
    const bytes = await response.blob();
    return { bytes, contentType: response.headers.get("content-type") ?? bytes.type };
  },
};

/** Only a line that is down, or a server that is not itself, is worth another try. */
const passing = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

async function hashOf(bytes: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await bytes.arrayBuffer()));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Pictures of a person who may be offline: known by their hash at once, waiting on this device, across a reload too,
 * until the server has them, which only their own person brings them to. What the server refuses is refused here as
 * well.
 */
export class PatientBlobs implements Blobs {
  private readonly storage: Promise<PictureStorage>;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly far: Blobs,
    storage: Promise<PictureStorage>,
    /** Whose subject pictures are brought under now. */
    private readonly me: () => string | null,
    private readonly retryMs = 1500,
  ) {
    this.storage = storage;
    void this.bring();
  }

  async put(bytes: Blob): Promise<string> {
    try {
      return await this.far.put(bytes);
    } catch (error) {
      // Browsers count hashes only on pages they trust: this machine's, or over TLS.
      if (!passing(error) || !globalThis.crypto?.subtle) throw error;
      const id = await hashOf(bytes);
      await (await this.storage).put(id, { bytes, by: this.me() });
      this.later();
      return id;
    }
  }

  async get(id: string): Promise<KeptBlob> {
    const waiting = await (await this.storage).get(id);
    return waiting ? { bytes: waiting.bytes, contentType: waiting.bytes.type } : this.far.get(id);
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.bring();
    }, this.retryMs);
  }

  private async bring(): Promise<void> {
    const storage = await this.storage;
    for (const id of await storage.ids()) {
      const waiting = await storage.get(id);
      if (waiting && (waiting.by === null || waiting.by !== this.me())) continue;
      try {
        if (waiting) await this.far.put(waiting.bytes);
      } catch (error) {
        if (passing(error)) return this.later();
        console.warn(`glade: the server does not take picture ${id}`, error);
      }
      await storage.remove(id);
    }
  }
}

export const blobs: Blobs = new PatientBlobs(server, openPictures(), () => signIn.own?.subject ?? null);
