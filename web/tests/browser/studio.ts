// A person at the studio, for tests: opens it, draws, asks, and looks at what is there.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base, type BrowserContext, type Page } from "@playwright/test";
import { GladeServer, until } from "../support/server.mjs";

export { expect, until };

export interface Shape {
  id: string;
  type: string;
  x: number;
  y: number;
  width: number;
  height: number;
  backgroundColor: string;
  strokeColor: string;
  text?: string;
  originalText?: string;
  containerId?: string | null;
  startBinding?: { elementId: string } | null;
  endBinding?: { elementId: string } | null;
  index: string;
}

/** Every request of every page of the context must go to the server itself. */
function watchNetwork(context: BrowserContext, origin: () => string, outside: string[]) {
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:", "about:"].includes(url.protocol) && url.origin !== origin()) outside.push(request.url());
  });
  context.on("page", (page) => {
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).host !== new URL(origin()).host) outside.push(socket.url());
    });
  });
}

export const test = base.extend<{ pace: number; server: GladeServer; network: string[] }>({
  pace: [0, { option: true }],
  server: async ({ pace }, use) => {
    const server = await GladeServer.start({ pace });
    await use(server);
    await server.stop();
  },
  network: [
    async ({ context, server }, use) => {
      const outside: string[] = [];
      const errors: string[] = [];
      watchNetwork(context, () => server.origin, outside);
      context.on("weberror", (error) => errors.push(String(error.error())));
      await use(outside);
      expect(outside, "requests that left for elsewhere").toEqual([]);
      expect(errors, "uncaught errors in the page").toEqual([]);
    },
    { auto: true },
  ],
});

/** A server that was started on a folder with one file in it. */
export const withProject = test.extend<{ project: string }>({
  project: async ({}, use) => {
    const project = mkdtempSync(join(tmpdir(), "glade-project-"));
    writeFileSync(join(project, "README.md"), "A colour for every bed.\n");
    await use(project);
    rmSync(project, { recursive: true, force: true });
  },
  server: async ({ project, pace }, use) => {
    const server = await GladeServer.start({ project, pace });
    await use(server);
    await server.stop();
  },
});

/** Opens the owner's link and waits until the canvas can be used. */
export async function open(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await page.locator("canvas.interactive").waitFor();
  await page.waitForFunction(() => Boolean((globalThis as { __glade?: { handle?: unknown } }).__glade?.handle));
  await expect(page.getByTestId("sync-status")).toHaveText(/saved/i);
  return page;
}

/** What the editor shows, in its order, as soon as a page is open. */
export async function shapes(page: Page): Promise<Shape[]> {
  await page.waitForFunction(() => Boolean((globalThis as { __glade?: unknown }).__glade));
  return page.evaluate(() => {
    const { handle } = (globalThis as unknown as { __glade: { handle: { api: { getSceneElements(): unknown[] } } } }).__glade;
    return JSON.parse(JSON.stringify(handle.api.getSceneElements()));
  });
}

/** Changes properties of a shape as the editor's own panels would. */
export async function change(page: Page, id: string, properties: Record<string, unknown>) {
  await page.evaluate(
    ([id, properties]) => {
      const { handle } = (globalThis as any).__glade;
      const elements = handle.api
        .getSceneElementsIncludingDeleted()
        .map((element: any) =>
          element.id === id
            ? { ...element, ...(properties as object), version: element.version + 1, versionNonce: Math.floor(Math.random() * 2 ** 31) }
            : element,
        );
      handle.api.updateScene({ elements, captureUpdate: "IMMEDIATELY" });
    },
    [id, properties] as const,
  );
}

/** Draws a rectangle with the mouse, in screen coordinates. */
export async function drawRectangle(page: Page, from: [number, number], to: [number, number]): Promise<Shape> {
  const before = new Set((await shapes(page)).map((shape) => shape.id));
  await page.getByTitle(/^Rectangle/).click();
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await page.mouse.move(...to);
  await page.mouse.up();
  return until(async () => (await shapes(page)).find((shape) => !before.has(shape.id)), "the rectangle is drawn") as Promise<Shape>;
}

export async function ask(page: Page, message: string) {
  const box = page.getByRole("textbox", { name: /^Ask / });
  await box.fill(message);
  await box.press("Enter");
}

export const boxes = (all: Shape[]) => all.filter((shape) => !["arrow", "line", "text"].includes(shape.type));
export const arrows = (all: Shape[]) => all.filter((shape) => shape.type === "arrow");
export const labelOf = (all: Shape[], box: Shape) => all.find((shape) => shape.containerId === box.id)?.originalText;

export function overlap(a: Shape, b: Shape) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Selects shapes as a click or a marquee would. */
export async function select(page: Page, ids: string[]) {
  await page.evaluate((ids) => {
    const { handle } = (globalThis as any).__glade;
    handle.api.updateScene({ appState: { selectedElementIds: Object.fromEntries(ids.map((id) => [id, true])) } });
  }, ids);
}

/** The box with that label, as soon as it is there. */
export async function boxCalled(page: Page, label: string): Promise<Shape> {
  return until(async () => {
    const all = await shapes(page);
    return boxes(all).find((box) => labelOf(all, box) === label);
  }, `the box ${label}`) as Promise<Shape>;
}

/** A point of the page as a point of the window. */
export function onScreen(page: Page, point: { x: number; y: number }): Promise<{ x: number; y: number }> {
  return page.evaluate((point) => {
    const { handle } = (globalThis as any).__glade;
    const { left, top } = document.querySelector("canvas.interactive")!.getBoundingClientRect();
    const { x, y } = handle.toScreen(point);
    return { x: x + left, y: y + top };
  }, point);
}

/** Makes a fairy beside those that are there, at a place of the first page. */
export async function addFairy(server: GladeServer, name: string, position: { x: number; y: number }): Promise<string> {
  const page = await server.firstPage();
  const { value } = await server.api("/api/workspaces/main/fairies", { method: "POST", body: { name, page } });
  await server.api(`/api/fairies/${value.id}/summon`, { method: "POST", body: { page, position } });
  return value.id;
}

/** One fairy's sprite. */
export const sprite = (page: Page, fairy: string) => page.locator(`[data-testid=fairy-sprite][data-fairy=${fairy}]`);

/** Where a sprite is once it has come to rest, in the window. */
export async function atRest(page: Page, fairy = page.getByTestId("fairy-sprite").first()): Promise<{ x: number; y: number }> {
  const place = async () => {
    const box = (await fairy.boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  let last = await place();
  return until(async () => {
    await page.waitForTimeout(120);
    const now = await place();
    const still = Math.hypot(now.x - last.x, now.y - last.y) < 1;
    last = now;
    return still && now;
  }, "the fairy rests") as Promise<{ x: number; y: number }>;
}
