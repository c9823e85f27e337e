/** The selected part of a run: how many shapes a person would count, and the elements to take back for them. */
export interface Part {
  shapes: number;
  elements: string[];
}

/**
 * What of a run is selected, if it is some and not all of it: all of it is
 * what the run's own Undo is for. A label goes with its box.
 */
export function partOf(elements: readonly string[], selection: readonly string[], shapeOf: (element: string) => string): Part | null {
  const selected = new Set(selection);
  const chosen = elements.filter((id) => selected.has(shapeOf(id)));
  if (chosen.length === 0 || chosen.length === elements.length) return null;
  return { shapes: new Set(chosen.map(shapeOf)).size, elements: chosen };
}
