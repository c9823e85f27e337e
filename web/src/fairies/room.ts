import type { Point } from "../sync";

/** How what hangs around a sprite gives way, so that all of it stays where it can be read. */
export interface Room {
  /** Too near the upper edge to speak above its head. */
  top: boolean;
  /** Too near the lower edge to be spoken to beneath its feet. */
  bottom: boolean;
  /** How far to the right of its middle the words go, in pixels. */
  shift: number;
}

/** Half of the widest thing, the line to speak into, and a little air. */
const HALF = 134;
/** What is said, with its distance from the head. */
const SPEECH = 40;
/** The name and the line to speak into. */
const INPUT = 72;
/** The editor's bars lie over the page's upper and lower edge. */
const BARS = { top: 60, bottom: 56 };

/** The room around a sprite of this size that stands at a point of a screen. */
export function roomAround({ x, y }: Point, screen: { w: number; h: number }, size: number): Room {
  const top = y - size / 2 - SPEECH < BARS.top;
  const [left, right] = [HALF - x, screen.w - HALF - x];
  return {
    top,
    // Where neither side has room, beneath is as good as above.
    bottom: !top && y + size / 2 + INPUT > screen.h - BARS.bottom,
    shift:
      screen.w < 2 * HALF
        ? Math.round(screen.w / 2 - x)
        : Math.round(left > 0 ? Math.min(left, HALF) : right < 0 ? Math.max(right, -HALF) : 0),
  };
}
