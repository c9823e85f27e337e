// The whole editor on a page, and seeded random scenes for it: everything that arrows can be bound to, apart or over and
// in each other, with labels, in frames and groups, and arrows between them, straight, bent, curved and elbowed.
// `drag.mjs` takes hold of them with a mouse.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Excalidraw } from "@excalidraw/excalidraw";
import * as E from "@excalidraw/element";

let state = globalThis.SEED;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff), state / 0x7fffffff);
const between = (low, high) => Math.round(low + random() * (high - low));
const pick = (list) => list[Math.floor(random() * list.length)];
let next = 0;
const id = () => `d${next++}`;

const PLACES = [[-560, -380], [-60, -380], [420, -380], [-560, 120], [-60, 120], [420, 120]];
const WORDS = ["pay", "ship the order", "wait for the customer to answer", "an unbelievably longwordthatneverends"];

// Near each other, so that they lie over, in and against each other.
const HEAP = [[-200, -160], [-90, -100], [-60, -40], [40, 20], [-150, 60], [60, -120]];
const HOLDS_WORDS = ["rectangle", "ellipse", "diamond", "stickynote"];
const KINDS = [...HOLDS_WORDS, ...HOLDS_WORDS, "text", "image", "embeddable", "frame"];
const MAKE = {
  stickynote: E.newStickyNoteElement,
  text: (base) => E.newTextElement({ ...base, roundness: null, text: pick(["pay", "ship the order", "two\nlines"]), fontSize: pick([16, 28, 36]), fontFamily: 5, textAlign: pick(["left", "center", "right"]) }),
  image: (base) => E.newImageElement({ ...base, status: "saved", fileId: "f", scale: [1, 1], crop: null }),
  embeddable: E.newEmbeddableElement,
  frame: (base) => E.newFrameElement({ ...base, angle: 0, roundness: null, name: "Plan" }),
};

const shape = ([x, y]) => {
  const type = pick(KINDS);
  const base = {
    type, id: id(), x: x + between(0, 60), y: y + between(0, 60), width: between(90, 220), height: between(70, 200),
    strokeWidth: pick([1, 2, 4]), strokeColor: "#1e1e1e", backgroundColor: "#ffec99", fillStyle: "solid", strokeStyle: "solid",
    roughness: 1, opacity: 100, roundness: pick([null, { type: 2 }, { type: 3 }]), angle: random() < 0.3 ? between(-30, 30) / 20 : 0,
  };
  return (MAKE[type] ?? E.newElement)(base);
};

// What is in a frame lies in the middle of it, and moves with it; so do the members of a group.
const gather = (shapes) => {
  const frame = shapes.find((one) => one.type === "frame");
  const inside = frame && random() < 0.5 ? shapes.find((one) => one.type !== "frame") : null;
  if (inside) Object.assign(inside, { frameId: frame.id, x: frame.x + frame.width / 2 - inside.width / 2, y: frame.y + frame.height / 2 - inside.height / 2 });
  const apart = shapes.filter((one) => one.type !== "frame" && one !== inside);
  if (apart.length > 1 && random() < 0.2) {
    const group = id();
    for (const one of apart.slice(0, 2)) one.groupIds = [group];
  }
};

const label = (container, text) => {
  const words = E.newTextElement({
    id: id(), x: 0, y: 0, text, originalText: text, fontSize: pick([16, 20, 28]), fontFamily: 5, containerId: container.id, strokeColor: "#1e1e1e",
    textAlign: container.type === "arrow" ? "center" : pick(["left", "center", "right"]),
    verticalAlign: container.type === "arrow" ? "middle" : pick(["top", "middle", "bottom"]),
    angle: container.type === "arrow" ? 0 : container.angle,
    labelPosition: container.type === "arrow" ? pick([null, 0.5, 0.3]) : null,
  });
  if (container.type === "stickynote") words.baseFontSize = words.fontSize;
  container.boundElements = [...(container.boundElements ?? []), { id: words.id, type: "text" }];
  return words;
};

const arrow = (from, to) => {
  const elbowed = random() < 0.15;
  const bends = elbowed ? 0 : pick([0, 0, 1, 2]);
  const middle = [(to.x - from.x) / 2, (to.y - from.y) / 2];
  const points = [[0, 0], ...Array.from({ length: bends }, (_, at) => [middle[0] + between(-60, 60) * (at + 1), middle[1] + between(-60, 60)]), [to.x - from.x, to.y - from.y]];
  const one = E.newArrowElement({
    type: "arrow", id: id(), x: from.x, y: from.y, points, elbowed, roundness: elbowed ? null : pick([null, { type: 2 }]),
    strokeColor: "#1e1e1e", strokeWidth: 2, strokeStyle: "solid", roughness: 1, opacity: 100, fillStyle: "solid", backgroundColor: "transparent",
    startArrowhead: pick([null, null, "arrow"]), endArrowhead: pick(["arrow", "arrow", "triangle", null]),
  });
  const tie = (target) => ({ elementId: target.id, fixedPoint: random() < 0.5 ? [0.5001, 0.5001] : [between(1, 9) / 10, between(1, 9) / 10], mode: !elbowed && random() < 0.15 ? "inside" : "orbit" });
  one.startBinding = tie(from);
  one.endBinding = random() < 0.85 ? tie(to) : null;
  from.boundElements = [...(from.boundElements ?? []), { id: one.id, type: "arrow" }];
  if (one.endBinding) to.boundElements = [...(to.boundElements ?? []), { id: one.id, type: "arrow" }];
  return one;
};

// A few words on nothing: the editor fetches their font. Wrapped words would leave widths of the font before it in its cache.
globalThis.fontScene = () => [E.newTextElement({ id: id(), x: 0, y: 0, text: "aé", fontSize: 20, fontFamily: 5, strokeColor: "#1e1e1e" })];

globalThis.newScene = () => {
  const places = [...(random() < 0.3 ? HEAP : PLACES)].sort(() => random() - 0.5).slice(0, 4);
  const shapes = places.map(shape);
  gather(shapes);
  const arrows = [[0, 1], [1, 2], [0, 3], [2, 3]].filter(() => random() < 0.75).map(([from, to]) => arrow(shapes[from], shapes[to]));
  const labels = [...shapes.filter((one) => HOLDS_WORDS.includes(one.type) && random() < 0.6), ...arrows.filter((one) => !one.elbowed && random() < 0.5)].map((one) => label(one, pick(WORDS)));
  // A label is in the groups and the frame that its shape is in.
  const held = new Map(shapes.map((one) => [one.id, one]));
  for (const words of labels) Object.assign(words, { groupIds: [...(held.get(words.containerId)?.groupIds ?? [])], frameId: held.get(words.containerId)?.frameId ?? null });
  // Frames lie above what is in them.
  const frames = shapes.filter((one) => one.type === "frame");
  const elements = [...shapes.filter((one) => one.type !== "frame"), ...arrows, ...labels, ...frames].map((element) => Object.assign(element, { seed: 1 + Math.floor(random() * 2 ** 30) }));
  // Everything where the editor itself would have it.
  const scene = new E.Scene(E.syncInvalidIndices ? E.syncInvalidIndices(elements) : elements);
  for (let again = 0; again < 3; again++) {
    for (const words of labels) E.redrawTextBoundingBox(scene.getElement(words.id), scene.getElement(words.containerId), scene);
    for (const one of shapes) E.updateBoundElements(scene.getElement(one.id), scene);
  }
  return scene.getNonDeletedElements();
};

const ready = new Promise((resolve) => {
  const root = document.createElement("div");
  root.style.cssText = "position: fixed; inset: 0";
  document.body.append(root);
  createRoot(root).render(createElement(Excalidraw, { excalidrawAPI: resolve, onExcalidrawAPI: resolve, initialData: { elements: [], appState: { zenModeEnabled: true } } }));
});
globalThis.ready = ready.then((api) => ((globalThis.api = api), true));
globalThis.frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

// The scene as it is, and of the labels of arrows where the editor draws them: their stored place can be stale.
globalThis.now = () => {
  const map = api.getSceneElementsMapIncludingDeleted();
  return api.getSceneElements().map((element) => {
    const container = element.containerId && map.get(element.containerId);
    const place = container?.type === "arrow" ? E.LinearElementEditor.getBoundTextElementPosition(container, element, map) : null;
    return JSON.parse(JSON.stringify(place ? { ...element, ...place } : element));
  });
};
// Whether the editor, asked again, would leave every arrow where it is. A drag's last step can leave one behind.
globalThis.settled = () => {
  const scene = new E.Scene(structuredClone(api.getSceneElements()));
  const places = () => scene.getNonDeletedElements().filter((one) => one.type === "arrow" && !one.elbowed).flatMap((one) => one.points.flatMap(([x, y]) => [one.x + x, one.y + y]));
  const before = places();
  for (const one of scene.getNonDeletedElements()) E.updateBoundElements(one, scene);
  return places().every((value, at) => Math.abs(value - before[at]) < 0.05);
};
globalThis.rotationHandle = (id) => {
  const map = api.getSceneElementsMapIncludingDeleted();
  // A frame has none.
  const [x, y, width, height] = E.getTransformHandles(map.get(id), { value: 1 }, map, "mouse").rotation ?? [];
  return x === undefined ? null : [x + width / 2, y + height / 2];
};
// A corner of the box around two, where the editor has the handle for both.
globalThis.commonHandle = (ids, name) => {
  const map = api.getSceneElementsMapIncludingDeleted();
  const [x1, y1, x2, y2] = E.getCommonBounds(ids.map((id) => map.get(id)), map);
  const handles = E.getTransformHandlesFromCoords([x1, y1, x2, y2, (x1 + x2) / 2, (y1 + y2) / 2], 0, { value: 1 }, "mouse", {}, 4, 0);
  const [x, y, width, height] = handles[name];
  return [x + width / 2, y + height / 2];
};
globalThis.selectArrow = (id) => {
  const map = api.getSceneElementsMapIncludingDeleted();
  api.updateScene({ appState: { selectedElementIds: { [id]: true }, selectedLinearElement: new E.LinearElementEditor(map.get(id), map) }, captureUpdate: "NEVER" });
};
globalThis.newPlan = (count) => {
  const which = between(0, count - 1);
  return {
    which, also: (which + between(1, count - 1)) % count, arrow: between(0, 9), text: between(0, 9), start: random() < 0.5,
    what: pick(["move", "move", "move two", "resize", "resize", "resize two", "turn", "turn two", "end", "label", "nudge", "free words", "letters"]),
    handle: pick([[1, 1], [-1, -1], [1, -1], [-1, 1], [1, 0], [0, 1], [-1, 0], [0, -1]]),
    dx: between(-260, 260), dy: between(-200, 200), words: pick([...WORDS, "x", "one line\nand another\nand a third one"]),
  };
};
