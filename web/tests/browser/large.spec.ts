// A page with 5,000 elements: it opens, pans, is edited and drawn on.
import type { Page } from "@playwright/test";
import { ask, change, expect, open, test, until } from "./studio";

/** Looks for something in the editor, without carrying 5,000 elements out of it. */
const count = (page: Page, words?: string) =>
  page.evaluate((words) => {
    const all = (globalThis as any).__glade.handle.api.getSceneElements();
    return words === undefined ? all.length : all.filter(({ originalText }: { originalText?: string }) => originalText === words).length;
  }, words);

test("a page with 5,000 elements opens, pans, is edited and drawn on", async ({ context, server }) => {
  test.slow();
  const pageId = await server.firstPage();
  const elements = Array.from({ length: 5000 }, (_, at) => ({
    id: `e${at}`,
    type: ["rectangle", "ellipse", "diamond"][at % 3],
    x: (at % 100) * 140,
    y: Math.floor(at / 100) * 90,
    width: 110,
    height: 60,
    strokeColor: "#1e1e1e",
    backgroundColor: ["transparent", "#a5d8ff"][at % 2],
    fillStyle: "solid",
    seed: at + 1,
  }));
  const file = { type: "excalidraw", version: 2, source: "test", elements, appState: {}, files: {} };
  const imported = await fetch(`${server.origin}/api/pages/${pageId}/import?mode=replace`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
    body: JSON.stringify(file),
  });
  expect(imported.ok, await imported.clone().text()).toBe(true);

  const page = await open(context, server.link);
  await until(async () => (await count(page)) === 5000, "all are there", 30_000);
  const zoomTo = (zoom: number) =>
    page.evaluate(
      (value) => (globalThis as any).__glade.handle.api.updateScene({ appState: { zoom: { value }, scrollX: 0, scrollY: 0 } }),
      zoom,
    );
  await zoomTo(1);
  const view = () => page.evaluate(() => (globalThis as any).__glade.handle.viewport());
  const before = await view();
  await page.mouse.move(500, 500);
  await page.mouse.wheel(300, 300);
  await expect.poll(async () => (await view()).x).toBeGreaterThan(before.x + 200);

  await change(page, "e0", { backgroundColor: "#ffc9c9" });
  await page.getByTitle(/^Rectangle/).click();
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(420, 380, { steps: 2 });
  await page.mouse.up();
  await until(async () => (await count(page)) === 5001, "the person's own is drawn");
  await expect(page.getByTestId("sync-status")).toHaveText(/^saved/i);
  const held = await server.elements(pageId);
  expect([Object.keys(held).length, held["e0"].backgroundColor]).toEqual([5001, "#ffc9c9"]);
  await ask(page, "Draw a flow: Far -> Away");
  await until(async () => (await count(page, "Away")) === 1, "the fairy drew");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(async () => (await count(page)) === 5001, "only the fairy's are gone");
});
