import { TEXT, type Props } from "./schema";

/** How many strokes the editor has to draw for an element, and the property that most of them are for. */
export interface Strokes {
  count: number;
  property: string;
}

/** So many of each take as long as one stroke: dashes, units of a line's way, characters of a wrapped text times its lines. */
const DASHES = 100;
const WAY = 10_000;
const WRAPPED = 400_000;

/** Counted as the server counts (`glade-doc/src/strokes.rs`), in the same order. */
export function strokesOf(props: Props): Strokes {
  const pen = Math.abs(numberOf(props.strokeWidth) ?? 2);
  const length = outlineOf(props);
  const gap = Math.max(pen * 4, 0.1);
  const filled = typeof props.backgroundColor === "string" && props.backgroundColor !== "transparent";
  const fill = filled ? fillOf(props, length, gap) : 0;
  // What it takes to find the way of an elbow arrow, the edge of a line of ink, or a curve.
  const curved = typeof props.roundness === "object" && props.roundness !== null;
  const each = props.elbowed === true ? 20 : props.type === "freedraw" ? 1 : curved ? 0.5 : 0.25;
  const points = pointsOf(props).length * each;
  const dash = props.strokeStyle === "dashed" ? 16 : props.strokeStyle === "dotted" ? 7.5 : Infinity;
  const dashes = length / (dash + pen) / DASHES;
  const way = length / WAY;
  const characters = typeof props[TEXT] === "string" ? props[TEXT].length : 0;
  const size = numberOf(props.fontSize) ?? 20;
  const letters = (characters * size * 4) / WAY;
  const width = Math.max(Math.abs(numberOf(props.width) ?? 0), 1);
  const lines = Math.min((characters * size) / 2 / width, characters);
  // A label wraps in its container, which may become as narrow as it likes.
  const label = typeof props.containerId === "string";
  const wrapped = label ? (characters * characters) / WRAPPED : props.autoResize === false ? (characters * lines) / WRAPPED : 0;
  const parts: Strokes[] = [
    { count: fill, property: "fillStyle" },
    { count: points + way, property: "points" },
    { count: dashes, property: "strokeStyle" },
    { count: letters, property: "fontSize" },
    { count: wrapped, property: "autoResize" },
  ];
  const most = parts.reduce((most, part) => (part.count > most.count ? part : most));
  return { count: fill + (points + way) + dashes + letters + wrapped, property: most.property };
}

/** Dots, and lines made of dashes, grow with the area; other lines with a side. */
function fillOf(props: Props, length: number, gap: number): number {
  const style = props.fillStyle;
  if (typeof style !== "string" || style === "solid") return 0;
  if (style === "hachure") return length / 2 / gap;
  if (style === "cross-hatch" || style === "zigzag") return (length / 2 / gap) * 2;
  return areaOf(props) / gap / gap;
}

/** The box around an element and its points. */
function areaOf(props: Props): number {
  const axis = (at: 0 | 1, side: unknown) => {
    let [low, high] = [0, 0];
    for (const point of pointsOf(props)) {
      const place = (Array.isArray(point) ? numberOf(point[at]) : undefined) ?? 0;
      [low, high] = [Math.min(low, place), Math.max(high, place)];
    }
    return Math.max(high - low, Math.abs(numberOf(side) ?? 0));
  };
  return axis(0, props.width) * axis(1, props.height);
}

/** How long the outline of an element is, going along the axes. */
function outlineOf(props: Props): number {
  let length = 2 * (Math.abs(numberOf(props.width) ?? 0) + Math.abs(numberOf(props.height) ?? 0));
  const points = pointsOf(props);
  const axis = (at: number, which: 0 | 1) => {
    const point = points[at];
    return (Array.isArray(point) ? numberOf(point[which]) : undefined) ?? 0;
  };
  for (let at = 1; at < points.length; at++) {
    length += Math.abs(axis(at, 0) - axis(at - 1, 0)) + Math.abs(axis(at, 1) - axis(at - 1, 1));
  }
  return length;
}

const pointsOf = (props: Props): readonly unknown[] => (Array.isArray(props.points) ? props.points : []);
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
