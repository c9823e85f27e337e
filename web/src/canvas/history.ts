import { StoreDelta, type DurableIncrement, type EphemeralIncrement } from "@excalidraw/element";
import type { Capture } from "./undoGuard";

interface Change {
  deleted: Record<string, unknown>;
  inserted: Record<string, unknown>;
}

/** What the editor's store says about a change: one of the person's that it can undo, an undo or redo, or neither. */
export function readIncrement(
  increment: DurableIncrement | EphemeralIncrement,
): { kind: "edit"; capture: Capture } | { kind: "history" } | { kind: "other" } {
  if (increment.type !== "durable" || !("delta" in increment)) {
    return { kind: "other" };
  }
  // History emits its own kind of delta, which the package does not export.
  if (increment.delta.constructor !== StoreDelta) {
    return { kind: "history" };
  }
  const { added, removed, updated } = increment.delta.elements as unknown as Record<string, Record<string, Change>>;
  const capture: Capture = new Map();
  for (const changes of [added, removed, updated]) {
    for (const [id, { deleted, inserted }] of Object.entries(changes ?? {})) {
      capture.set(id, { before: deleted, after: inserted });
    }
  }
  return { kind: "edit", capture };
}
