import { CaptureUpdateAction, newElementWith } from "@excalidraw/element";
import type { ExcalidrawElement, FileId, InitializedExcalidrawImageElement } from "@excalidraw/element/types";
import type { BinaryFileData, DataURL, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { Blobs } from "../api/blobs";
import { blobOf, dataUrlOf } from "./dataUrl";
import { isBlobId } from "./schema";

const RETRY_MS = 4000;

/** Keeps the editor's files and the server's pictures in step: fetches what is missing, brings what was pasted. */
export class Pictures {
  /** Fetched, being fetched, or asked for in vain. */
  private readonly known = new Set<string>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  readOnly = false;

  constructor(
    private readonly api: ExcalidrawImperativeAPI,
    private readonly blobs: Blobs,
  ) {}

  /** Call when the scene may have new images. */
  look(elements: readonly ExcalidrawElement[]): void {
    for (const element of elements) {
      if (element.type !== "image" || !element.fileId || element.isDeleted || this.known.has(element.fileId)) {
        continue;
      }
      const id = element.fileId;
      const here = this.api.getFiles()[id];
      if (isBlobId(id)) {
        this.known.add(id);
        if (!here) void this.fetch(id);
      } else if (here && !this.readOnly) {
        this.known.add(id);
        void this.bring(id, here.dataURL);
      }
    }
  }

  stop(): void {
    this.timers.forEach(clearTimeout);
    this.timers.clear();
  }

  private async fetch(id: FileId): Promise<void> {
    try {
      const { bytes, contentType } = await this.blobs.get(id);
      const dataURL = (await dataUrlOf(bytes)) as DataURL;
      if (!this.api.isDestroyed) {
        this.api.addFiles([{ id, dataURL, mimeType: contentType as BinaryFileData["mimeType"], created: Date.now() }]);
      }
    } catch {
      this.later(id);
    }
  }

  /** A picture that came with pasted shapes is known by a name of the editor's own: it gets its hash instead. */
  private async bring(id: FileId, dataURL: DataURL): Promise<void> {
    try {
      const bytes = blobOf(dataURL);
      const kept = (await this.blobs.put(bytes)) as FileId;
      if (this.api.isDestroyed) return;
      this.known.add(kept);
      this.api.addFiles([{ id: kept, dataURL, mimeType: bytes.type as BinaryFileData["mimeType"], created: Date.now() }]);
      const elements = this.api
        .getSceneElementsIncludingDeleted()
        .map((element) =>
          element.type === "image" && element.fileId === id
            ? newElementWith(element as InitializedExcalidrawImageElement, { fileId: kept, status: "saved" })
            : element,
        );
      this.api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER });
    } catch {
      this.later(id);
    }
  }

  /** The line may be down, or another's picture still on its way to the server. */
  private later(id: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.known.delete(id);
      if (!this.api.isDestroyed) this.look(this.api.getSceneElements());
    }, RETRY_MS);
    this.timers.add(timer);
  }
}
