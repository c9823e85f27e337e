// The documentation's pictures, taken of the real thing: `cargo xtask pictures`.
import { join } from "node:path";
import { addFairy, ask, atRest, drawRectangle, expect, open, test, until } from "../browser/studio";

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

test.describe("together", () => {
  test.use({ pace: 9 });
  test("together", async ({ context, server }) => {
    const [{ id: wisp }] = (await server.workspace()).fairies;
    const [fern, moss] = [await addFairy(server, "Fern", { x: 150, y: 520 }), await addFairy(server, "Moss", { x: 640, y: 520 })];
    const page = await open(context, server.link);
    const pageId = await server.firstPage();
    const tell = (fairy: string, message: string, bounds: object) =>
      server.api(`/api/fairies/${fairy}/interrupt`, { method: "POST", body: { input: { message, page: pageId, bounds } } });
    await tell(wisp, "Mind map of Garden: flowers, herbs, a pond, a bench", { x: 20, y: 80, w: 880, h: 260 });
    const first = async () => (await server.workspace()).runs.find((run: { fairy: string }) => run.fairy === wisp);
    await until(async () => (await first())?.status === "pending", "the mind map is drawn", 40_000);
    await server.api(`/api/runs/${(await first()).id}/keep`, { method: "POST", body: {} });
    await drawRectangle(page, [380, 590], [520, 660]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Fairies" }).click();
    await tell(fern, "Make sticky notes: Seeds, Tools, Water", { x: 20, y: 360, w: 400, h: 260 });
    await tell(moss, "Draw a flow: Dig -> Plant -> Water", { x: 480, y: 360, w: 420, h: 260 });
    await until(async () => (await server.workspace()).runs.filter((run: { elements: string[] }) => run.elements.length >= 3).length === 3, "both are at it", 40_000);
    await atRest(page);
    await page.screenshot({ path: join(FOLDER, "together.png") });
  });
});
