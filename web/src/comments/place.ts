import type { CanvasHandle } from "../canvas";
import { boundsOf } from "../canvas/bounds";
import type { Point } from "../sync";
import type { Thread } from "./commentsDoc";

/** Where a comment is on the page; null when the shape it was pinned to is gone. */
export function placeOf(thread: Pick<Thread, "id" | "element" | "x" | "y">, handle: CanvasHandle): Point | null {
  if (handle.anchor) return handle.anchor(thread.id, thread.element);
  if (thread.element === null) return { x: thread.x, y: thread.y };
  const shape = handle.element(thread.element);
  return shape ? { x: shape.x + thread.x, y: shape.y + thread.y } : null;
}

/** What a comment made at a point is pinned to: the smallest shape under it, else the point itself. */
export function pinAt(point: Point, handle: CanvasHandle): Pick<Thread, "element" | "x" | "y"> {
  let best: { id: string; x: number; y: number; size: number } | null = null;
  for (const id of handle.ids()) {
    const shape = handle.element(id);
    if (!shape) continue;
    const { x, y, w, h } = boundsOf(shape);
    if (point.x < x || point.y < y || point.x > x + w || point.y > y + h) continue;
    const size = w * h;
    const owner = shape.containerId ?? id;
    const at = shape.containerId ? handle.element(owner) : shape;
    if (at && (!best || size < best.size)) best = { id: owner, x: at.x, y: at.y, size };
  }
  return best ? { element: best.id, x: point.x - best.x, y: point.y - best.y } : { element: null, ...point };
}
