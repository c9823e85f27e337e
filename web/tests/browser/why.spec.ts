// Why is this here? Asked of any shape, answered beside it.
import { ask, boxCalled, drawRectangle, expect, open, select, test } from "./studio";

const FLOW = "Draw a flow: Order -> Pay -> Ship";

test("a fairy's shape tells who drew it, on what words, and leads to the run", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, FLOW);
  await expect(page.getByTestId("run-bar")).toBeVisible();
  const pay = await boxCalled(page, "Pay");
  await expect(page.getByRole("button", { name: "Why?" })).toHaveCount(0);
  await select(page, [pay.id]);
  await page.getByRole("button", { name: "Why?" }).click();
  const card = page.getByRole("dialog", { name: "Why is this here?" });
  await expect(card).toContainText(/\w+ drew this/);
  await expect(card).toContainText(FLOW);
  await expect(card).toContainText("not decided yet");
  await expect(card).not.toContainText("Drawn by a person");

  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(card.getByText("kept", { exact: true })).toBeVisible();

  // Enough talk to push the run out of sight; then the card leads back to it.
  for (const word of ["Sun", "Moon", "Star", "Cloud"]) {
    await ask(page, `Draw a flow: ${word} -> Sky`);
    await expect(page.getByRole("log").getByText(`drew ${word}`)).toBeVisible();
    await page.getByRole("button", { name: "Keep", exact: true }).click();
    await expect(page.getByTestId("run-bar")).toHaveCount(0);
  }
  const told = page.getByRole("log").getByText(FLOW);
  await expect(told).not.toBeInViewport();
  await card.getByRole("button", { name: "Show in chat" }).click();
  await expect(told).toBeInViewport();
  await expect(card).toHaveCount(0);
});

test("a person's shape says so, by keyboard alone, and Escape leads back", async ({ context, server }) => {
  const page = await open(context, server.link);
  const mine = await drawRectangle(page, [400, 300], [520, 380]);
  await select(page, [mine.id]);
  const mark = page.getByRole("button", { name: "Why?" });
  await mark.focus();
  await page.keyboard.press("Enter");
  const card = page.getByRole("dialog", { name: "Why is this here?" });
  await expect(card).toContainText("Drawn by a person.");
  await expect(card.getByRole("button", { name: "Show in chat" })).toHaveCount(0);
  // Enter was ours: the editor did not start to type into the box.
  await expect(page.locator("textarea.excalidraw-wysiwyg")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(mark).toBeFocused();
});

test("the mark follows its shape", async ({ context, server }) => {
  const page = await open(context, server.link);
  const mine = await drawRectangle(page, [400, 300], [520, 380]);
  await select(page, [mine.id]);
  const mark = page.getByRole("button", { name: "Why?" });
  const before = await mark.boundingBox();
  await page.mouse.move(460, 500);
  await page.mouse.wheel(0, 100);
  await expect.poll(async () => (await mark.boundingBox())!.y).toBeLessThan(before!.y - 50);
  await page.mouse.wheel(0, 2000);
  await expect(mark).toBeHidden();
});
