// What the editor itself makes of seeded random scenes: arrow ends, label layouts, sticky notes, wrapped text.
import * as E from "@excalidraw/element";

let state = globalThis.SEED;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff), state / 0x7fffffff);
const between = (low, high) => Math.round((low + random() * (high - low)) * 8) / 8;
const pick = (list) => list[Math.floor(random() * list.length)];

const WORDS = "order pay ship the customer waits-for an unbelievably longwordthatneverends tea, ok (maybe) café 42 AVATAR".split(" ");
const words = (most) => Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(WORDS)).join(random() < 0.1 ? "\n" : " ");

const ROUNDNESS = [null, { type: 2 }, { type: 3 }, { type: 3, value: 12 }];
const KINDS = ["rectangle", "ellipse", "diamond", "stickynote"];
let next = 0;
const shape = (near) => {
  const type = pick(KINDS);
  const small = random() < 0.15;
  const side = () => (small ? between(8, 40) : between(60, 320));
  const make = type === "stickynote" ? E.newStickyNoteElement : E.newElement;
  return make({
    type,
    id: `s${next++}`,
    x: near ? near.x + between(-420, 420) : between(-500, 500),
    y: near ? near.y + between(-420, 420) : between(-500, 500),
    width: side(),
    height: side(),
    strokeWidth: pick([1, 2, 4]),
    roundness: pick(ROUNDNESS),
    angle: random() < 0.3 ? between(-3, 3) : 0,
  });
};

const OUT = ["type", "x", "y", "width", "height", "angle", "strokeWidth", "roundness", "points", "startBinding", "endBinding",
  "startArrowhead", "endArrowhead", "elbowed", "originalText", "text", "fontSize", "baseFontSize", "baseHeight", "fontFamily",
  "lineHeight", "textAlign", "verticalAlign", "containerId", "autoResize", "labelPosition"];
const props = (element) => Object.fromEntries(OUT.filter((key) => element[key] !== undefined).map((key) => [key, element[key]]));

const bindTo = (element, exact) => ({
  elementId: element.id,
  fixedPoint: exact ? [0.5001, 0.5001] : [between(0, 1), between(0, 1)],
  mode: random() < 0.12 ? "inside" : "orbit",
});

// What else arrows can be bound to.
const OTHERS = {
  image: (one) => E.newImageElement({ ...one, status: "saved", fileId: "f", scale: [1, 1], crop: null }),
  embeddable: E.newEmbeddableElement,
  iframe: E.newIframeElement,
  frame: (one) => E.newFrameElement({ ...one, angle: 0, roundness: null, name: "Plan" }),
  magicframe: (one) => E.newMagicFrameElement({ ...one, angle: 0, roundness: null, name: "Plan" }),
  text: (one) => ({ ...E.newTextElement({ ...one, roundness: null, text: "ship the order", fontSize: 20, fontFamily: 5 }), width: one.width, height: one.height, autoResize: false }),
};
const end = (near) => {
  const one = shape(near);
  const type = random() < 0.4 ? pick(Object.keys(OTHERS)) : null;
  return type ? OTHERS[type]({ ...one, type, boundElements: null }) : one;
};
// Elsewhere, or in the middle of the other one.
const other = (from) => {
  const one = end(from);
  if (random() < 0.15) Object.assign(one, { x: from.x + from.width / 4, y: from.y + from.height / 4, width: from.width / 2, height: from.height / 2 });
  return one;
};

const arrowCase = () => {
  const from = end();
  const to = other(from);
  const bends = Array.from({ length: pick([0, 0, 0, 0, 0, 1, 1, 2]) }, () => [between(-200, 200), between(-200, 200)]);
  const arrow = E.newArrowElement({
    type: "arrow", id: `s${next++}`, x: between(-500, 500), y: between(-500, 500),
    points: [[0, 0], ...bends, [between(20, 300), between(-200, 200)]],
    startArrowhead: random() < 0.2 ? "arrow" : null,
    endArrowhead: random() < 0.8 ? "arrow" : null,
    roundness: pick([null, { type: 2 }]),
  });
  const exact = random() < 0.5;
  arrow.startBinding = random() < 0.85 ? bindTo(from, exact) : null;
  arrow.endBinding = arrow.startBinding === null || random() < 0.85 ? bindTo(to, exact) : null;
  from.boundElements = [{ id: arrow.id, type: "arrow" }];
  to.boundElements = [{ id: arrow.id, type: "arrow" }];
  const scene = new E.Scene([from, to, arrow]);
  const before = structuredClone(props(arrow));
  // Each bound end in turn, as when a person drops the element where it already is.
  if (arrow.startBinding) E.updateBoundElements(scene.getElement(from.id), scene);
  else E.updateBoundElements(scene.getElement(to.id), scene);
  const after = scene.getElement(arrow.id);
  return { from: { id: from.id, ...props(from) }, to: { id: to.id, ...props(to) }, arrow: before, after: { x: after.x, y: after.y, points: after.points } };
};

const labelCase = () => {
  const container = random() < 0.2
    ? E.newArrowElement({ type: "arrow", id: `s${next++}`, x: between(-500, 500), y: between(-500, 500),
        points: [[0, 0], ...(random() < 0.3 ? [[between(0, 200), between(0, 200)]] : []), [between(50, 500), between(-200, 200)]], endArrowhead: "arrow" })
    : shape();
  const isArrow = container.type === "arrow";
  if (isArrow) {
    const xs = container.points.map((p) => p[0]), ys = container.points.map((p) => p[1]);
    container.width = Math.max(...xs) - Math.min(...xs);
    container.height = Math.max(...ys) - Math.min(...ys);
  }
  const fontSize = pick([16, 20, 28, 36]);
  const text = E.newTextElement({
    id: `s${next++}`, x: 0, y: 0, text: words(9), fontSize, fontFamily: 5, containerId: container.id,
    textAlign: isArrow ? "center" : pick(["left", "center", "center", "right"]),
    verticalAlign: isArrow ? "middle" : pick(["top", "middle", "middle", "bottom"]),
    baseFontSize: container.type === "stickynote" ? fontSize : null,
    labelPosition: isArrow ? pick([null, 0.5, 0.25]) : null,
    angle: isArrow ? 0 : container.angle,
  });
  container.boundElements = [{ id: text.id, type: "text" }];
  const before = { container: { id: container.id, ...structuredClone(props(container)) }, label: structuredClone(props(text)) };
  const scene = new E.Scene([container, text]);
  // A container too narrow for one character widens, and the text wraps anew only at the next touch: settle that.
  for (let again = 0; again < 3; again++) E.redrawTextBoundingBox(scene.getElement(text.id), scene.getElement(container.id), scene);
  const [c, t] = [scene.getElement(container.id), scene.getElement(text.id)];
  return { ...before, after: { container: { x: c.x, y: c.y, width: c.width, height: c.height }, label: { x: t.x, y: t.y, width: t.width, height: t.height, angle: t.angle, fontSize: t.fontSize, text: t.text } } };
};

// Spaces of every width at breaks and ends, letters and marks apart, hyphens in a row, words that only break by force.
const ODD = ["  ", "   ", "\u00a0", "\u2003", "\u200b", "-", "--", "well-to-do-", "cafe\u0301", "re\u0301sume\u0301", "\u00ad", "Wwwwwwwwwwwwwwwwwwwww", ".", ",", "(a)(b)", "...", "", "\n", "\n\n", "fi", "AVAVAV"];
const oddWords = () => Array.from({ length: 2 + Math.floor(random() * 10) }, () => pick([...WORDS, ...ODD, ...ODD])).join(pick(["", " ", " ", "  "]));

const wrapCase = (at) => {
  const [text, fontSize, maxWidth] = [at % 2 ? oddWords() : words(14), pick([16, 20, 28]), at % 7 === 6 ? between(0, 20) : between(10, 400)];
  return { text, fontSize, maxWidth, wrapped: E.wrapText(text, `${fontSize}px Excalifont, Xiaolai, sans-serif, Segoe UI Emoji`, maxWidth) };
};

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
globalThis.ANSWER = { arrows: many(300, arrowCase), labels: many(120, labelCase), wraps: many(300, wrapCase) };
