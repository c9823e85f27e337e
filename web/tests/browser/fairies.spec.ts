// Fairies in the hand: chosen, spoken to, dragged, thrown, followed, sent to sleep, made and dismissed.
import type { Page } from "@playwright/test";
import { boxCalled, expect, open, test, until } from "./studio";

const place = async (page: Page) => {
  const box = (await page.getByTestId("fairy-sprite").first().boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Where a sprite is once it has come to rest. */
async function atRest(page: Page) {
  let last = await place(page);
  return until(async () => {
    await page.waitForTimeout(120);
    const now = await place(page);
    const still = Math.hypot(now.x - last.x, now.y - last.y) < 1;
    last = now;
    return still && now;
  }, "the fairy rests") as Promise<{ x: number; y: number }>;
}

const deed = async (page: Page, name: string) => {
  await page.getByTestId("fairy-sprite").first().click({ button: "right" });
  await page.getByRole("menuitem", { name }).click();
};

test("a click chooses a fairy and speaks to it there; its view is framed; the empty canvas lets go", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByTestId("fairy-sprite").click();
  await expect(page.getByTestId("fairy-view")).toHaveCount(1);
  await page.getByRole("textbox", { name: /^Tell / }).fill("Draw a flow: Here -> There");
  await page.keyboard.press("Enter");
  await boxCalled(page, "There");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await page.mouse.click(620, 700);
  await expect(page.getByTestId("fairy-view")).toHaveCount(0);
  await expect(page.getByTestId("sprite-input")).toHaveCount(0);
  // A selection drawn around it chooses it too.
  const { x, y } = await atRest(page);
  await page.mouse.move(x - 70, y - 70);
  await page.mouse.down();
  await page.mouse.move(x + 70, y + 70, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByTestId("fairy-view")).toHaveCount(1);
});

test("a fairy is dragged and thrown, stays where it came to rest, and others see it there", async ({ context, server }) => {
  const page = await open(context, server.link);
  const { x, y } = await atRest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 150, { steps: 5 });
  await page.waitForTimeout(250);
  await page.mouse.up();
  const put = await atRest(page);
  expect(Math.hypot(put.x - x - 100, put.y - y - 150)).toBeLessThan(12);
  const held = async () => (await server.workspace()).fairies[0].position;
  const before = await held();
  await until(async () => Math.abs((await held()).x - before.x) < 1000 && (await held()).x !== 120, "the server knows");

  // Let go in full flight it glides on.
  await page.mouse.move(put.x, put.y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step++) await page.mouse.move(put.x + step * 14, put.y);
  await page.mouse.up();
  const thrown = await atRest(page);
  expect(thrown.x).toBeGreaterThan(put.x + 90);
  await page.reload();
  await page.getByTestId("fairy-sprite").waitFor();
  const again = (await (await page.waitForFunction(() => (globalThis as any).__glade?.handle.viewport())).jsonValue()) as { x: number };
  expect(again).toBeTruthy();
  await until(async () => (await held()).x > before.x, "it is where it was thrown, after a reload");
});

test("right click: sleep and wake, summon, follow until one moves, settings", async ({ context, server }) => {
  const page = await open(context, server.link);
  const fairy = async () => (await server.workspace()).fairies[0];
  const sprite = page.getByTestId("fairy-sprite");
  await deed(page, "Send to sleep");
  await expect.poll(async () => (await fairy()).mode).toBe("sleeping");
  await expect(sprite).toHaveAttribute("data-pose", "sleeping");
  await deed(page, "Wake up");
  await expect.poll(async () => (await fairy()).mode).toBe("idling");
  await deed(page, "Summon here");
  const view = await page.evaluate(() => (globalThis as any).__glade.handle.viewport());
  await expect.poll(async () => Math.round((await fairy()).position.x - view.x - view.w / 2)).toBe(0);

  await atRest(page);
  await sprite.dblclick();
  await expect(page.getByText(/^Following/)).toBeVisible();
  await page.mouse.move(500, 600);
  await page.mouse.wheel(0, 300);
  await expect(page.getByText(/^Following/)).toHaveCount(0);

  await atRest(page);
  await deed(page, "Settings…");
  const dialog = page.getByRole("dialog", { name: /^Settings of/ });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Robin");
  await dialog.getByRole("button", { name: "Propeller cap" }).click();
  await dialog.getByRole("checkbox", { name: /Plans first/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(fairy).toMatchObject({ name: "Robin", hat: "propeller", planFirst: true });
  await expect(page.getByTestId("chat-panel")).toContainText("Robin");
});

test("the panel of all fairies: a new one prefilled, two at work, Stop all, dismiss", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Fairies" }).click();
  const panel = page.getByTestId("fairies-panel");
  await panel.getByRole("button", { name: "New fairy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Settings of/ });
  await expect(dialog.getByRole("textbox", { name: "Name" })).not.toHaveValue("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(panel.locator(".fairy-row")).toHaveCount(2);
  const [one, two] = (await server.workspace()).fairies;
  expect(one.name).not.toBe(two.name);
  await expect(page.getByTestId("fairy-sprite")).toHaveCount(2);

  // Both are addressed at once, by no name.
  await panel.getByRole("button", { name: "Back to the chat" }).click();
  await page.getByRole("button", { name: "Everyone" }).click();
  const group = page.getByTestId("group-panel");
  await group.getByRole("textbox", { name: "Tell everyone" }).fill(`${two.name}, make sticky notes: Moss, Bark`);
  await page.keyboard.press("Enter");
  await boxCalled(page, "Bark");
  await expect(group.getByRole("log")).toContainText(`Goes to ${two.name}`);
  expect((await server.workspace()).runs.map(({ fairy }: { fairy: string }) => fairy)).toEqual([two.id]);

  await page.getByRole("button", { name: "Fairies" }).click();
  await expect(panel.getByRole("button", { name: "Stop all" })).toBeDisabled();
  await panel.getByRole("button", { name: `What to do with ${two.name}` }).click();
  await page.getByRole("menuitem", { name: "Dismiss…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
  await expect(panel.locator(".fairy-row")).toHaveCount(1);
});
