// What elements can look like, for scenes to choose from.

export const FILLS = ["hachure", "cross-hatch", "solid", "zigzag"];
export const STROKES = ["solid", "dashed", "dotted"];
export const COLORS = ["#1e1e1e", "#e03131", "#2f9e44", "#1971c2", "#f08c00", "#9c36b5"];
export const PAPERS = ["#ffc9c9", "#b2f2bb", "#a5d8ff", "#ffec99", "#eebefa", "#ced4da"];
export const HEADS = [
  null, "arrow", "bar", "circle", "circle_outline", "triangle", "triangle_outline", "diamond", "diamond_outline",
  "cardinality_one", "cardinality_many", "cardinality_one_or_many", "cardinality_exactly_one", "cardinality_zero_or_one", "cardinality_zero_or_many",
];

/** A stroke such as a hand makes. */
export function squiggle(width, height, steps = 40) {
  return Array.from({ length: steps }, (_, at) => [(width * at) / steps + 6 * Math.sin(at / 2), (height / 2) * Math.sin(at / 5)]);
}
