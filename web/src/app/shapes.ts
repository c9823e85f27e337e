import type { CanvasHandle } from "../canvas";
import type { Rect } from "../sync";

/**
 * The things a person would count: a label and the box it is in are one shape,
 * whichever of the two was touched.
 */
export function shapesOf(handle: CanvasHandle | null, ids: readonly string[]): string[] {
  if (handle?.ownerOf) return [...new Set(ids.map((id) => handle.ownerOf!(id)))];
  if (!handle?.api || handle.api.isDestroyed) return [...ids];
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
  handle.api?.updateScene({
    appState: { selectedElementIds: Object.fromEntries(there.map((id) => [id, true as const])) },
  });
  handle.scrollTo(there);
}

/** Pixels that the editor's bars, and the name of a frame drawn here, need at each side. */
const BARS = { top: 130, side: 24, bottom: 72 };

/** The part of the page that one sees between the editor's bars. */
export function clearOfTools(handle: Pick<CanvasHandle, "viewport" | "zoom">): Rect {
  const { x, y, w, h } = handle.viewport();
  const zoom = handle.zoom();
  const [top, side, bottom] = [BARS.top / zoom, BARS.side / zoom, BARS.bottom / zoom];
  // A window too small for bars has none to spare.
  return w > 4 * side && h > 2 * (top + bottom) ? { x: x + side, y: y + top, w: w - 2 * side, h: h - top - bottom } : { x, y, w, h };
}
