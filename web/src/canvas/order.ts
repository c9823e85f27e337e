import type { SceneElement } from "./schema";

/** Gives every element of a sorted list a valid order key, leaving valid ones as they are: id → key. */
export type RepairIndices = (sorted: readonly { id: string; index: string | null }[]) => Map<string, string | null>;

/**
 * The scene in the order of the document's registers (ties by id, elements without one last), each with the order key
 * that the editor needs. Always made from the registers and never from an earlier repair, so that everybody who has
 * the same document sees the same order. `register` answers undefined for what the document does not have: that stays
 * where the editor has put it.
 */
export function orderOf(
  scene: readonly SceneElement[],
  register: (id: string) => unknown,
  repair: RepairIndices,
): { element: SceneElement; index: string | null }[] {
  const keyed = scene.map((element) => {
    const stored = register(element.id);
    const index = stored === undefined ? element.index : typeof stored === "string" ? stored : null;
    return { element, id: element.id, index };
  });
  keyed.sort((a, b) => {
    if (a.index !== b.index) {
      if (a.index === null) return 1;
      if (b.index === null) return -1;
      return a.index < b.index ? -1 : 1;
    }
    return a.id < b.id ? -1 : 1;
  });
  const repaired = repair(keyed.map(({ id, index }) => ({ id, index })));
  return keyed.map(({ element, id, index }) => ({ element, index: repaired.get(id) ?? index }));
}
