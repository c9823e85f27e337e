// Moves, resizes and turns shapes, drags the ends of arrows and types labels in the real editor, with a real mouse and
// keyboard in Chromium, and writes what it made of them: `node drag.mjs OUT [SEED] [ROUNDS]`. The answer is compared by
// `tests/it/drags.rs`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { browser, bundled, web } from "./run.mjs";

const [out, seed = "4711", rounds = "40"] = process.argv.slice(2);
if (!out) throw new Error("say where to put the answer: node drag.mjs OUT [SEED] [ROUNDS]");
const [WIDTH, HEIGHT] = [1600, 1200];

const script = await bundled("drags");
const chrome = await browser();
const page = await chrome.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
page.on("pageerror", (error) => console.error(String(error)));
await page.route("http://oracle.test/**", async (route) => {
  const { pathname } = new URL(route.request().url());
  if (pathname === "/") return route.fulfill({ contentType: "text/html", body: "<!doctype html><style>.layer-ui__wrapper { display: none !important }</style><body></body>" });
  const path = join(web, "node_modules/@excalidraw/excalidraw/dist/prod", decodeURIComponent(pathname));
  return readFile(path).then((body) => route.fulfill({ body }), () => route.fulfill({ status: 404, body: "" }));
});
await page.goto("http://oracle.test/");
await page.addStyleTag({ path: join(web, "node_modules/@excalidraw/excalidraw/dist/prod/index.css") });
await page.evaluate((seed) => ((globalThis.SEED = seed), (globalThis.EXCALIDRAW_ASSET_PATH = "/")), Number(seed));
await page.addScriptTag({ content: script });
await page.evaluate(() => globalThis.ready);
// The editor measures with its own font once it is there.
await page.evaluate(async () => {
  api.updateScene({ elements: fontScene() });
  await document.fonts.load("20px Excalifont", "aé");
  await document.fonts.ready;
  await frame();
});

const frame = () => page.evaluate(() => globalThis.frame());
const elements = () => page.evaluate(() => now());
const at = ([x, y]) => [x + WIDTH / 2, y + HEIGHT / 2];
const drag = async (from, to) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let step = 1; step <= 4; step++) await page.mouse.move(from[0] + ((to[0] - from[0]) * step) / 4, from[1] + ((to[1] - from[1]) * step) / 4);
  await frame();
  await page.mouse.up();
  await frame();
};
const by = ([x, y], { dx, dy }, share = 1) => [x + dx * share, y + dy * share];
const turned = (one, dx, dy) => {
  const [cx, cy] = [one.x + one.width / 2, one.y + one.height / 2];
  return [cx + dx * Math.cos(one.angle) - dy * Math.sin(one.angle), cy + dx * Math.sin(one.angle) + dy * Math.cos(one.angle)];
};
// Says whether it could: in a heap another shape may lie there.
const type = async (one, words) => {
  await page.mouse.dblclick(...at(turned(one, 0, 0)));
  const typing = await page.waitForSelector(".excalidraw-wysiwyg, textarea", { timeout: 2000 }).catch(() => null);
  if (!typing) return false;
  await page.keyboard.press("Control+A");
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
  await frame();
  return true;
};
// Beside the label, and beside the arrows that run to the middle; a frame by its edge.
const hold = (one) => at(one.type === "frame" ? [one.x + one.width * 0.8, one.y] : turned(one, one.width * 0.3, one.height * 0.04));
const select = async (one) => {
  await page.mouse.click(...hold(one));
  await frame();
};

const both = async ({ one, other }) => {
  await select(one);
  await page.keyboard.down("Shift");
  await select(other);
  await page.keyboard.up("Shift");
};
// Whoever takes one of a group takes all, and a frame goes with what is in it.
const along = (shapes, taken) => {
  const taking = (one) => taken.some((other) => other.id === one.id || one.frameId === other.id || one.groupIds.some((group) => other.groupIds.includes(group)));
  const all = shapes.filter(taking);
  return all.length === taken.length ? all : along(shapes, all);
};

// What a person does, each answering which elements they changed by it.
const GESTURES = {
  move: async ({ one, shapes, plan }) => {
    await drag(hold(one), by(hold(one), plan));
    return along(shapes, [one]);
  },
  "move two": async ({ one, other, shapes, plan }) => {
    await both({ one, other });
    await drag(hold(one), by(hold(one), plan));
    return along(shapes, [one, other]);
  },
  nudge: async ({ one, shapes, plan }) => {
    await select(one);
    for (let times = 0; times < 8; times++) await page.keyboard.press(plan.dx < 0 ? "ArrowLeft" : "ArrowDown");
    await frame();
    return along(shapes, [one]);
  },
  "resize two": async ({ one, other, shapes, plan }) => {
    await both({ one, other });
    const from = at(await page.evaluate((ids) => commonHandle(ids, "se"), [one.id, other.id]));
    await drag(from, by(from, plan, 0.4));
    // Arrows were led to where the shapes ended before their words made them larger; the next step brings them on.
    await page.keyboard.press("ArrowRight");
    await frame();
    return along(shapes, [one, other]);
  },
  "turn two": async ({ one, other, shapes, plan }) => {
    await both({ one, other });
    const from = at(await page.evaluate((ids) => commonHandle(ids, "rotation"), [one.id, other.id]));
    await drag(from, by(from, plan, 0.5));
    return along(shapes, [one, other]);
  },
  resize: async ({ one, plan }) => {
    await select(one);
    const [sx, sy] = plan.handle;
    const from = at(turned(one, sx * (one.width / 2 + 4), sy * (one.height / 2 + 4)));
    await drag(from, by(from, plan, 0.5));
    return [one];
  },
  turn: async ({ one, plan }) => {
    await select(one);
    const handle = await page.evaluate((id) => rotationHandle(id), one.id);
    if (!handle) return [];
    const from = at(handle);
    await drag(from, by(from, plan, 0.5));
    return [one];
  },
  end: async ({ arrows, plan }) => {
    const arrow = arrows[plan.arrow % Math.max(arrows.length, 1)];
    if (!arrow) return [];
    await page.evaluate((id) => selectArrow(id), arrow.id);
    await frame();
    const [x, y] = arrow.points.at(plan.start ? 0 : -1);
    const from = at([arrow.x + x, arrow.y + y]);
    await drag(from, by(from, plan));
    return [arrow];
  },
  label: async ({ texts, shapes, plan }) => {
    const held = texts.filter((one) => shapes.some((shape) => shape.id === one.containerId));
    const words = held[plan.text % Math.max(held.length, 1)];
    const container = shapes.find((one) => one.id === words?.containerId);
    if (!container) return [];
    return (await type(container, plan.words)) ? [words] : [];
  },
  // Words on nothing, turned or not: what is typed makes them wider and higher.
  "free words": async ({ shapes, plan }) => {
    const texts = shapes.filter((one) => one.type === "text");
    const words = texts[plan.text % Math.max(texts.length, 1)];
    if (!words) return [];
    return (await type(words, plan.words)) ? [words] : [];
  },
  // Larger letters in a shape or on an arrow.
  letters: async ({ texts, shapes, arrows, plan }) => {
    const held = texts.filter((one) => [...shapes, ...arrows].some((other) => other.id === one.containerId));
    const words = held[plan.text % Math.max(held.length, 1)];
    if (!words) return [];
    await page.evaluate((id) => api.updateScene({ appState: { selectedElementIds: { [id]: true } }, captureUpdate: "NEVER" }), words.containerId);
    await frame();
    await page.keyboard.press(plan.start ? "Control+Shift+Period" : "Control+Shift+Comma");
    // The editor leads arrows to a shape that grew by it when the shape is next moved.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await frame();
    return [words];
  },
};

const cases = [];
const missed = {};
for (let round = 0; round < Number(rounds); round++) {
  await page.evaluate(
    async ([x, y]) => {
      api.updateScene({ elements: newScene(), appState: { scrollX: x, scrollY: y, zoom: { value: 1 }, selectedElementIds: {}, selectedLinearElement: null }, captureUpdate: "NEVER" });
      await frame();
    },
    [WIDTH / 2, HEIGHT / 2],
  );
  const before = await elements();
  const shapes = before.filter((one) => one.type !== "arrow" && !one.containerId);
  const plan = await page.evaluate((count) => newPlan(count), shapes.length);
  const scene = { plan, shapes, one: shapes[plan.which], other: shapes[plan.also], arrows: before.filter((one) => one.type === "arrow" && !one.elbowed), texts: before.filter((one) => one.type === "text") };
  const moved = (await GESTURES[plan.what](scene)).map((one) => one.id);
  const after = await elements();
  // A gesture that missed its handle, took hold of something else or left an arrow behind says nothing.
  const changed = (one) => ["x", "y", "width", "height", "angle", "originalText", "fontSize"].some((key) => after.find((now) => now.id === one.id)?.[key] !== one[key]);
  const hit = moved.length > 0 && moved.every((id) => changed(before.find((one) => one.id === id)));
  const others = ["label", "letters"].includes(plan.what) ? [] : shapes.filter((one) => !moved.includes(one.id) && changed(one));
  const settled = await page.evaluate(() => settled());
  if (hit && others.length === 0 && after.length === before.length && settled) cases.push({ what: plan.what, moved, before: before.map(written), after: after.map(written) });
  else missed[plan.what] = (missed[plan.what] ?? 0) + 1;
}
await chrome.close();
const count = (what) => `${what} ${cases.filter((one) => one.what === what).length}${missed[what] ? ` (${missed[what]} missed)` : ""}`;
console.log(Object.keys(GESTURES).map(count).join(", "));
writeFileSync(out, `[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);

function written(element) {
  const LEFT_OUT = ["version", "versionNonce", "updated", "created", "link", "locked", "isDeleted", "lastCommittedPoint", "opacity", "strokeColor", "backgroundColor", "fillStyle", "strokeStyle", "index", "boundElements", "moveMidPointsWithElement"];
  return Object.fromEntries(Object.entries(element).filter(([key, value]) => !LEFT_OUT.includes(key) && !(key === "frameId" && value === null) && !(key === "groupIds" && value.length === 0)));
}
