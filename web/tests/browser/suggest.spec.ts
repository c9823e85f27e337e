// Whoever may only suggest draws like anybody; it waits for somebody who may edit.
import { drawRectangle, expect, open, shapes, test, until } from "./studio";

test("a suggestion is tinted for everybody, and an editor keeps or undoes it", async ({ browser, context, server }) => {
  const owner = await open(context, server.link);
  await owner.getByRole("banner").getByRole("button", { name: "Share" }).click();
  const dialog = owner.getByRole("dialog", { name: "People and links" });
  await dialog.getByLabel("For whom").fill("Sue");
  await dialog.getByLabel("They may").selectOption({ label: "suggest, for you to decide" });
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await dialog.getByLabel("The link").inputValue();
  await owner.keyboard.press("Escape");

  const elsewhere = await browser.newContext();
  const sue = await open(elsewhere, link);
  const first = await drawRectangle(sue, [300, 250], [420, 340]);
  await expect(sue.getByTestId("suggestions")).toContainText("waits for somebody to keep it: 1 shape");
  await expect(sue.getByRole("button", { name: "Keep", exact: true })).toHaveCount(0);

  const mark = (id: string) => owner.getByTestId("pending").locator(`[data-element="${id}"]`);
  await expect(mark(first.id)).toBeVisible();
  const bar = owner.getByTestId("suggestions").getByTestId("run-bar");
  await expect(bar).toContainText("Sue suggests");
  await bar.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(bar).toHaveCount(0);
  await expect(mark(first.id)).toHaveCount(0);
  await expect(sue.getByTestId("suggestions")).toHaveCount(0);

  const second = await drawRectangle(sue, [500, 250], [620, 340]);
  await expect(mark(second.id)).toBeVisible();
  await bar.getByRole("button", { name: "Undo", exact: true }).click();
  await until(async () => (await shapes(sue)).length === 1, "Sue sees what stayed");
  expect((await shapes(owner)).map(({ id }) => id)).toEqual([first.id]);
  await expect(sue.getByTestId("sync-status")).toHaveText(/saved/i);
  await elsewhere.close();
});
