// What the editor makes of elements of older files when it opens them: seeded random shapes, texts and arrows bound by
// focus and gap, as 0.17 wrote them, or by a fixed point without a mode, as 0.18 did.
import { restoreElements } from "@excalidraw/excalidraw";

let state = globalThis.SEED;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff), state / 0x7fffffff);
const between = (low, high) => Math.round((low + random() * (high - low)) * 8) / 8;
const pick = (list) => list[Math.floor(random() * list.length)];
let next = 0;

const base = (type) => ({
  id: `e${next++}`, type, x: between(-300, 300), y: between(-300, 300), width: between(20, 300), height: between(20, 300),
  angle: random() < 0.3 ? between(-3, 3) : 0, strokeColor: "#1e1e1e", backgroundColor: "transparent", fillStyle: "solid", strokeWidth: pick([1, 2, 4]),
  strokeStyle: "solid", roughness: 1, opacity: 100, groupIds: [], seed: 1, version: 1, versionNonce: 1, isDeleted: false, boundElements: null, updated: 1, link: null, locked: false,
});
const HOLDS_WORDS = ["rectangle", "ellipse", "diamond"];
const KINDS = [...HOLDS_WORDS, ...HOLDS_WORDS, "text", "image", "frame", "embeddable"];
const MORE = {
  text: () => ({ text: "pay", fontSize: 20, fontFamily: pick([1, 2, 3, 5]), textAlign: "left", verticalAlign: "top", containerId: null, originalText: "pay" }),
  image: () => ({ fileId: "f", status: "saved", scale: [1, 1] }),
  frame: () => ({ name: "Plan", angle: 0 }),
};
const target = () => {
  const type = pick(KINDS);
  return { ...base(type), ...(MORE[type]?.() ?? {}), ...(random() < 0.5 ? { roundness: pick([null, { type: 2 }, { type: 3 }]) } : { strokeSharpness: pick(["round", "sharp"]) }) };
};
const arrow = (from, to) => {
  const one = { ...base("arrow"), angle: random() < 0.1 ? between(-2, 2) : 0, startArrowhead: null, endArrowhead: pick(["arrow", null, "dot"]) };
  // Mostly from beside the one to beside the other, as people draw; some lead into a shape, some end anywhere.
  const beside = ({ x, y, width, height }) => pick([[x - 8, y + height * random()], [x + width + 6, y + height * random()], [x + width * random(), y - 4], [x + width * random(), y + height + 9], [x + width / 2, y - 7], [x + width + 10, y + height / 2]]);
  const within = ({ x, y, width, height }) => [x + width * random(), y + height * random()];
  [one.x, one.y] = beside(from);
  const last = pick([beside, beside, beside, within, () => [between(-300, 300), between(-300, 300)]])(to);
  const end = [last[0] - one.x, last[1] - one.y];
  one.points = [random() < 0.15 ? [between(-40, 40), between(-40, 40)] : [0, 0], ...(random() < 0.3 ? [[between(-200, 200), between(-200, 200)]] : []), end];
  const xs = one.points.map((p) => p[0]), ys = one.points.map((p) => p[1]);
  Object.assign(one, { width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) });
  const tie = (other) => pick([
    { elementId: other.id, focus: between(-1, 1), gap: between(0, 20) }, { elementId: other.id, focus: between(-1, 1), gap: between(0, 20) },
    { elementId: other.id, focus: between(-1, 1), gap: between(0, 20), fixedPoint: null },
    { elementId: other.id, focus: 0, gap: 5, fixedPoint: [between(0, 1), between(0, 1)] }, { elementId: other.id, fixedPoint: [0.5, 0.5], mode: "orbit" },
    { elementId: other.id, fixedPoint: [between(-1, 2), between(-1, 2)], mode: "inside" }, null,
  ]);
  one.startBinding = tie(from);
  one.endBinding = tie(to);
  for (const other of [from, to]) other.boundElements = [...(other.boundElements ?? []), { id: one.id, type: "arrow" }];
  return one;
};
const words = (container) => {
  const one = { ...base("text"), ...MORE.text(), containerId: random() < 0.7 ? container.id : null, text: "ship the order", fontSize: pick([16, 20]) };
  one.originalText = pick(["ship the order", undefined]);
  if (random() < 0.4) delete one.fontFamily, delete one.fontSize, (one.font = pick(["20px Virgil", "16px Cascadia", "28px Helvetica"]));
  if (random() < 0.3) one.lineHeight = 1.25;
  if (random() < 0.7) container.boundElements = [...(container.boundElements ?? []), { id: one.id, type: "text" }];
  return one;
};
const odd = () => {
  const one = base(pick(["line", "arrow", "freedraw", "draw", "rectangle", "text"]));
  for (const key of ["angle", "points", "opacity", "strokeWidth", "roughness", "groupIds", "text"]) if (random() < 0.4) delete one[key];
  if (["line", "arrow", "draw"].includes(one.type)) one.points = pick([undefined, [], [[0, 0]], [[0, 0], [40, 30]], [[5, 5], [40, 30], [80, 10]]]);
  if (one.type === "freedraw") Object.assign(one, { points: [[0, 0], [5, 5], [9, 2]], pressures: [], simulatePressure: true });
  if (one.type !== "freedraw" && random() < 0.2) Object.assign(one, { width: -one.width, height: -one.height });
  return one;
};

const KEPT = ["id", "type", "x", "y", "width", "height", "angle", "points", "startBinding", "endBinding", "startArrowhead", "endArrowhead", "fontSize", "fontFamily", "lineHeight", "originalText", "containerId", "roundness", "polygon", "opacity", "strokeWidth", "roughness", "isDeleted", "boundElements"];
// What every element has, and nothing hangs on.
const LEFT_OUT = ["strokeColor", "backgroundColor", "fillStyle", "strokeStyle", "seed", "version", "versionNonce", "updated", "link", "locked", "roughness", "isDeleted"];
const one = () => {
  const [from, to] = [target(), target()];
  const elements = [from, to, arrow(from, to), ...[from, to].filter((one) => HOLDS_WORDS.includes(one.type) && random() < 0.3).map(words), ...(random() < 0.4 ? [odd()] : [])];
  const before = JSON.parse(JSON.stringify(elements));
  // The editor deletes what nobody sees when it opens a file, and cannot open one with a line that has no points at all.
  const opens = elements.every((element) => element.points || !["line", "arrow", "draw"].includes(element.type));
  const after = restoreElements(elements, null, { repairBindings: true, refreshDimensions: false, deleteInvisibleElements: opens });
  for (const element of before) for (const key of LEFT_OUT) delete element[key];
  return { before, after: JSON.parse(JSON.stringify(after)).map((element) => Object.fromEntries(KEPT.filter((key) => key in element).map((key) => [key, element[key]]))) };
};
globalThis.ANSWER = Array.from({ length: 120 }, one);
