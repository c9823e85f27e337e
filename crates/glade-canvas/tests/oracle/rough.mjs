// Makes tests/it/fixtures/rough.json: what rough.js draws for every kind of shape and fill, with the options that
// the editor passes. Run: node rough.mjs PATH_TO_ROUGHJS_PACKAGE > ../it/fixtures/rough.json
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const rough = require(join(process.argv[2], "bundled/rough.cjs.js"));
const generator = rough.generator();

// Seven decimals say more than the 1e-6 that is compared.
const round = (number) => Number(number.toFixed(7));

const segments = {
  rounded: [
    ["M", 16, 0], ["L", 84, 0], ["Q", 100, 0, 100, 16], ["L", 100, 44], ["Q", 100, 60, 84, 60],
    ["L", 16, 60], ["Q", 0, 60, 0, 44], ["L", 0, 16], ["Q", 0, 0, 16, 0],
  ],
  diamond: [
    ["M", 46, 7], ["L", 72, 33], ["C", 81, 40, 81, 40, 72, 47], ["L", 50, 74],
    ["C", 41, 81, 41, 81, 32, 74], ["L", 9, 47], ["C", 0, 40, 0, 40, 9, 33], ["Z"],
  ],
  two: [["M", 0, 0], ["L", 40, 4], ["L", 20, 30], ["Z"], ["M", 50, 0], ["L", 90, 5], ["L", 60, 40], ["Z"]],
};
const d = (list) => list.map(([key, ...numbers]) => `${key} ${numbers.join(" ")}`).join(" ");

const shapes = [
  ["line", [0, 0, 260, 35]],
  ["line", [3, 4, 9, 2]],
  ["linearPath", [[[0, 0], [40, 3], [77, 51], [600, 80]]]],
  ["rectangle", [0, 0, 60, 35]],
  ["rectangle", [0, 0, 7, 620]],
  ["polygon", [[[30, 0], [61, 22], [30, 45], [0, 22]]]],
  ["polygon", [[[0, 0], [50, 10], [20, 40], [60, 60], [0, 50], [0, 0]]]],
  ["ellipse", [30, 20, 60, 40]],
  ["ellipse", [100, 8, 200, 16]],
  ["curve", [[[0, 0], [30, 40], [80, -10]]]],
  ["curve", [[[0, 0], [30, 40], [80, -10], [60, 50], [0, 0]]]],
  ["curve", [[[0, 0], [70, 20]]]],
  ["arc", [20, 20, 40, 30, 0.3, 2.9, true]],
  ["arc", [20, 20, 40, 30, -1, 2, false]],
  ["path", [d(segments.rounded)], segments.rounded],
  ["path", [d(segments.diamond)], segments.diamond],
  ["path", [d(segments.two)], segments.two],
];
const fills = [null, "hachure", "cross-hatch", "zigzag", "solid"];
const manners = [
  { seed: 1, roughness: 1 },
  { seed: 2147483647, roughness: 2, preserveVertices: true },
  { seed: 1968410350, roughness: 0, preserveVertices: true, disableMultiStroke: true, curveFitting: 1 },
  { seed: 337897, roughness: 0.5, disableMultiStroke: true, curveFitting: 1 },
];
const ops = { move: "M", lineTo: "L", bcurveTo: "C" };

const cases = [];
for (const [at, [shape, args, list]] of shapes.entries()) {
  for (const [turn, fill] of fills.entries()) {
    if (fill && (shape === "line" || shape === "linearPath")) continue;
    for (const [nth, manner] of manners.entries()) {
      // Every fill with every shape, every manner with every shape, but not all with all: the file stays small.
      if (fill && (at + turn) % 4 !== nth) continue;
      const options = { ...manner, strokeWidth: 2, hachureGap: 8, fillWeight: 1 };
      if (fill) Object.assign(options, { fill: "#f00", fillStyle: fill });
      const drawn = generator[shape](...structuredClone(args), options);
      cases.push({
        shape,
        args: list ?? args,
        fill,
        manner,
        sets: drawn.sets.map(({ type, ops: list }) => ({
          type,
          ops: list.map(({ op, data }) => [ops[op], ...data.map(round)]),
        })),
      });
    }
  }
}
process.stdout.write(`[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
