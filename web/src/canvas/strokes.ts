import type { Props } from "./schema";

/** How many strokes the editor has to draw for an element, and the property that most of them are for. */
export interface Strokes {
  count: number;
  property: string;
}

/** Counted as the server counts (`glade-doc/src/strokes.rs`), in the same order. */
export function strokesOf(props: Props): Strokes {
  const pen = Math.abs(numberOf(props.strokeWidth) ?? 2);
  const length = outlineOf(props);
  const filled = typeof props.backgroundColor === "string" && props.backgroundColor !== "transparent";
  const fill = (length / 2 / Math.max(pen * 4, 0.1)) * (filled ? linesOf(props.fillStyle) : 0);
  // What it takes to find the way of an elbow arrow, or the edge of a line of ink.
  const each = props.elbowed === true ? 20 : props.type === "freedraw" ? 1 : 0.25;
  const points = pointsOf(props).length * each;
  return { count: fill + points, property: fill < points ? "points" : "fillStyle" };
}

function linesOf(style: unknown): number {
  if (typeof style !== "string" || style === "solid") return 0;
  return style === "hachure" ? 1 : 2;
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
