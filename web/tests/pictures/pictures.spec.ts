// The documentation's pictures, taken of the real thing: `cargo xtask pictures`.
import { join } from "node:path";
import { addFairy, ask, boxCalled, boxes, expect, open, select, shapes, test, until } from "../browser/studio";

const FOLDER = process.env.GLADE_PICTURES ?? "../docs/pictures";

test.use({ viewport: { width: 1280, height: 720 } });

test("first light", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay -> Ship");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await ask(page, "Make sticky notes: Ideas, Questions, Next steps");
  await expect(page.getByTestId("run-bar")).toHaveCount(2);
  // The sprite celebrates for a moment, then rests.
  await page.waitForTimeout(2500);
  await page.mouse.move(640, 700);
  await page.screenshot({ path: join(FOLDER, "first-light.png") });
});

test.describe("several fairies", () => {
  test.use({ pace: 12 });

  test("at work", async ({ context, server }) => {
    const page = await open(context, server.link);
    const where = await server.firstPage();
    const view = await page.evaluate(() => (globalThis as any).__glade.handle.viewport());
    const [{ id: first }] = (await server.workspace()).fairies;
    const others = [
      await addFairy(server, "Fern", { x: view.x + 500, y: view.y + 330 }),
      await addFairy(server, "Moss", { x: view.x + 300, y: view.y + 560 }),
    ];
    await page.getByRole("button", { name: /^Fairies/ }).click();
    const asked = [
      "Draw a flow: Seed -> Sprout -> Leaf -> Flower",
      "Draw a flow: Rain -> Cloud -> River",
      "Make sticky notes: Sun, Soil, Water",
    ];
    await Promise.all(
      [first, ...others].map((id, at) => {
        const bounds = { x: view.x + 60, y: view.y + 110 + at * 190, w: view.w - 120, h: 170 };
        return server.api(`/api/fairies/${id}/interrupt`, { method: "POST", body: { input: { message: asked[at], page: where, bounds } } });
      }),
    );
    await until(async () => boxes(await shapes(page)).length >= 7, "much is drawn, and not all", 60_000);
    await page.mouse.move(640, 700);
    await page.screenshot({ path: join(FOLDER, "at-work.png") });
  });
});

test.describe("in the dark", () => {
  test.use({ colorScheme: "dark" });

  test("why", async ({ context, server }) => {
    const page = await open(context, server.link);
    await ask(page, "Draw a flow: Order -> Paid? -> Ship, Paid? -> Remind -> Paid?");
    await expect(page.getByTestId("run-bar")).toBeVisible();
    const ship = await boxCalled(page, "Ship");
    await select(page, [ship.id]);
    await page.getByRole("button", { name: "Why?" }).click();
    await expect(page.getByRole("dialog", { name: "Why is this here?" })).toContainText("Draw a flow");
    await page.waitForTimeout(2500);
    await page.mouse.move(640, 700);
    await page.screenshot({ path: join(FOLDER, "why.png") });
  });
});
