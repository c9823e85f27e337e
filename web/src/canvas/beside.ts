import type { Rect } from "../sync";

/** Between what comes onto a page and what is there. */
const GAP = 80;

const meets = (a: Rect, b: Rect) => a.x < b.x + b.w + GAP && b.x < a.x + a.w + GAP && a.y < b.y + b.h + GAP && b.y < a.y + a.h + GAP;

/** The wanted place if it is free, or else the nearest to its right that is. */
export function besideAll(there: readonly Rect[], wanted: Rect): Rect {
  let place = wanted;
  const fromLeft = [...there].sort((a, b) => a.x + a.w - (b.x + b.w));
  for (const other of fromLeft) if (meets(place, other)) place = { ...place, x: other.x + other.w + GAP };
  return place;
}
