import type { Point } from "../sync";

/** Where a hand was, and when: the last few of these say how it was thrown. */
export interface Sample extends Point {
  at: number;
}

/** Only what the hand did in this time before letting go counts. */
const WINDOW_MS = 90;
/** What is left of the speed after one millisecond. */
const DRAG = 0.9955;
const FASTEST = 4;
/** Slower than this, in units a millisecond, is being put down. */
const PUT_DOWN = 0.12;

/** The speed at which something was let go, in units a millisecond. */
export function velocity(samples: readonly Sample[]): Point {
  const last = samples.at(-1);
  const first = samples.find((sample) => last && last.at - sample.at <= WINDOW_MS);
  if (!last || !first || last.at - first.at < 8) return { x: 0, y: 0 };
  const time = last.at - first.at;
  const speed = { x: (last.x - first.x) / time, y: (last.y - first.y) / time };
  const most = Math.hypot(speed.x, speed.y);
  if (most < PUT_DOWN) return { x: 0, y: 0 };
  const share = Math.min(1, FASTEST / most);
  return { x: speed.x * share, y: speed.y * share };
}

/** Where something thrown is after a time, slowed by the air. */
export function thrown(from: Point, speed: Point, ms: number): Point {
  const way = (DRAG ** ms - 1) / Math.log(DRAG);
  return { x: from.x + speed.x * way, y: from.y + speed.y * way };
}

/** Where it comes to rest. */
export function landing(from: Point, speed: Point): Point {
  const way = -1 / Math.log(DRAG);
  return { x: from.x + speed.x * way, y: from.y + speed.y * way };
}

/** How long until it is as good as at rest. */
export function glide(speed: Point): number {
  const fast = Math.hypot(speed.x, speed.y);
  return fast === 0 ? 0 : Math.max(0, Math.log(0.01 / fast) / Math.log(DRAG));
}
