// Frames while a wheel pans the canvas: the studio and the editor alone take turns on the same scene.
import { until } from "../support/server.mjs";
import { board } from "./board.mjs";
import { look, pan } from "./inPage.mjs";
import { boxOf, figures, linkTo, openPlain, openStudio, pageOf, rest, say, VIEWPORT } from "./opening.mjs";

const SIZES = [1000, 5000];
const FAIRIES = 10;
const PAN = { ms: 2000, step: 24 };

/** Keeps fairies at work on a page until told to end. */
async function atWork(server, page, fairies) {
  let over = false;
  const names = ["Seed", "Sprout", "Leaf", "Bud", "Flower", "Fruit", "Root", "Branch"];
  const keep = async (id, n) => {
    for (let round = 0; !over; round++) {
      const words = names.map((name) => `${name} ${round}${n}`).join(" -> ");
      const bounds = { x: (n % 5) * 1200, y: Math.floor(n / 5) * 900, w: 1100, h: 800 };
      await server.api(`/api/fairies/${id}/interrupt`, {
        method: "POST",
        body: { input: { message: `Draw a flow: ${words}`, page, bounds } },
      });
      await until(async () => over || (await server.api(`/api/fairies/${id}`)).value.mode === "idling", "a flow is drawn", 60_000).catch(
        () => {},
      );
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

export async function measureFrames({ server, plain, browser, rounds }) {
  const fairies = [];
  for (let n = 0; n < FAIRIES; n++)
    fairies.push((await server.api("/api/workspaces/main/fairies", { method: "POST", body: { keepAtOnce: true } })).value.id);
  const rows = [];
  for (const size of SIZES) {
    const elements = board(size);
    const pageId = await pageOf(server, elements);
    const context = await browser.newContext({ viewport: VIEWPORT });
    const ours = await openStudio(context, linkTo(server, pageId));
    await until(
      () => ours.evaluate((size) => window.__glade.handle.api.getSceneElements().length === size, size),
      "the board is there",
      60_000,
    );
    const theirs = await openPlain(context, plain.origin, await boxOf(ours), elements);
    const turn = async (page, zoom) => {
      await page.bringToFront();
      await page.evaluate(look, { zoom });
      await rest(400);
      return page.evaluate(pan, PAN);
    };
    const compare = async (what, zoom) => {
      const row = { size, what, zoom, ours: [], theirs: [] };
      for (let round = 0; round <= rounds; round++) {
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
      say(
        `  ${size} elements, ${what}, ${zoom}: ${rows.at(-1).ours.mean.toFixed(1)} ms, the editor alone ${rows.at(-1).theirs.mean.toFixed(1)} ms a frame`,
      );
    };
    await compare("panning", "100 %");
    await compare("panning", "all");
    const end = await atWork(server, pageId, fairies);
    await compare(`panning, ${FAIRIES} fairies drawing`, "100 %");
    await compare(`panning, ${FAIRIES} fairies drawing`, "all");
    await end();
    await context.close();
  }
  return { rows, rounds, fairies: FAIRIES, pace: server.pace };
}
