import type { UndoResult } from "../api/types";
import { strings } from "../strings";

/**
 * What an undo did, in plain sentences. Several properties of one shape kept
 * for one person are one shape that stayed, and so are a box and its label:
 * nobody counts properties.
 */
export function describeUndo(result: UndoResult, nameOf: (subject: string) => string, shapeOf: (element: string) => string): string {
  const byAuthor = new Map<string, Set<string>>();
  for (const { what, by } of result.kept) {
    const shapes = byAuthor.get(by) ?? new Set<string>();
    byAuthor.set(by, shapes.add(shapeOf(what)));
  }
  const stayed = [...byAuthor].map(([by, shapes]) => strings.run.stayed(shapes.size, by ? nameOf(by) : strings.run.someone));
  if (result.undone === 0 && stayed.length === 0) return strings.run.nothing;
  return [...(result.undone > 0 ? [strings.run.undone] : []), ...stayed].join(" ");
}
