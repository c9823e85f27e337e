// The browser's side of `cargo xtask bench studio`: measures, and writes one JSON object to the standard output.
// GLADE_BIN names the server, CHROMIUM the browser, ROUNDS how often each pan is repeated.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { servePage } from "../compare/editor.mjs";
import { GladeServer, until } from "../support/server.mjs";
import { board } from "./board.mjs";
import { look, noteKeys, pan, watch } from "./frames.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SIZES = [1000, 5000];
const FAIRIES = 10;
/** Words a second of each fairy: as fast as a quick model writes. */
const PACE = 20;
const PAN = { ms: 2000, step: 24 };
const KEYS = 100;
const DIST = resolve(import.meta.dirname, "../../dist");
const ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const say = (text) => process.stderr.write(`${text}\n`);
const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
const sorted = (list) => [...list].sort((a, b) => a - b);
const at = (list, share) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))];
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const figures = (list) => ({ mean: mean(list), p50: at(list, 0.5), p95: at(list, 0.95), p99: at(list, 0.99), count: list.length });
const rest = (ms) => new Promise((go) => setTimeout(go, ms));

async function openStudio(context, link) {
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForFunction(() => Boolean(window.__glade?.handle), undefined, { timeout: 120_000 });
  return page;
}

async function openPlain(context, origin, box, elements) {
  const page = await context.newPage();
  await page.goto(`${origin}/?box=${box.join()}`);
  await page.waitForFunction(() => Boolean(window.bench));
  if (elements) await page.evaluate((elements) => window.bench.load(elements), elements);
  return page;
}

/** The canvas's place in the studio: the editor alone gets the same. */
const boxOf = (page) =>
  page.evaluate(() => {
    const { left, top, width, height } = document.querySelector("canvas.interactive").getBoundingClientRect();
    return [left, top, width, height];
  });

async function pageOf(server, elements) {
  const { value } = await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: `${elements.length}`, kind: "canvas" } });
  const answer = await fetch(`${server.origin}/api/pages/${value.id}/import?mode=replace`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
    body: JSON.stringify({ type: "excalidraw", version: 2, source: "bench", elements, appState: {}, files: {} }),
  });
  if (!answer.ok) throw new Error(`the board was not taken: ${answer.status} ${await answer.text()}`);
  return value.id;
}

/** Keeps fairies at work on a page until told to end. */
async function atWork(server, page, fairies) {
  let over = false;
  const names = ["Seed", "Sprout", "Leaf", "Bud", "Flower", "Fruit", "Root", "Branch"];
  const keep = async (id, n) => {
    for (let round = 0; !over; round++) {
      const words = names.map((name) => `${name} ${round}${n}`).join(" -> ");
      const bounds = { x: (n % 5) * 1200, y: Math.floor(n / 5) * 900, w: 1100, h: 800 };
      await server.api(`/api/fairies/${id}/interrupt`, { method: "POST", body: { input: { message: `Draw a flow: ${words}`, page, bounds } } });
      await until(async () => over || (await server.api(`/api/fairies/${id}`)).value.mode === "idling", "a flow is drawn", 60_000).catch(() => {});
    }
  };
  const all = fairies.map(keep);
  await rest(1500);
  return async () => {
    over = true;
    await Promise.all(fairies.map((id) => server.api(`/api/fairies/${id}/stop`, { method: "POST", body: {} })));
    await Promise.all(all);
  };
}

/** What fairies have drawn meanwhile is in the editor alone too: both pan the same scene. */
async function sameScene(ours, theirs) {
  const elements = await ours.evaluate(() => JSON.parse(JSON.stringify(window.__glade.handle.api.getSceneElements())));
  const there = await theirs.evaluate(() => window.bench.api.getSceneElements().length);
  if (elements.length !== there) await theirs.evaluate((elements) => window.bench.load(elements), elements);
}

async function measureFrames(server, plain, browser) {
  const fairies = [];
  for (let n = 0; n < FAIRIES; n++) fairies.push((await server.api("/api/workspaces/main/fairies", { method: "POST", body: { keepAtOnce: true } })).value.id);
  const rows = [];
  for (const size of SIZES) {
    const elements = board(size);
    const pageId = await pageOf(server, elements);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const ours = await openStudio(context, `${server.origin}/#page=${pageId}&key=${server.token}`);
    await until(() => ours.evaluate((size) => window.__glade.handle.api.getSceneElements().length === size, size), "the board is there", 60_000);
    const theirs = await openPlain(context, plain.origin, await boxOf(ours), elements);
    const turn = async (page, zoom) => {
      await page.bringToFront();
      await page.evaluate(look, { zoom });
      await rest(400);
      return page.evaluate(pan, PAN);
    };
    const compare = async (what, zoom) => {
      const row = { size, what, zoom, ours: [], theirs: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const a = await turn(ours, zoom);
        await sameScene(ours, theirs);
        const b = await turn(theirs, zoom);
        // The first turn draws everything for the first time.
        if (round > 0) {
          row.ours.push(...a);
          row.theirs.push(...b);
        }
      }
      rows.push({ ...row, ours: figures(row.ours), theirs: figures(row.theirs) });
      say(`  ${size} elements, ${what}, ${zoom}: ${rows.at(-1).ours.mean.toFixed(1)} ms, the editor alone ${rows.at(-1).theirs.mean.toFixed(1)} ms a frame`);
    };
    await compare("panning", "100 %");
    await compare("panning", "all");
    const end = await atWork(server, pageId, fairies);
    await compare(`panning, ${FAIRIES} fairies drawing`, "100 %");
    await compare(`panning, ${FAIRIES} fairies drawing`, "all");
    await end();
    await context.close();
  }
  return rows;
}

/** One person types; how long until the other's pixels show it. */
async function measureKeys(server) {
  const words = { id: "words", type: "text", x: 100, y: 100, width: 100, height: 25, text: "a", originalText: "a", fontSize: 20, fontFamily: 5 };
  const page = await pageOf(server, [words]);
  const link = `${server.origin}/#page=${page}&key=${server.token}`;
  // Two browsers: a page behind another draws no frames.
  const browsers = [await launch(), await launch()];
  try {
    const [one, two] = await Promise.all(
      browsers.map(async (browser) => openStudio(await browser.newContext({ viewport: { width: 1280, height: 800 } }), link)),
    );
    for (const each of [one, two]) await each.evaluate(() => window.__glade.handle.api.updateScene({ appState: { zoom: { value: 1 }, scrollX: 0, scrollY: 100 } }));
    const box = await boxOf(one);
    await one.mouse.dblclick(box[0] + 104, box[1] + 212);
    await one.locator("textarea.excalidraw-wysiwyg").waitFor();
    await rest(500);
    await one.evaluate(noteKeys);
    await two.evaluate(watch, { x: 90, y: 190, w: 800, h: 400 });
    const times = [];
    for (let n = 0; n < KEYS; n++) {
      const before = await two.evaluate(() => window.changes.length);
      await one.keyboard.press(n % 20 === 19 ? "Enter" : "m");
      const [key, seen] = await until(async () => {
        const seen = await two.evaluate((before) => window.changes[before], before);
        return seen && [await one.evaluate(() => window.keys.at(-1)), seen];
      }, "the letter is seen", 10_000);
      if (n % 20 !== 19) times.push(seen - key);
      await rest(60);
    }
    return figures(times);
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}

/** From the link to a canvas that can be drawn on, nothing in the cache; and what came over the line for it. */
async function measureLoad(server, plain, browser) {
  const page = await server.firstPage();
  const link = `${server.origin}/#page=${page}&key=${server.token}`;
  const [ours, theirs] = [[], []];
  const asked = new Set();
  let line = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    let context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const first = await context.newPage();
    const sizes = [];
    first.on("requestfinished", (request) => {
      asked.add(new URL(request.url()).pathname);
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize, () => 0));
    });
    let began = performance.now();
    await first.goto(link);
    await first.waitForFunction(() => Boolean(window.__glade?.handle));
    const took = performance.now() - began;
    const came = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    await context.close();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    began = performance.now();
    await openPlain(context, plain.origin, [0, 0, 1280, 800]);
    const alone = performance.now() - began;
    await context.close();
    if (round > 0) {
      ours.push(took);
      theirs.push(alone);
      line = came;
    }
  }
  return { ours: figures(ours), theirs: figures(theirs), line, ...partsOf(asked) };
}

/** What of the build was asked for at first, and what waits until it is needed; gzipped. */
function partsOf(asked) {
  const names = readdirSync(DIST, { recursive: true }).filter((name) => statSync(join(DIST, name)).isFile() && !name.endsWith(".gz"));
  const parts = names.map((name) => {
    const bytes = readFileSync(join(DIST, name));
    return { name, size: name.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length, font: name.startsWith("fonts/") };
  });
  const first = parts.filter(({ name }) => asked.has(`/${name}`) || name === "index.html");
  const late = parts.filter((part) => !first.includes(part));
  const sum = (list) => list.reduce((total, { size }) => total + size, 0);
  return {
    first: { size: sum(first), files: first.length },
    lateCode: { size: sum(late.filter(({ font }) => !font)), files: late.filter(({ font }) => !font).length },
    lateFonts: { size: sum(late.filter(({ font }) => font)), files: late.filter(({ font }) => font).length },
    largest: late.filter(({ font }) => !font).sort((a, b) => b.size - a.size).slice(0, 5).map(({ name, size }) => ({ name: name.replace("assets/", ""), size })),
  };
}

const server = await GladeServer.start({ pace: PACE });
const plain = await servePage(join(import.meta.dirname, "plain/vite.config.mjs"));
const browser = await launch();
try {
  say("from the link to a canvas");
  const load = await measureLoad(server, plain, browser);
  say("frames");
  const frames = await measureFrames(server, plain, browser);
  await browser.close();
  say("keystrokes");
  const keys = await measureKeys(server);
  process.stdout.write(`${JSON.stringify({ load, frames, keys, rounds: ROUNDS, fairies: FAIRIES, pace: PACE })}\n`);
} finally {
  await browser.close();
  plain.close();
  await server.stop();
}
