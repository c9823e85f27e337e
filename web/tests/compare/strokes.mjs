// Records the numbers of the editor's own strokes for every kind of element, as a fixture for our tests:
//   node tests/compare/strokes.mjs > ../crates/glade-canvas/tests/it/fixtures/strokes.json
import { openEditor } from "./editor.mjs";
import { element, freedraw, linear } from "./element.mjs";
import { FILLS, HEADS, STROKES, squiggle } from "./styles.mjs";

const wanted = [];
for (const [row, type] of ["rectangle", "diamond", "ellipse"].entries()) {
  for (const [at, fillStyle] of FILLS.entries()) {
    for (const roundness of [null, type === "rectangle" ? { type: 3 } : { type: 2 }]) {
      wanted.push(element(type, 0, 0, 30 + 9 * at, 22 + 7 * row, { roundness, fillStyle, backgroundColor: "#ffc9c9", roughness: at % 3, strokeStyle: STROKES[(at + row) % 3], strokeWidth: [1, 2, 4][row], angle: at }));
    }
  }
  wanted.push(element(type, 0, 0, 140, 90, { roundness: { type: 2 } }), element(type, 0, 0, 8, 5, { roughness: 2 }));
}
for (const type of ["embeddable", "iframe"]) wanted.push(element(type, 0, 0, 90, 60, { roundness: { type: 3 } }));
const loop = [[0, 0], [50, -10], [60, 30], [10, 40], [0, 0]];
for (const [at, fillStyle] of FILLS.entries()) {
  for (const roundness of [null, { type: 2 }]) {
    wanted.push(linear("line", 0, 0, loop, { roundness, fillStyle, backgroundColor: "#b2f2bb", roughness: at % 3 }));
    wanted.push(linear("line", 0, 0, [[0, 0], [30, 40], [80, 5]].slice(0, 2 + (at % 2)), { roundness, strokeStyle: STROKES[at % 3] }));
  }
}
for (const [at, head] of HEADS.entries()) {
  wanted.push(linear("arrow", 0, 0, [[0, 0], [90, 25]], { endArrowhead: head, startArrowhead: HEADS[(at + 5) % HEADS.length], roughness: at % 3, strokeWidth: [1, 2, 4][at % 3] }));
  wanted.push(linear("arrow", 0, 0, [[0, 0], [40, 50], [90, 10]], { endArrowhead: head, roundness: { type: 2 }, strokeStyle: STROKES[at % 3] }));
}
for (const roughness of [0, 1, 2]) wanted.push(linear("arrow", 0, 0, [[0, 0], [60, 0], [60, 44], [120, 44]], { elbowed: true, roughness, fixedSegments: null, startIsSpecial: null, endIsSpecial: null }));
const circle = Array.from({ length: 25 }, (_, at) => [30 * Math.sin((at / 24) * 2 * Math.PI), 20 - 20 * Math.cos((at / 24) * 2 * Math.PI)]);
for (const [at, strokeWidth] of [1, 2, 4].entries()) {
  const way = squiggle(60 + at, 30, 20);
  wanted.push(freedraw(0, 0, way, { strokeWidth }), freedraw(0, 0, way, { strokeWidth, simulatePressure: false, pressures: way.map((_, nth) => 0.2 + 0.03 * nth) }));
  wanted.push(freedraw(0, 0, way, { strokeWidth, strokeOptions: { variability: "constant", streamline: 0.5 } }), freedraw(0, 0, circle, { strokeWidth, backgroundColor: "#ffec99", fillStyle: FILLS[at] }));
}

const editor = await openEditor();
try {
  const drawn = await editor.page.evaluate((elements) => window.glade.strokes(elements), wanted);
  process.stdout.write(`[\n${drawn.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
} finally {
  await editor.close();
}
