// The scenes that are compared: one for each thing that can look wrong, then random boards from seeds.
import { board } from "./board.mjs";
import { element, freedraw, image, linear, restart, text } from "./element.mjs";
import { EMOJI, emojiLabels } from "./emoji.mjs";
import { oldFiles } from "./old.mjs";
import { PEOPLE } from "./people.mjs";
import { random } from "./random.mjs";
import { COLORS, FILLS, HEADS, PAPERS, STROKES, squiggle } from "./styles.mjs";
import { writing } from "./writing.mjs";

const ROUND = { rectangle: { type: 3 }, diamond: { type: 2 }, ellipse: { type: 2 }, line: { type: 2 }, arrow: { type: 2 } };

/** Every stroke style, width and roughness, sharp and round, filled one way. */
function shapes(type, fillStyle) {
  const elements = [];
  let at = 0;
  for (const strokeStyle of STROKES) {
    for (const strokeWidth of [1, 2, 4]) {
      for (const roughness of [0, 1, 2]) {
        const roundness = at % 2 ? ROUND[type] : null;
        elements.push(element(type, (at % 6) * 150, Math.floor(at / 6) * 120, 60 + (at * 17) % 70, 30 + (at * 29) % 60, {
          fillStyle, strokeStyle, strokeWidth, roughness, roundness, backgroundColor: PAPERS[at % PAPERS.length], strokeColor: COLORS[at % COLORS.length],
        }));
        at++;
      }
    }
  }
  return elements;
}

function outlines() {
  return ["rectangle", "diamond", "ellipse"].flatMap((type, row) => [0, 1, 2, 3, 4, 5].map((at) => {
    const [width, height] = [[8, 8], [30, 14], [200, 18], [140, 140], [12, 160], [320, 200]][at];
    return element(type, at * 260, row * 260, width, height, { roughness: at % 3, roundness: at % 2 ? ROUND[type] : null, strokeWidth: 1 + (at % 3) });
  }));
}

function rounds() {
  const kinds = [{ type: 1 }, { type: 2 }, { type: 3 }, { type: 3, value: 8 }, { type: 3, value: 60 }];
  return ["rectangle", "diamond"].flatMap((type, row) => kinds.map((roundness, at) => {
    return element(type, at * 220, row * 200, 180, 60 + at * 20, { roundness, backgroundColor: PAPERS[at], fillStyle: FILLS[at % 4] });
  }));
}

function turned() {
  const types = ["rectangle", "diamond", "ellipse"];
  const elements = types.flatMap((type, row) => [0.3, 0.9, 1.6, 2.7, 4.1, 5.9].map((angle, at) => {
    return element(type, at * 190, row * 170, 120, 70, { angle, fillStyle: FILLS[at % 4], backgroundColor: PAPERS[at], roundness: at % 2 ? ROUND[type] : null });
  }));
  elements.push(linear("line", 0, 540, [[0, 0], [90, 40], [30, 110]], { angle: 0.8 }));
  elements.push(linear("arrow", 220, 540, [[0, 0], [90, 40], [120, 110]], { angle: 2.2, roundness: { type: 2 } }));
  elements.push(text(430, 560, "turned\nwords", { angle: 0.6, textAlign: "center" }));
  elements.push(freedraw(640, 540, squiggle(40, 120), { angle: 1.1 }));
  return elements;
}

function lines(fillStyle) {
  const paths = [
    [[0, 0], [120, 30]], [[0, 0], [60, 80], [120, 0]], [[0, 0], [110, 10], [90, 80], [-20, 60], [0, 0]],
    [[0, 0], [50, -40], [100, 0], [80, 60], [20, 60], [0, 0]], [[0, 0], [40, 60], [80, 0], [120, 60], [160, 0]],
  ];
  return paths.flatMap((points, column) => [0, 1, 2, 3].map((row) => {
    const closed = points.length > 2 && points[0][0] === points.at(-1)[0] && points[0][1] === points.at(-1)[1];
    return linear("line", column * 220, row * 150, points, {
      roundness: row % 2 ? ROUND.line : null, polygon: closed && row > 1, backgroundColor: PAPERS[row], fillStyle,
      strokeStyle: STROKES[(row + column) % 3], strokeWidth: [1, 2, 4][column % 3], roughness: (row + column) % 3,
    });
  }));
}

function heads(roughness, strokeWidth) {
  return HEADS.flatMap((head, at) => [
    linear("arrow", (at % 3) * 330, Math.floor(at / 3) * 110, [[0, 0], [120, 20]], { startArrowhead: HEADS[(at + 4) % HEADS.length], endArrowhead: head, roughness, strokeWidth }),
    linear("arrow", (at % 3) * 330 + 160, Math.floor(at / 3) * 110, [[0, 0], [60, 60], [120, 10]], { endArrowhead: head, roundness: ROUND.arrow, roughness, strokeWidth, strokeStyle: STROKES[at % 3], strokeColor: COLORS[at % 6] }),
  ]);
}

function shortArrows() {
  return [4, 9, 16, 28, 45].flatMap((length, at) => ["arrow", "triangle", "circle", "bar", "cardinality_many", "diamond"].map((head, row) => {
    return linear("arrow", at * 90, row * 40, [[0, 0], [length, length / 3]], { endArrowhead: head, startArrowhead: at % 2 ? head : null });
  }));
}

function elbows() {
  const paths = [
    [[0, 0], [80, 0], [80, 60], [160, 60]], [[0, 0], [0, 90], [120, 90]], [[0, 0], [40, 0], [40, -50], [140, -50], [140, 40], [200, 40]],
    [[0, 0], [10, 0], [10, 8], [60, 8]], [[0, 0], [-60, 0], [-60, 100], [90, 100], [90, 40]],
  ];
  return paths.flatMap((points, column) => [0, 1, 2].map((row) => linear("arrow", column * 300 + 80, row * 200 + 60, points, {
    elbowed: true, roundness: null, roughness: row, strokeWidth: [1, 2, 4][row], endArrowhead: HEADS[1 + ((column + row) % 5)], startArrowhead: row === 2 ? "circle" : null,
    fixedSegments: null, startIsSpecial: null, endIsSpecial: null, strokeStyle: STROKES[row],
  })));
}

function drawn() {
  const chance = random(77);
  const loop = Array.from({ length: 41 }, (_, at) => [60 * Math.sin((at / 40) * 2 * Math.PI), 40 - 40 * Math.cos((at / 40) * 2 * Math.PI)]);
  const elements = [];
  for (const [row, strokeWidth] of [1, 2, 4].entries()) {
    const way = squiggle(150, 70);
    const strokes = [
      freedraw(0, row * 130, way, { strokeWidth }),
      freedraw(200, row * 130, way, { strokeWidth, simulatePressure: false, pressures: way.map(() => chance.between(0.1, 0.9)) }),
      freedraw(460, row * 130 - 40, loop, { strokeWidth, backgroundColor: PAPERS[row], fillStyle: FILLS[row] }),
      freedraw(600, row * 130, [[0, 0], [0.0001, 0.0001]], { strokeWidth, simulatePressure: false, pressures: [0.5, 0.5] }),
      freedraw(660, row * 130, way, { strokeWidth, strokeOptions: { variability: "constant", streamline: 0.5 } }),
      freedraw(860, row * 130, squiggle(90, 30, 6), { strokeWidth, strokeOptions: { variability: "variable", streamline: 0.25 }, strokeColor: COLORS[row] }),
    ];
    elements.push(...strokes);
  }
  return elements;
}

const FORMATS = ["png", "jpeg", "gif", "webp", "svg"];

function images(kinds) {
  return kinds.flatMap((kind, column) => {
    const crop = { x: 40, y: 20, width: 90, height: 70, naturalWidth: 200, naturalHeight: 140 };
    return [
      image(column * 230, 0, 200, 140, kind),
      image(column * 230, 160, 100, 70, kind, { scale: [-1, 1], roundness: { type: 3 } }),
      image(column * 230 + 110, 160, 90, 70, kind, { scale: [1, -1], opacity: 50 }),
      image(column * 230 + 20, 260, 135, 105, kind, { crop, angle: column % 2 ? 0.5 : 0 }),
      image(column * 230, 400, 90, 70, kind, { crop, scale: [-1, -1] }),
    ];
  });
}

function frames() {
  const frame = (id, x, y, w, h, name, more = {}) => element("frame", x, y, w, h, { id, name, roughness: 0, strokeColor: "#bbb", roundness: null, ...more });
  return [
    element("rectangle", -30, 20, 120, 80, { frameId: "f1", backgroundColor: "#a5d8ff", fillStyle: "hachure" }),
    element("ellipse", 140, 90, 150, 120, { frameId: "f1", backgroundColor: "#ffec99" }),
    text(40, 130, "inside a frame", { frameId: "f1" }),
    linear("arrow", 60, 60, [[0, 0], [300, 90]], { frameId: "f1", roundness: ROUND.arrow }),
    frame("f1", 0, 0, 240, 180, "First frame"),
    element("diamond", 420, 40, 120, 90, { frameId: "f2", angle: 0.5, opacity: 60, backgroundColor: "#b2f2bb" }),
    element("rectangle", 500, 100, 90, 120, { frameId: "f2", groupIds: ["g"], roundness: { type: 3 } }),
    element("ellipse", 620, 100, 40, 40, { frameId: "f2", groupIds: ["g"] }),
    frame("f2", 400, 0, 160, 180, "A name that is much too long for its frame", { opacity: 70 }),
    frame("f3", 0, 280, 120, 80, null),
    frame("f4", 200, 280, 120, 80, ""),
    element("magicframe", 400, 280, 140, 80, { id: "f5", name: null }),
    element("rectangle", 30, 300, 60, 40, { backgroundColor: "#eebefa" }),
  ];
}

function notes() {
  const day = Date.UTC(2024, 4, 17, 12);
  const note = (id, x, y, w, h, more) => element("stickynote", x, y, w, h, {
    id, baseHeight: h, backgroundColor: "#ffec99", roughness: 0, strokeWidth: 1, boundElements: [{ id: `${id}t`, type: "text" }], created: day, ...more,
  });
  const label = (id, words, x, y, more) => text(x, y, words, { id: `${id}t`, containerId: id, textAlign: "center", verticalAlign: "middle", baseFontSize: 20, ...more });
  return [
    note("n1", 0, 0, 200, 200), label("n1", "Ideas", 70, 88),
    note("n2", 240, 0, 160, 160, { backgroundColor: "#a5d8ff", angle: 0.2 }), label("n2", "Turned", 280, 70, { angle: 0.2 }),
    note("n3", 0, 240, 120, 90, { backgroundColor: "#ffc9c9", opacity: 60, created: null }), label("n3", "pale", 30, 260),
    note("n4", 200, 240, 300, 140, { backgroundColor: "#b2f2bb", strokeColor: "#2f9e44" }), label("n4", "green words", 240, 290, { strokeColor: "#2f9e44" }),
    note("n5", 560, 40, 180, 240, { backgroundColor: "#ffffff", boundElements: null }),
    note("n6", 560, 320, 76, 76, { backgroundColor: "transparent", boundElements: null }),
  ];
}

function labelled() {
  const words = ["Order", "Pay by card", "A longer label that has to be broken into several lines", "one\ntwo\nthree"];
  const boxes = ["rectangle", "ellipse", "diamond"].flatMap((type, row) => words.map((label, at) => ({
    type, x: at * 260, y: row * 220, width: 190, height: 110, backgroundColor: PAPERS[at], fillStyle: FILLS[at], roundness: at % 2 ? ROUND[type] : null,
    label: { text: label, fontFamily: [5, 6, 8, 3][at], fontSize: [20, 16, 20, 28][at], textAlign: ["center", "left", "right", "center"][at], verticalAlign: ["middle", "top", "bottom", "middle"][at] },
  })));
  const arrows = words.slice(0, 3).map((label, at) => ({ type: "arrow", x: at * 330, y: 720, width: 260, height: 60 * at, label: { text: label, fontSize: 16 }, strokeColor: COLORS[at] }));
  return [...boxes, ...arrows];
}

function bound() {
  const box = (id, x, y, type) => ({ type, id, x, y, width: 120, height: 70, label: { text: id }, backgroundColor: "#a5d8ff", fillStyle: "hachure" });
  const arrow = (from, to, more = {}) => ({ type: "arrow", x: 0, y: 0, start: { id: from }, end: { id: to }, ...more });
  return [
    box("one", 0, 0, "rectangle"), box("two", 300, 20, "ellipse"), box("three", 320, 240, "diamond"), box("four", 0, 260, "rectangle"),
    arrow("one", "two"), arrow("two", "three", { label: { text: "then" } }), arrow("three", "four", { strokeStyle: "dashed", endArrowhead: "triangle" }),
  ];
}

function embeds() {
  return [
    element("embeddable", 0, 0, 300, 170, { link: "https://example.com/watch?v=something-long-enough" }),
    element("embeddable", 340, 0, 200, 120, { link: null, backgroundColor: "#ffec99" }),
    element("embeddable", 0, 220, 160, 90, { link: "https://a.b", strokeColor: "transparent" }),
    element("iframe", 340, 220, 200, 120, {}),
    element("iframe", 0, 360, 200, 120, { strokeColor: "#e03131", backgroundColor: "#ffc9c9", roundness: { type: 3 } }),
  ];
}

function faded() {
  return [10, 35, 60, 85].flatMap((opacity, at) => [
    element("rectangle", at * 150, 0, 100, 70, { opacity, backgroundColor: "#a5d8ff", fillStyle: "hachure" }),
    element("ellipse", at * 150 + 40, 40, 100, 70, { opacity, backgroundColor: "#ffc9c9" }),
    text(at * 150, 120, `at ${opacity}`, { opacity }),
    linear("arrow", at * 150, 170, [[0, 0], [100, 10]], { opacity, strokeWidth: 4 }),
    freedraw(at * 150, 220, squiggle(100, 30), { opacity }),
  ]);
}

function colors() {
  const odd = ["#f00", "red", "rgb(10, 120, 200)", "rgba(200, 0, 0, 0.5)", "#12345678", "transparent", "hsl(120, 60%, 40%)", "rebeccapurple"];
  return odd.flatMap((color, at) => [
    element("rectangle", at * 110, 0, 80, 60, { strokeColor: color, backgroundColor: odd[(at + 3) % odd.length] }),
    text(at * 110, 90, "ink", { strokeColor: color }),
  ]);
}

function groups() {
  const chance = random(5);
  return Array.from({ length: 18 }, (_, at) => element(chance.pick(["rectangle", "ellipse", "diamond"]), chance.near(0, 600), chance.near(0, 300), 100, 60, {
    groupIds: [`g${at % 4}`, "all"], backgroundColor: PAPERS[at % 6], fillStyle: FILLS[at % 4], locked: at % 5 === 0, isDeleted: at === 7, link: at % 6 ? null : "https://example.com",
  }));
}

/** All scenes; `files` are image files by name; `seeds` how many random boards. */
export function catalogue(files, seeds) {
  const list = [];
  const add = (name, make, more = {}) => {
    restart();
    const made = make();
    list.push({ name, elements: made, files, ...more });
  };
  const dark = { dark: true };
  for (const type of ["rectangle", "diamond", "ellipse"]) for (const fill of FILLS) add(`${type} ${fill}`, () => shapes(type, fill));
  for (const fill of FILLS) add(`lines ${fill}`, () => lines(fill));
  for (const roughness of [0, 1, 2]) for (const width of [1, 2, 4]) add(`arrowheads roughness ${roughness} width ${width}`, () => heads(roughness, width));
  add("outlines", outlines);
  add("rounded corners", rounds);
  add("turned", turned);
  add("short arrows", shortArrows);
  add("elbow arrows", elbows);
  add("freehand", drawn);
  for (const format of FORMATS) add(`image ${format}`, () => images([format]));
  add("images", () => images(FORMATS));
  add("missing image", () => [image(0, 0, 200, 140, "nowhere"), image(240, 0, 60, 30, "nowhere"), element("rectangle", 0, 180, 100, 50)]);
  add("frames", frames);
  add("sticky notes", notes);
  add("embedded pages", embeds);
  add("opacity", faded);
  add("colours", colors);
  add("groups", groups);
  add("page colour", () => shapes("rectangle", "hachure"), { appState: { viewBackgroundColor: "#fdf6e3" } });
  for (const scale of [0.5, 2, 3]) add(`at scale ${scale}`, () => [...shapes("rectangle", "hachure"), text(0, 620, "words at another scale")], { scale });
  // From a corner of the first shape into the middle of others: all lie right of and below (0, 0).
  const part = { origin: [0, 0], bounds: [40, 60, 420, 300] };
  add("a part of a page", () => shapes("ellipse", "cross-hatch"), { part });
  add("a part at twice the size", () => shapes("diamond", "zigzag"), { part, scale: 2 });
  for (const scene of writing()) add(scene.name, scene.make);
  for (const { name, make, ...more } of EMOJI) add(name, make, more);
  for (const [name, make] of Object.entries(PEOPLE)) add(name, make);
  const skeletons = [["labels", labelled], ["bound arrows", bound], ["emoji in labels", emojiLabels]];
  for (const [name, make] of skeletons) list.push({ name, skeleton: make(), files });
  const darkened = [
    ["shapes", () => shapes("ellipse", "cross-hatch")], ["arrowheads", () => heads(1, 2)], ["frames", frames], ["sticky notes", notes],
    ["colours", colors], ["images", () => images(FORMATS)], ["embedded pages", embeds], ["freehand", drawn],
  ];
  for (const [name, make] of darkened) add(`${name}, dark`, make, dark);
  list.push({ name: "labels, dark", skeleton: labelled(), files, ...dark });
  list.push(...oldFiles());
  for (let seed = 1; seed <= seeds; seed++) {
    restart();
    list.push({ name: `board ${seed}`, files, ...board(seed), dark: seed % 7 === 0 });
  }
  return list;
}

/** What is compared in every test run: each kind of thing once. */
export const QUICK = new Set([
  "rectangle hachure", "diamond cross-hatch", "ellipse zigzag", "lines solid", "arrowheads roughness 1 width 2", "outlines", "rounded corners", "turned",
  "short arrows", "elbow arrows", "freehand", "images", "frames", "sticky notes", "embedded pages", "opacity", "colours", "labels", "bound arrows",
  "at scale 2", "a part of a page", "fonts", "alignment", "emoji", "emoji in every font", "emoji turned", "emoji, dark", "images, dark", "labels, dark", "frames, dark", "scripts", "a wireframe", "a whiteboard", "hardly anything", "a file of 2020", "a file of 2021", "a file of 2023", "board 1", "board 2", "board 7",
]);
