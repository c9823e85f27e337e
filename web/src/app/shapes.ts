import type { CanvasHandle } from "../canvas";

/**
 * The things a person would count: a label and the box it is in are one shape,
 * whichever of the two was touched.
 */
export function shapesOf(handle: CanvasHandle | null, ids: readonly string[]): string[] {
  if (!handle || handle.api.isDestroyed) return [...ids];
  const scene = handle.api.getSceneElementsMapIncludingDeleted();
  const owner = (id: string) => {
    const element = scene.get(id as Parameters<typeof scene.get>[0]);
    return element?.type === "text" && element.containerId ? element.containerId : id;
  };
  return [...new Set(ids.map(owner))];
}

/** Selects what is still on the page of `ids` and brings it into view. */
export function showShapes(handle: CanvasHandle, ids: readonly string[]): void {
  const there = shapesOf(handle, ids).filter((id) => handle.element(id));
  if (there.length === 0) return;
  handle.api.updateScene({
    appState: { selectedElementIds: Object.fromEntries(there.map((id) => [id, true as const])) },
  });
  handle.scrollTo(there);
}
