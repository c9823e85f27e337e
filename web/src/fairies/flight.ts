import type { Point } from "../sync";

/** One flight from a place to another, in page coordinates; time in milliseconds. */
export interface Flight {
  from: Point;
  /** The control point of a quadratic curve: what makes the way a swoop and not a ruler's line. */
  via: Point;
  to: Point;
  start: number;
  duration: number;
  /** `rest`: it sets off slowly. `flying`: it was on its way elsewhere and only turns. */
  out: "rest" | "flying";
}

const SHORTEST = 220;
const LONGEST = 1500;
/** How far the curve bows out, as a part of the distance. */
const BOW = 0.16;
const HIGHEST_BOW = 120;

const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);

/**
 * Plans a flight. Sideways flights bow upwards (y grows downwards on a page),
 * as something with wings would; vertical ones bow to the side they lean to.
 */
export function planFlight(from: Point, to: Point, now: number, out: Flight["out"]): Flight {
  const d = distance(from, to);
  const bow = Math.min(d * BOW, HIGHEST_BOW);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  if (d === 0) return { from, via: to, to, start: now, duration: 0, out };
  let normal = { x: (to.y - from.y) / d, y: -(to.x - from.x) / d };
  if (normal.y > 0) normal = { x: -normal.x, y: -normal.y };
  return {
    from,
    via: { x: middle.x + normal.x * bow * 2, y: middle.y + normal.y * bow * 2 },
    to,
    start: now,
    // Grows with the root of the distance: a long way is quick, a short hop still reads as a hop.
    duration: Math.round(Math.min(LONGEST, Math.max(SHORTEST, 42 * Math.sqrt(d)))),
    out,
  };
}

/** Slow away, quick between, slow in. */
export function ease(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2;
}

/** Quick away, slow in: a fairy sent on again and again must not stand still at each new start. */
export function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

export interface Moment {
  at: Point;
  /** Page units per unit of progress: where it is heading and how fast. */
  heading: Point;
  done: boolean;
}

export function along(flight: Flight, now: number): Moment {
  const raw = flight.duration === 0 ? 1 : (now - flight.start) / flight.duration;
  if (raw >= 1) return { at: flight.to, heading: { x: 0, y: 0 }, done: true };
  const linear = Math.max(0, raw);
  const t = flight.out === "flying" ? easeOut(linear) : ease(linear);
  const u = 1 - t;
  const { from, via, to } = flight;
  const speed = Math.sin(Math.PI * linear);
  return {
    at: {
      x: u * u * from.x + 2 * u * t * via.x + t * t * to.x,
      y: u * u * from.y + 2 * u * t * via.y + t * t * to.y,
    },
    heading: {
      x: speed * 2 * (u * (via.x - from.x) + t * (to.x - via.x)),
      y: speed * 2 * (u * (via.y - from.y) + t * (to.y - via.y)),
    },
    done: false,
  };
}

/** How far to lean into the wind, in degrees; positive leans right. */
export function lean(heading: Point): number {
  return Math.max(-18, Math.min(18, heading.x / 18));
}

/** A sprite is 60 px at 100 % and scales with the zoom, but is never too small to see or big enough to be in the way. */
export function spriteSize(zoom: number): number {
  return Math.max(18, Math.min(240, 60 * zoom));
}
