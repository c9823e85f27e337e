// Files as older versions of the editor wrote them, handed to both sides as they are.

const base = (id, type, x, y, width, height, more = {}) => ({
  id, type, x, y, width, height, angle: 0, strokeColor: "#000000", backgroundColor: "transparent", fillStyle: "hachure", strokeWidth: 1,
  strokeStyle: "solid", roughness: 1, opacity: 100, groupIds: [], seed: 1000 + id.length * 77 + x, version: 12, versionNonce: 5, isDeleted: false, ...more,
});

const file = (elements, version = 2) => JSON.stringify({ type: "excalidraw", version, source: "https://excalidraw.com", elements, appState: { viewBackgroundColor: "#ffffff", gridSize: null }, files: {} });

export function oldFiles() {
  const first = [
    base("r", "rectangle", 0, 0, 160, 90, { backgroundColor: "#fab005", strokeSharpness: "sharp" }),
    base("rr", "rectangle", 200, 0, 160, 90, { strokeSharpness: "round", strokeWidth: 2 }),
    base("dd", "diamond", 400, 0, 140, 90, { strokeSharpness: "round", backgroundColor: "#82c91e", fillStyle: "cross-hatch" }),
    base("l", "line", 0, 140, 120, 60, { points: [[0, 0], [60, 60], [120, 0]], strokeSharpness: "round", lastCommittedPoint: null, startBinding: null, endBinding: null }),
    base("a", "arrow", 200, 140, 120, 60, { points: [[0, 0], [60, 60], [120, 0]], strokeSharpness: "round" }),
    base("t", "text", 400, 140, 110, 25, { font: "20px Virgil", text: "an old text", baseline: 18, textAlign: "left" }),
    base("u", "text", 400, 200, 110, 24, { fontSize: 20, fontFamily: 3, text: "old code", baseline: 19, textAlign: "left", verticalAlign: "top" }),
  ];
  const second = [
    base("box", "rectangle", 0, 0, 160, 90, { strokeSharpness: "sharp", boundElements: [{ id: "boxt", type: "text" }, { id: "arr", type: "arrow" }] }),
    base("boxt", "text", 5, 32, 150, 25, { fontSize: 20, fontFamily: 1, text: "in the box", baseline: 18, textAlign: "center", verticalAlign: "middle", containerId: "box", originalText: "in the box" }),
    base("oval", "ellipse", 320, 20, 140, 90, { strokeSharpness: "sharp", backgroundColor: "#15aabf", fillStyle: "solid", boundElementIds: ["arr"] }),
    base("arr", "arrow", 168, 48, 146, 12, {
      points: [[0, 0], [146, 12]], strokeSharpness: "round", startBinding: { elementId: "box", focus: 0.1, gap: 8 }, endBinding: { elementId: "oval", focus: -0.1, gap: 6 },
      startArrowhead: "dot", endArrowhead: "arrow", lastCommittedPoint: null,
    }),
    base("f", "freedraw", 0, 140, 120, 40, { points: Array.from({ length: 30 }, (_, at) => [at * 4, 20 * Math.sin(at / 3)]), pressures: [], simulatePressure: true, strokeSharpness: "round" }),
  ];
  const third = [
    base("r", "rectangle", 0, 0, 160, 90, { roundness: { type: 3 }, boundElements: [], link: null, locked: false, updated: 1, frameId: null, fillStyle: "solid", backgroundColor: "#ffc9c9", strokeWidth: 2 }),
    base("p", "rectangle", 200, 0, 160, 90, { roundness: { type: 1 }, boundElements: [], link: null, locked: false, updated: 1 }),
    base("a", "arrow", 0, 140, 160, 60, { points: [[0, 0], [160, 60]], roundness: { type: 2 }, startArrowhead: "crowfoot_one", endArrowhead: "crowfoot_many", startBinding: null, endBinding: null }),
    base("b", "arrow", 220, 140, 160, 60, { points: [[0, 0], [160, 60]], roundness: { type: 2 }, startArrowhead: null, endArrowhead: "crowfoot_one_or_many", startBinding: null, endBinding: null }),
    base("t", "text", 0, 240, 120, 25, { fontSize: 20, fontFamily: 1, text: "Virgil it was", baseline: 18, textAlign: "left", verticalAlign: "top", containerId: null, originalText: "Virgil it was", lineHeight: 1.25 }),
    base("h", "text", 200, 240, 120, 23, { fontSize: 20, fontFamily: 2, text: "plain words", baseline: 18, textAlign: "left", verticalAlign: "top", containerId: null, originalText: "plain words", lineHeight: 1.15 }),
    base("gone", "rectangle", 900, 900, 100, 100, { isDeleted: true }),
  ];
  const minimal = [
    { type: "rectangle", x: 0, y: 0, width: 100, height: 60, seed: 5 },
    { type: "ellipse", id: "e", x: 150, y: 0, width: 100, height: 60, seed: 6, strokeColor: "#e03131" },
    { type: "arrow", id: "a", x: 0, y: 100, width: 200, height: 0, points: [[0, 0], [200, 0]], seed: 7 },
    { type: "line", id: "l", x: 0, y: 140, width: 200, height: 30, points: [[0, 0], [200, 30]], seed: 8 },
  ];
  const scenes = [["a file of 2020", file(first)], ["a file of 2021", file(second)], ["a file of 2023", file(third)], ["a file of little words", file(minimal)]];
  return scenes.map(([name, raw]) => ({ name, raw }));
}
