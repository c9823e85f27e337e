import type { Point, Rect } from "../sync";
import type { ElementSummary } from "./types";

/** The upright rectangle around an element as it is seen: turned, and along its points if it has any. */
export function boundsOf(element: Pick<ElementSummary, "x" | "y" | "width" | "height" | "angle" | "points">): Rect {
  const { x, y, width, height, angle, points } = element;
  const corners: Point[] = points?.length
    ? points.map((point) => ({ x: x + point.x, y: y + point.y }))
    : [
        { x, y },
        { x: x + width, y },
        { x: x + width, y: y + height },
        { x, y: y + height },
      ];
  const flat = around(corners);
  if (!angle) return flat;
  const middle = { x: flat.x + flat.w / 2, y: flat.y + flat.h / 2 };
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return around(
    corners.map((corner) => ({
      x: middle.x + (corner.x - middle.x) * cos - (corner.y - middle.y) * sin,
      y: middle.y + (corner.x - middle.x) * sin + (corner.y - middle.y) * cos,
    })),
  );
}

function around(points: readonly Point[]): Rect {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, w: Math.max(...xs) - left, h: Math.max(...ys) - top };
}
