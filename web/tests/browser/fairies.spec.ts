// Fairies in the hand: chosen, spoken to, dragged, sent to sleep, made.
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
});

test("a fairy is dragged, and the server knows where it was put", async ({ context, server }) => {
  const page = await open(context, server.link);
  const position = async () => (await server.workspace()).fairies[0].position;
  const before = await position();
  const { x, y } = await atRest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 150, { steps: 5 });
  // Held still for a moment: put down, not thrown.
  await page.waitForTimeout(300);
  await page.mouse.up();
  await expect.poll(async () => Math.round((await position()).y - before.y)).toBe(150);
  const put = await atRest(page);
  expect(Math.hypot(put.x - x - 100, put.y - y - 150)).toBeLessThan(12);
});

test("right click: sleep and wake, summon, settings", async ({ context, server }) => {
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

test("the panel of all fairies: a new one comes prefilled, with a name of its own", async ({ context, server }) => {
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
  await expect(panel.getByRole("button", { name: "Stop all" })).toBeDisabled();
});
