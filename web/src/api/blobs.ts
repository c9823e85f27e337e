import { send } from "./client";

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

export const blobs: Blobs = {
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
