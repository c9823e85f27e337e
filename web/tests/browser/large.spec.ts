// A page with 5,000 elements: it opens, pans, is edited and drawn on.
import { ask, boxCalled, change, drawRectangle, expect, open, shapes, test, until } from "./studio";

test("a page with 5,000 elements opens, pans, is edited and drawn on", async ({ context, server }) => {
  test.slow();
  const pageId = await server.firstPage();
  const elements = Array.from({ length: 5000 }, (_, at) => ({
    id: `e${at}`, type: ["rectangle", "ellipse", "diamond"][at % 3], x: (at % 100) * 140, y: Math.floor(at / 100) * 90, width: 110, height: 60,
    strokeColor: "#1e1e1e", backgroundColor: ["transparent", "#a5d8ff"][at % 2], fillStyle: "solid", seed: at + 1,
  }));
  const file = { type: "excalidraw", version: 2, source: "test", elements, appState: {}, files: {} };
  const imported = await fetch(`${server.origin}/api/pages/${pageId}/import?mode=replace`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
    body: JSON.stringify(file),
  });
  expect(imported.ok, await imported.clone().text()).toBe(true);

  const page = await open(context, server.link);
  await until(async () => (await shapes(page)).length === 5000, "all are there", 30_000);
  const zoomTo = (zoom: number) =>
    page.evaluate((value) => (globalThis as any).__glade.handle.api.updateScene({ appState: { zoom: { value }, scrollX: 0, scrollY: 0 } }), zoom);
  await zoomTo(1);
  const view = () => page.evaluate(() => (globalThis as any).__glade.handle.viewport());
  const before = await view();
  await page.mouse.move(500, 500);
  await page.mouse.wheel(300, 300);
  await expect.poll(async () => (await view()).x).toBeGreaterThan(before.x + 200);

  const [first] = await shapes(page);
  await change(page, first!.id, { backgroundColor: "#ffc9c9" });
  await expect.poll(async () => (await server.elements(pageId))[first!.id].backgroundColor).toBe("#ffc9c9");
  const mine = await drawRectangle(page, [300, 300], [420, 380]);
  await expect.poll(async () => Boolean((await server.elements(pageId))[mine.id])).toBe(true);
  await ask(page, "Draw a flow: Far -> Away");
  await boxCalled(page, "Away");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(async () => (await shapes(page)).length === 5001, "only the fairy's are gone");
});
