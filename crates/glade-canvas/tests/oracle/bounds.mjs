// Bounds and hits of seeded random elements of every type, as the editor measures them.
import * as E from "@excalidraw/element";

let state = globalThis.SEED;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff), state / 0x7fffffff);
const between = (low, high) => Math.round((low + random() * (high - low)) * 8) / 8;
const pick = (list) => list[Math.floor(random() * list.length)];
let next = 0;

const base = () => ({
  id: `e${next++}`,
  x: between(-800, 800),
  y: between(-800, 800),
  width: between(4, 400),
  height: between(4, 400),
  angle: random() < 0.5 ? between(-3, 6) : 0,
  strokeWidth: pick([1, 2, 4]),
  strokeStyle: pick(["solid", "solid", "dashed", "dotted"]),
  roughness: pick([0, 1, 2]),
  backgroundColor: pick(["transparent", "transparent", "#ffc9c9"]),
  fillStyle: pick(["solid", "hachure"]),
  strokeColor: "#1e1e1e",
  roundness: pick([null, { type: 2 }, { type: 3 }]),
  opacity: 100,
  groupIds: [],
});

const sized = (element) => {
  const xs = element.points.map((p) => p[0]), ys = element.points.map((p) => p[1]);
  return { ...element, width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) };
};
const points = (most) => {
  const list = [[0, 0], ...Array.from({ length: 1 + Math.floor(random() * most) }, () => [between(-300, 300), between(-300, 300)])];
  return random() < 0.25 && list.length > 2 ? [...list, [0, 0]] : list;
};
const stroke = () => {
  const list = [[0, 0]];
  for (let at = 0; at < 30; at++) list.push([list[at][0] + between(-14, 18), list[at][1] + between(-14, 18)]);
  return list;
};
const elbow = () => {
  const list = [[0, 0]];
  for (let at = 0; at < 3; at++) {
    const step = pick([-1, 1]) * between(40, 200);
    list.push(at % 2 ? [list[at][0], list[at][1] + step] : [list[at][0] + step, list[at][1]]);
  }
  return list;
};

const words = () => pick(["yes", "order\nand pay", "a longer label that goes on"]);
const text = (more) => E.newTextElement({ ...base(), text: words(), fontSize: pick([16, 20, 36]), fontFamily: 5, textAlign: "center", verticalAlign: "middle", roundness: null, ...more });

const HEADS = [null, "arrow", "bar", "dot", "circle", "circle_outline", "triangle", "triangle_outline", "diamond", "diamond_outline", "crowfoot_one", "crowfoot_many", "crowfoot_one_or_many", "cardinality_one", "cardinality_many", "cardinality_one_or_many", "cardinality_exactly_one", "cardinality_zero_or_one", "cardinality_zero_or_many"];
const make = {
  rectangle: () => [E.newElement({ type: "rectangle", ...base() })],
  diamond: () => [E.newElement({ type: "diamond", ...base() })],
  ellipse: () => [E.newElement({ type: "ellipse", ...base() })],
  stickynote: () => [E.newStickyNoteElement({ ...base(), type: "stickynote" })],
  image: () => [E.newImageElement({ type: "image", ...base(), status: "saved", fileId: "f", scale: [1, 1], crop: null })],
  frame: () => [E.newFrameElement({ ...base(), angle: 0, roundness: null, name: "Frame" })],
  embeddable: () => [E.newEmbeddableElement({ type: "embeddable", ...base() })],
  text: () => [text({})],
  freedraw: () => [sized({ ...E.newFreeDrawElement({ type: "freedraw", ...base(), points: stroke(), pressures: [], simulatePressure: true }), points: stroke() })],
  line: () => [sized(E.newLinearElement({ type: "line", ...base(), points: points(4) }))],
  arrow: () => [sized(E.newArrowElement({ type: "arrow", ...base(), points: points(3), startArrowhead: pick([null, "arrow"]), endArrowhead: pick(["arrow", "triangle", "bar", null]), elbowed: false }))],
  elbow: () => [sized({ ...E.newArrowElement({ type: "arrow", ...base(), angle: 0, roundness: null, points: elbow(), endArrowhead: "arrow", elbowed: true }), points: elbow() })],
  labelledArrow: () => {
    const arrow = sized(E.newArrowElement({ type: "arrow", ...base(), points: points(3), endArrowhead: "arrow", elbowed: false }));
    const label = text({ containerId: arrow.id, angle: 0, labelPosition: pick([null, null, 0.25, 0.7]) });
    arrow.boundElements = [{ id: label.id, type: "text" }];
    return [arrow, label];
  },
  labelledShape: () => {
    const shape = E.newElement({ type: pick(["rectangle", "diamond", "ellipse"]), ...base() });
    const label = text({ containerId: shape.id, angle: shape.angle, x: shape.x + 5, y: shape.y + 5 });
    shape.boundElements = [{ id: label.id, type: "text" }];
    return [shape, label];
  },
  heads: () => [sized(E.newArrowElement({ type: "arrow", ...base(), points: points(2), startArrowhead: pick(HEADS), endArrowhead: pick(HEADS), elbowed: false }))],
  short: () => [sized(E.newArrowElement({ type: "arrow", ...base(), points: [[0, 0], [between(-6, 6), between(-6, 6)]], startArrowhead: null, endArrowhead: pick(HEADS), elbowed: false }))],
  polygon: () => {
    const line = sized(E.newLinearElement({ type: "line", ...base(), points: points(4) }));
    return [{ ...line, points: [...line.points, [0, 0]], polygon: true }];
  },
  iframe: () => [E.newIframeElement({ type: "iframe", ...base() })],
  magicframe: () => [E.newMagicFrameElement({ ...base(), angle: 0, roundness: null, name: null })],
  cropped: () => [E.newImageElement({ type: "image", ...base(), status: "saved", fileId: "f", scale: [pick([1, -1]), pick([1, -1])], crop: { x: 5, y: 5, width: 20, height: 20, naturalWidth: 100, naturalHeight: 80 } })],
  pressed: () => {
    const list = stroke();
    return [sized({ ...E.newFreeDrawElement({ type: "freedraw", ...base(), points: list, pressures: list.map(() => random()), simulatePressure: false }), points: list })];
  },
  dot: () => [sized({ ...E.newFreeDrawElement({ type: "freedraw", ...base(), points: [[0, 0], [0.0001, 0.0001]], pressures: [], simulatePressure: true }), points: [[0, 0], [0.0001, 0.0001]] })],
  // Not ellipses: the editor cannot hit one without a width.
  flat: () => [E.newElement({ type: pick(["rectangle", "diamond"]), ...base(), ...pick([{ width: 0 }, { height: 0 }, { width: 0.5, height: 0.5 }]) })],
  wide: () => [E.newElement({ type: pick(["rectangle", "diamond"]), ...base(), strokeWidth: 40, roundness: pick([{ type: 1 }, { type: 3, value: 200 }, { type: 3, value: 5 }]) })],
};

const LEFT_OUT = ["created", "version", "versionNonce", "updated", "index", "isDeleted", "link", "locked", "text", "lineHeight"];
const written = (element) => Object.fromEntries(Object.entries(element).filter(([key]) => !LEFT_OUT.includes(key)));

const REACH = 8.5;
const one = (kind) => {
  // The editor draws seeds of its own; ours come from the one seed.
  const elements = make[kind]().map((element) => Object.assign(element, { seed: 1 + Math.floor(random() * 2 ** 30) }));
  const map = new Map(elements.map((element) => [element.id, element]));
  const bounds = elements.map((element) => [...E.getElementBounds(element, map)]);
  const [x1, y1, x2, y2] = E.getCommonBounds(elements, map);
  const hits = Array.from({ length: 12 }, () => {
    const point = [between(x1 - 15, x2 + 15), between(y1 - 15, y2 + 15)];
    return [...point, E.hitElementItself({ point, element: elements[0], threshold: Math.max(elements[0].strokeWidth / 2 + 0.1, REACH), elementsMap: map })];
  });
  return { kind, elements: elements.map(written), bounds, common: [x1, y1, x2, y2], hits };
};

globalThis.ANSWER = Object.keys(make).flatMap((kind) => Array.from({ length: 24 }, () => one(kind)));
