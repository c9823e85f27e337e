// Boards such as people make, each of one kind: what single things look like is in catalogue.mjs, here they meet.
import { element, freedraw, image, linear, text } from "./element.mjs";
import { random } from "./random.mjs";
import { COLORS, FILLS, PAPERS, squiggle } from "./styles.mjs";

const ROUND = { type: 3 };
const CURVED = { type: 2 };

/** A topic in the middle, branches around it, twigs on the branches. */
function mindMap() {
  const elements = [element("ellipse", -110, -50, 220, 100, { backgroundColor: "#ffec99", strokeWidth: 4 }), text(-60, -15, "The garden", { fontSize: 28 })];
  const branches = ["soil", "seeds", "water", "light", "tools", "neighbours", "harvest"];
  for (const [at, branch] of branches.entries()) {
    const angle = (at / branches.length) * 2 * Math.PI;
    const [x, y] = [Math.cos(angle) * 330, Math.sin(angle) * 230];
    const strokeColor = COLORS[at % COLORS.length];
    elements.push(linear("line", Math.cos(angle) * 115, Math.sin(angle) * 55, [[0, 0], [x * 0.3, y * 0.1], [x * 0.45, y * 0.62]], { strokeColor, strokeWidth: 4, roundness: CURVED }));
    elements.push(element("rectangle", x - 55, y - 22, 110, 44, { strokeColor, backgroundColor: PAPERS[at % PAPERS.length], roundness: ROUND, roughness: 0 }), text(x - 40, y - 12, branch, { strokeColor }));
    for (const side of [-1, 1]) {
      elements.push(linear("line", x * 1.17, y * 1.1 + side * 24, [[0, 0], [Math.sign(x || 1) * 50, side * 26]], { strokeColor, strokeWidth: 1 }));
      elements.push(text(x * 1.17 + (x < 0 ? -130 : 58), y * 1.1 + side * 54 - 10, `${branch} ${side > 0 ? "later" : "now"}`, { fontSize: 16, strokeColor }));
    }
  }
  return elements;
}

/** Decisions, with elbow arrows between. */
function flowChart() {
  const step = (type, x, y, words, more) => [element(type, x, y, 160, 80, { roughness: 0, fillStyle: "solid", ...more }), text(x + 30, y + 28, words, { fontFamily: 6, fontSize: 16 })];
  const elbow = (x, y, points, more) => linear("arrow", x, y, points, { elbowed: true, roughness: 0, fixedSegments: null, startIsSpecial: null, endIsSpecial: null, ...more });
  return [
    ...step("ellipse", 0, 0, "an order", { backgroundColor: "#b2f2bb" }), ...step("diamond", 0, 160, "in stock?", { backgroundColor: "#ffec99" }),
    ...step("rectangle", 260, 160, "reserve it", { backgroundColor: "#a5d8ff", roundness: ROUND }), ...step("rectangle", 0, 330, "order more", { backgroundColor: "#ffc9c9" }),
    ...step("rectangle", 260, 330, "tell them", { strokeStyle: "dashed" }), ...step("ellipse", 520, 245, "done", { backgroundColor: "#ced4da" }),
    elbow(80, 84, [[0, 0], [0, 72]]), elbow(165, 200, [[0, 0], [90, 0]]), elbow(80, 245, [[0, 0], [0, 80]]), elbow(165, 370, [[0, 0], [90, 0]], { strokeStyle: "dotted" }),
    elbow(425, 200, [[0, 0], [175, 0], [175, 40]], { endArrowhead: "triangle" }), elbow(425, 370, [[0, 0], [40, 0], [40, -85], [90, -85]], { endArrowhead: "circle_outline", roughness: 1 }),
    elbow(-5, 370, [[0, 0], [-70, 0], [-70, -170], [0, -170]], { strokeColor: "#e03131", startArrowhead: "bar" }),
    text(185, 174, "yes", { fontSize: 16 }), text(92, 268, "no", { fontSize: 16 }),
  ];
}

/** Two screens of an application in frames, one of which cuts what it holds. */
function wireframe() {
  const screen = (id, x, name) => {
    const inside = { frameId: id, roughness: 0, strokeWidth: 1 };
    return [
      element("rectangle", x, 0, 320, 44, { ...inside, backgroundColor: "#ced4da" }), text(x + 16, 12, name, { frameId: id, fontFamily: 6, fontSize: 16 }),
      ...[0, 1, 2].flatMap((row) => [
        element("rectangle", x + 16, 64 + row * 120, 288, 100, { ...inside, roundness: ROUND }),
        element("ellipse", x + 28, 80 + row * 120, 56, 56, { ...inside, backgroundColor: PAPERS[row], fillStyle: FILLS[row] }),
        linear("line", x + 100, 92 + row * 120, [[0, 0], [180, 0]], inside), linear("line", x + 100, 116 + row * 120, [[0, 0], [130, 0]], inside),
      ]),
      element("rectangle", x + 216, 400, 140, 60, { ...inside, backgroundColor: "#1971c2", roundness: ROUND }), text(x + 240, 416, "Next", { frameId: id, strokeColor: "#ffffff", fontFamily: 6 }),
      element("frame", x, 0, 320, 440, { id, name }),
    ];
  };
  return [...screen("list", 0, "All orders"), ...screen("one", 420, "One order"), linear("arrow", 330, 200, [[0, 0], [40, -30], [80, 0]], { roundness: CURVED, strokeColor: "#e03131" })];
}

/** A page of handwriting: short strokes with pressure, a sketch, something crossed out. */
function handwriting() {
  const chance = random(77);
  const stroke = (x, y, size) => {
    const points = Array.from({ length: chance.whole(5, 24) }, (_, at) => [at * size * 0.12 + chance.near(-2, 2), Math.sin(at * 1.3) * size * 0.5 + chance.near(-2, 2)]);
    const pressed = chance.chance(0.5);
    return freedraw(x, y, [[0, 0], ...points], { strokeWidth: chance.pick([1, 1, 2]), simulatePressure: !pressed, pressures: pressed ? [0.3, ...points.map(() => chance.near(0.2, 0.9))] : [], strokeColor: chance.pick(COLORS) });
  };
  const lines = [0, 1, 2, 3, 4].flatMap((row) => [0, 1, 2, 3, 4, 5].map((column) => stroke(column * 90, row * 60, 22)));
  return [...lines, freedraw(0, 330, squiggle(420, 60, 120), { strokeWidth: 4, strokeColor: "#e03131" }), freedraw(120, 420, [[0, 0], [60, -30], [120, 0], [110, 70], [10, 70], [0, 0]], { backgroundColor: "#ffec99", fillStyle: "hachure" }), freedraw(300, 440, [[0, 0], [0.4, 0.3]], {})];
}

/** Photographs with notes stuck on them. */
function whiteboard() {
  const note = (x, y, words, more) => [element("stickynote", x, y, 150, 150, { backgroundColor: "#ffec99", created: 1700000000000, ...more }), text(x + 20, y + 50, words, { angle: more?.angle ?? 0 })];
  return [
    image(0, 0, 400, 280, "jpeg"), image(430, 20, 260, 180, "png", { angle: -0.1 }), image(430, 230, 200, 140, "webp", { crop: { x: 40, y: 20, width: 120, height: 80, naturalWidth: 200, naturalHeight: 140 } }),
    image(660, 230, 120, 160, "gif", { scale: [-1, 1], opacity: 70 }), ...note(60, 60, "blurred?", { angle: 0.08 }), ...note(240, 160, "ask Mina", { backgroundColor: "#a5d8ff" }),
    ...note(560, 120, "keep", { backgroundColor: "#b2f2bb", angle: -0.15 }), linear("arrow", 210, 130, [[0, 0], [40, 60]], { strokeColor: "#e03131", strokeWidth: 4 }),
    element("ellipse", 40, 30, 190, 120, { strokeColor: "#e03131", strokeWidth: 4 }), freedraw(440, 60, squiggle(200, 40, 50), { strokeColor: "#f08c00", strokeWidth: 4, opacity: 50 }),
  ];
}

/** A lesson in several scripts that the shipped fonts draw. */
function lesson() {
  const rows = [["你好", "hello"], ["漢字とカナ", "signs"], ["안녕하세요", "good day"], ["第一章：春", "chapter 1"]];
  return rows.flatMap(([words, meaning], row) => [
    element("rectangle", 0, row * 90, 240, 70, { backgroundColor: PAPERS[row], fillStyle: FILLS[row], roundness: ROUND }), text(20, row * 90 + 18, words, { fontSize: 28 }),
    linear("arrow", 250, row * 90 + 35, [[0, 0], [70, 0]]), text(340, row * 90 + 22, `${words} = ${meaning}`, { fontFamily: 5 }),
  ]);
}

/** Signs with faces, as chats are full of. */
function emoji() {
  return ["Shipped 🚀 on time", "Risks ⚠️ and wins 🎉", "👍 yes / 👎 no", "🔥🔥🔥", "plain words under them"].flatMap((words, row) => [
    element("rectangle", 0, row * 60, 260, 46, { backgroundColor: PAPERS[row], roundness: ROUND }), text(14, row * 60 + 10, words, { fontFamily: row % 2 ? 6 : 5 }),
  ]);
}

/** Groups in groups, all turned about their middle. */
function nested() {
  const angle = 0.5;
  const middle = [400, 240];
  const turned = ([x, y], [w, h]) => {
    const [dx, dy] = [x + w / 2 - middle[0], y + h / 2 - middle[1]];
    return [middle[0] + dx * Math.cos(angle) - dy * Math.sin(angle) - w / 2, middle[1] + dx * Math.sin(angle) + dy * Math.cos(angle) - h / 2];
  };
  return Array.from({ length: 24 }, (_, at) => {
    const size = [90, 54];
    const place = turned([(at % 6) * 130, Math.floor(at / 6) * 120], size);
    const groupIds = [`g${at >> 1}`, `g${at >> 2}x`, `g${at >> 3}y`, "all"];
    return element(["rectangle", "diamond", "ellipse"][at % 3], ...place, ...size, { angle, groupIds, backgroundColor: PAPERS[at % 6], fillStyle: FILLS[at % 4], roundness: at % 2 ? ROUND : null });
  });
}

/** Far to the left of and above where pages begin, and far off to the right. */
function farOff(x, y) {
  return [
    element("rectangle", x, y, 200, 120, { backgroundColor: "#a5d8ff", fillStyle: "hachure" }), element("ellipse", x + 240.37, y - 60.81, 160, 160, { strokeStyle: "dashed" }),
    linear("arrow", x + 20, y + 180, [[0, 0], [-60.5, 40.25], [200, 90]], { roundness: CURVED }), text(x + 260, y + 140, "far off"), freedraw(x - 120, y + 40, squiggle(100, 60)),
  ];
}

/** From what nobody can read to what fills a wall. */
function sizes() {
  return [[4, "so small"], [9, "a footnote under all of it"], [96, "Large"], [220, "Wall"], [400, "!?"]].reduce(({ list, y }, [fontSize, words], at) => ({ list: [...list, text(0, y, words, { fontSize, fontFamily: [5, 6, 7, 5, 8][at] })], y: y + fontSize * 1.4 }), { list: [], y: 0 }).list;
}

/** Clicks that never became a shape, lines without length, boxes drawn from right to left. */
function degenerate() {
  return [
    element("rectangle", 0, 0, 0, 0), element("rectangle", 30, 0, 80, 0), element("rectangle", 140, 0, 0, 60, { backgroundColor: "#a5d8ff" }), element("ellipse", 180, 0, 1, 1), element("diamond", 210, 0, 60, 2),
    linear("line", 0, 100, [[0, 0], [0, 0]]), linear("line", 30, 100, [[0, 0], [0, 80]]), linear("arrow", 80, 100, [[0, 0], [12, 0]]), linear("arrow", 130, 100, [[0, 0], [60, 0], [60, 0], [60, 40]]),
    freedraw(220, 120, [[0, 0], [0, 0]]), freedraw(260, 120, [[0, 0], [30, 0]]), element("rectangle", 0, 220, 120, 60, { opacity: 0 }), element("rectangle", 150, 220, 120, 60, { strokeColor: "transparent", backgroundColor: "#ffc9c9" }),
    element("ellipse", 300, 220, 120, 60, { strokeWidth: 40, backgroundColor: "#ffec99" }), element("rectangle", 460, 220, 400, 6, { roundness: ROUND, fillStyle: "cross-hatch", backgroundColor: "#b2f2bb" }),
  ];
}

/** Figures as libraries have them: small parts without words, drawn closely together. */
function figures() {
  const person = (x, y) => [
    element("ellipse", x, y, 24, 24, { strokeWidth: 1 }), linear("line", x + 12, y + 24, [[0, 0], [0, 40]], { strokeWidth: 1 }), linear("line", x, y + 36, [[0, 0], [24, 0]], { strokeWidth: 1 }), linear("line", x + 12, y + 64, [[0, 0], [-12, 26]], { strokeWidth: 1 }), linear("line", x + 12, y + 64, [[0, 0], [12, 26]], { strokeWidth: 1 }),
  ];
  const store = (x, y) => [
    element("rectangle", x, y + 10, 70, 80, { strokeColor: "transparent", backgroundColor: "#ced4da" }), element("ellipse", x, y + 80, 70, 20, { backgroundColor: "#ced4da" }), element("ellipse", x, y, 70, 20, { backgroundColor: "#ffffff" }),
    linear("line", x, y + 10, [[0, 0], [0, 80]]), linear("line", x + 70, y + 10, [[0, 0], [0, 80]]),
  ];
  const cloud = (x, y) => [linear("line", x, y + 50, [[0, 0], [-20, -30], [10, -50], [40, -60], [80, -40], [100, -10], [70, 10], [30, 10], [0, 0]], { roundness: CURVED, backgroundColor: "#a5d8ff", fillStyle: "zigzag" })];
  const server = (x, y) => [0, 1, 2].flatMap((at) => [element("rectangle", x, y + at * 32, 90, 28, { roughness: 0, backgroundColor: "#495057", roundness: { type: 3, value: 4 } }), element("ellipse", x + 70, y + at * 32 + 9, 10, 10, { roughness: 0, backgroundColor: "#b2f2bb", strokeWidth: 1 })]);
  return [...person(0, 0), ...person(50, 4), ...store(120, 0), ...cloud(260, 20), ...server(420, 0), linear("arrow", 80, 140, [[0, 0], [340, 0]], { startArrowhead: "arrow", strokeStyle: "dashed" })];
}

export const PEOPLE = {
  "a mind map": mindMap, "a flow chart": flowChart, "a wireframe": wireframe, handwriting, "a whiteboard": whiteboard, "a lesson in scripts": lesson, "words with emoji": emoji,
  "groups in groups, turned": nested, "far to the left": () => farOff(-48211.37, -9120.5), "far to the right": () => farOff(250000.25, 99999.75), "sizes of words": sizes, "hardly anything": degenerate, "figures of a library": figures,
};
