import { same } from "./schema";

/** What one entry of the editor's history changed: element id → properties before and after. */
export type Capture = Map<string, { before: Record<string, unknown>; after: Record<string, unknown> }>;

/**
 * Keeps the editor's undo and redo from writing over what somebody else has written since.
 *
 * Excalidraw's history restores values. Once another person has written a property, an entry older than that may not
 * bring its value back; an entry made later may, because it goes back to the other's value or to something after it.
 * So, for each property that this person's history knows, remember the values that it has had since the last foreign
 * write: undo may choose among these and no others. Without a foreign write it may choose freely.
 */
export class UndoGuard {
  /** Element id → property → values since the last foreign write; `undefined` while there was none. */
  private readonly known = new Map<string, Map<string, unknown[] | undefined>>();

  /** The person made a change that undo could take back. */
  captured(capture: Capture): void {
    for (const [id, { before, after }] of capture) {
      const properties = this.known.get(id) ?? new Map<string, unknown[] | undefined>();
      this.known.set(id, properties);
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const since = properties.get(key);
        if (since) {
          since.push(before[key], after[key]);
        } else {
          properties.set(key, undefined);
        }
      }
    }
  }

  /** Somebody else's value has been shown. */
  foreign(id: string, key: string, value: unknown): void {
    const properties = this.known.get(id);
    if (properties?.has(key)) {
      properties.set(key, [value]);
    }
  }

  allows(id: string, key: string, value: unknown): boolean {
    const since = this.known.get(id)?.get(key);
    return since === undefined || since.some((v) => same(v, value));
  }
}
