// Elements as files hold them, every property written out.

let made = 0;

const STYLE = {
  angle: 0, strokeColor: "#1e1e1e", backgroundColor: "transparent", fillStyle: "solid", strokeWidth: 2,
  strokeStyle: "solid", roundness: null, roughness: 1, opacity: 100, groupIds: [], frameId: null, boundElements: null,
  link: null, locked: false, isDeleted: false, version: 1, versionNonce: 1, updated: 1, created: null, index: null,
};

/** Numbers start again for each scene, so that a scene does not depend on the ones before it. */
export function restart() {
  made = 0;
}

/** Seeds that differ and repeat. */
export function seedOf(id) {
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return (hash % 2147483646) + 1;
}

export function element(type, x, y, width, height, more = {}) {
  const id = more.id ?? `e${made++}`;
  return { type, id, x, y, width, height, ...STYLE, seed: seedOf(id), ...more };
}

const reach = (points, axis) => {
  const values = points.map((point) => point[axis]);
  return Math.max(...values) - Math.min(...values);
};

export function linear(type, x, y, points, more = {}) {
  const ends = { startBinding: null, endBinding: null, startArrowhead: null, endArrowhead: type === "arrow" ? "arrow" : null };
  const own = type === "arrow" ? { elbowed: false } : { polygon: false };
  return element(type, x, y, reach(points, 0), reach(points, 1), { points, lastCommittedPoint: null, ...ends, ...own, ...more });
}

export function freedraw(x, y, points, more = {}) {
  const own = { pressures: [], simulatePressure: true, lastCommittedPoint: null };
  return element("freedraw", x, y, reach(points, 0), reach(points, 1), { points, ...own, ...more });
}

const LINE_HEIGHTS = { 1: 1.25, 2: 1.15, 3: 1.2, 5: 1.25, 6: 1.25, 7: 1.15, 8: 1.25, 9: 1.15 };

/** Its size is measured in the browser before anything is drawn. */
export function text(x, y, words, more = {}) {
  const fontFamily = more.fontFamily ?? 5;
  return element("text", x, y, 10, 10, {
    text: words, originalText: words, fontSize: 20, fontFamily, textAlign: "left", verticalAlign: "top", containerId: null,
    autoResize: true, lineHeight: LINE_HEIGHTS[fontFamily] ?? 1.25, ...more,
  });
}

export function image(x, y, width, height, fileId, more = {}) {
  return element("image", x, y, width, height, { fileId, status: "saved", scale: [1, 1], crop: null, ...more });
}
