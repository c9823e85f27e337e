import type { Point, Rect } from "../sync";

interface Size {
  w: number;
  h: number;
}

/** Clear of the selection's handles. */
const GAP = 14;
const EDGE = 8;

const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(n, high));

/** Where the mark of a shape goes, beside its top right corner and never out of sight; null when the shape itself is. */
export function markPlace(shape: Rect, screen: Size, mark: Size): Point | null {
  const seen = shape.x < screen.w && shape.y < screen.h && shape.x + shape.w > 0 && shape.y + shape.h > 0;
  if (!seen) return null;
  return {
    x: clamp(shape.x + shape.w + GAP, EDGE, screen.w - mark.w - EDGE),
    y: clamp(shape.y - GAP, EDGE, screen.h - mark.h - EDGE),
  };
}

/** Where the card goes: under its mark, or over it where there is no room beneath. */
export function cardPlace(mark: Rect, screen: Size, card: Size): Point {
  const below = mark.y + mark.h + EDGE;
  const fits = below + card.h + EDGE <= screen.h;
  return {
    x: clamp(mark.x, EDGE, Math.max(EDGE, screen.w - card.w - EDGE)),
    y: fits ? below : clamp(mark.y - card.h - EDGE, EDGE, Math.max(EDGE, screen.h - card.h - EDGE)),
  };
}
