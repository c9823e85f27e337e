import type { Point, Rect } from "../sync";

interface Size {
  w: number;
  h: number;
}

/** Clear of the selection's handles. */
const GAP = 14;
const EDGE = 8;

const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(n, high));

/** The editor's bars lie over the page: its tools at the top, and a shape's properties at the left of a wide window. */
const BARS = { top: 60, left: 224 };
/** A window this large has the one, or the other. */
const LARGE = { w: 900, h: 480 };

/** What the bars leave of the screen. */
function clearOf(screen: Size): Rect {
  const x = EDGE + (screen.w >= LARGE.w ? BARS.left : 0);
  const y = EDGE + (screen.h >= LARGE.h ? BARS.top : 0);
  return { x, y, w: screen.w - EDGE - x, h: screen.h - EDGE - y };
}

/** The place nearest to `at` where something of this size is inside. */
function within(room: Rect, { x, y }: Point, { w, h }: Size): Point {
  return {
    x: clamp(x, room.x, Math.max(room.x, room.x + room.w - w)),
    y: clamp(y, room.y, Math.max(room.y, room.y + room.h - h)),
  };
}

/** Where the mark of a shape goes, beside its top right corner and never out of sight; null when the shape itself is. */
export function markPlace(shape: Rect, screen: Size, mark: Size): Point | null {
  const seen = shape.x < screen.w && shape.y < screen.h && shape.x + shape.w > 0 && shape.y + shape.h > 0;
  if (!seen) return null;
  return within(clearOf(screen), { x: shape.x + shape.w + GAP, y: shape.y - GAP }, mark);
}

/**
 * Where the card goes: beside its shape, under the mark or over it, else at the shape's other side, beneath it or above
 * it. Only a shape that leaves no room at any side is covered.
 */
export function cardPlace(shape: Rect, mark: Rect, screen: Size, card: Size): Point {
  const room = clearOf(screen);
  const beside = shape.x + shape.w + GAP;
  const under = mark.y + mark.h + EDGE;
  const wanted = [
    { x: beside, y: under },
    { x: beside, y: mark.y - EDGE - card.h },
    { x: shape.x - GAP - card.w, y: shape.y },
    { x: shape.x, y: shape.y + shape.h + GAP },
    { x: shape.x, y: shape.y - GAP - card.h },
  ].map((at) => within(room, at, card));
  const free = ({ x, y }: Point) =>
    [shape, mark].every((other) => x >= other.x + other.w || y >= other.y + other.h || x + card.w <= other.x || y + card.h <= other.y);
  return wanted.find(free) ?? within(room, { x: mark.x, y: under }, card);
}
