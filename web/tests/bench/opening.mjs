// What every part needs: a browser, the studio and the editor alone open in it, figures of many times.
import { chromium } from "playwright-core";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const VIEWPORT = { width: 1280, height: 800 };

export const say = (text) => process.stderr.write(`${text}\n`);
export const rest = (ms) => new Promise((go) => setTimeout(go, ms));
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

export function figures(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const mean = list.reduce((sum, one) => sum + one, 0) / list.length;
  return { mean, p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99), count: list.length };
}

export async function openStudio(context, link) {
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForFunction(() => Boolean(window.__glade?.handle), undefined, { timeout: 120_000 });
  return page;
}

export async function openPlain(context, origin, box, elements) {
  const page = await context.newPage();
  await page.goto(`${origin}/?box=${box.join()}`);
  await page.waitForFunction(() => Boolean(window.bench));
  if (elements) await page.evaluate((elements) => window.bench.load(elements), elements);
  return page;
}

/** The canvas's place in the studio: the editor alone gets the same. */
export const boxOf = (page) =>
  page.evaluate(() => {
    const { left, top, width, height } = document.querySelector("canvas.interactive").getBoundingClientRect();
    return [left, top, width, height];
  });

/** A new page with these elements; answers its id. */
export async function pageOf(server, elements) {
  const { value } = await server.api("/api/workspaces/main/pages", {
    method: "POST",
    body: { name: `${elements.length}`, kind: "canvas" },
  });
  const answer = await fetch(`${server.origin}/api/pages/${value.id}/import?mode=replace`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
    body: JSON.stringify({ type: "excalidraw", version: 2, source: "bench", elements, appState: {}, files: {} }),
  });
  if (!answer.ok) throw new Error(`the board was not taken: ${answer.status} ${await answer.text()}`);
  return value.id;
}

export const linkTo = (server, page) => `${server.origin}/#page=${page}&key=${server.token}`;
