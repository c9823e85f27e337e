// What a fairy drew is tinted until someone has decided about it.
import { ask, boxCalled, drawRectangle, expect, open, test } from "./studio";

const FLOW = "Draw a flow: Order -> Pay -> Ship";

test("pending shapes are tinted, stand out under the run bar, and lose the tint when kept", async ({ context, server }) => {
  const page = await open(context, server.link);
  await drawRectangle(page, [200, 560], [300, 640]);
  const marks = page.getByTestId("pending").locator(".pending-mark");
  await expect(marks).toHaveCount(0);
  await ask(page, FLOW);
  const bar = page.getByTestId("run-bar");
  await expect(bar).toBeVisible();
  // Three boxes and two arrows; labels belong to their boxes, and the person's box is nobody's to settle.
  await expect(marks).toHaveCount(5);
  const { fairies } = await server.workspace();
  const tint = await marks.first().evaluate((mark) => getComputedStyle(mark).color);
  const hex = `#${tint
    .match(/\d+/g)!
    .slice(0, 3)
    .map((n) => Number(n).toString(16).padStart(2, "0"))
    .join("")}`;
  expect(hex).toBe(fairies[0].color);

  await expect(page.locator(".pending-mark[data-hot]")).toHaveCount(0);
  await bar.hover();
  await expect(page.locator(".pending-mark[data-hot]")).toHaveCount(5);
  await page.mouse.move(500, 700);
  await expect(page.locator(".pending-mark[data-hot]")).toHaveCount(0);

  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(marks).toHaveCount(0);
});

test("the tint stays on its shape while panning, and Show brings back what is out of sight", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, FLOW);
  await expect(page.getByTestId("run-bar")).toBeVisible();
  const pay = await boxCalled(page, "Pay");
  const mark = page.getByTestId("pending").locator(`[data-element="${pay.id}"]`);
  const shape = () =>
    page.evaluate((id) => {
      const { handle } = (globalThis as any).__glade;
      const canvas = document.querySelector("canvas.interactive")!.getBoundingClientRect();
      const { x, y } = handle.element(id);
      const at = handle.toScreen({ x, y });
      return { x: at.x + canvas.x, y: at.y + canvas.y };
    }, pay.id);
  await page.mouse.move(500, 600);
  await page.mouse.wheel(130, 90);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const zoomed = () => page.evaluate(() => (globalThis as any).__glade.handle.zoom());
  await expect.poll(zoomed).not.toBe(1);
  await expect
    .poll(async () => {
      const [on, around, zoom] = [await shape(), await mark.boundingBox(), await zoomed()];
      return Math.hypot(on.x - 6 * zoom - around!.x, on.y - 6 * zoom - around!.y);
    })
    .toBeLessThan(3);

  await page.mouse.wheel(4000, 4000);
  await expect(mark).not.toBeInViewport();
  await page.getByTestId("run-bar").getByRole("button", { name: "Show", exact: true }).click();
  await expect(mark).toBeInViewport();
});
