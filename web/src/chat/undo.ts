import type { KeptThing, ReopenResult, UndoResult } from "../api/types";
import { strings } from "../strings";

type Naming = (id: string) => string;

/**
 * What stayed, in plain sentences. Several properties of one shape kept
 * for one person are one shape that stayed, and so are a box and its label:
 * nobody counts properties.
 */
function describeKept(kept: KeptThing[], nameOf: Naming, shapeOf: Naming): string[] {
  const byAuthor = new Map<string, Set<string>>();
  for (const { what, by } of kept) {
    const shapes = byAuthor.get(by) ?? new Set<string>();
    byAuthor.set(by, shapes.add(shapeOf(what)));
  }
  return [...byAuthor].map(([by, shapes]) => strings.run.stayed(shapes.size, by ? nameOf(by) : strings.run.someone));
}

/** What an undo did. */
export function describeUndo(result: UndoResult, nameOf: Naming, shapeOf: Naming): string {
  const stayed = describeKept(result.kept, nameOf, shapeOf);
  if (result.undone === 0 && stayed.length === 0) return strings.run.nothing;
  return [...(result.undone > 0 ? [strings.run.undone] : []), ...stayed].join(" ");
}

/** What taking an undo back did. */
export function describeReopening(result: ReopenResult, nameOf: Naming, shapeOf: Naming): string {
  const back = result.reopened > 0 ? strings.run.broughtBack : strings.run.nothingBack;
  return [back, ...describeKept(result.kept, nameOf, shapeOf)].join(" ");
}
