// The pinned editor in a headless Chromium: built, served on this machine alone, opened.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";

const FONTS = resolve(import.meta.dirname, "../../node_modules/@excalidraw/excalidraw/dist/prod/fonts");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".json": "application/json" };

/** Builds a page of tests and serves it on this machine alone; `close` ends it and clears up. */
export async function servePage(config) {
  const folder = mkdtempSync(join(tmpdir(), "glade-page-"));
  await build({ configFile: config, build: { outDir: folder, emptyOutDir: true } });
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://here").pathname));
    const file = path.startsWith("/fonts/") ? join(FONTS, path.slice("/fonts".length)) : join(folder, path === "/" ? "index.html" : path);
    try {
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

/** Opens the page; `close` ends everything that was started. */
export async function openEditor() {
  const { origin, close: stop } = await servePage(join(import.meta.dirname, "page/vite.config.mjs"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  // A busy machine is slow, not broken.
  page.setDefaultTimeout(180_000);
  page.setDefaultNavigationTimeout(180_000);
  // Nothing is asked of anybody else.
  await page.route("**/*", (route) => {
    const url = route.request().url();
    return url.startsWith(origin) || url.startsWith("data:") || url.startsWith("blob:") ? route.continue() : route.abort();
  });
  page.on("pageerror", (error) => console.error(`the editor's page: ${error.message}`));
  await page.goto(origin);
  await page.waitForFunction(() => window.gladeReady === true);
  const close = async () => {
    await browser.close();
    stop();
  };
  return { page, browser, close };
}
