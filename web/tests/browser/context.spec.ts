// What goes along with a person's words: chips they can see and leave out.
import type { Page } from "@playwright/test";
import { ask, drawRectangle, expect, open, select, test } from "./studio";

/** Says something and looks at what was sent with it. */
async function sentWith(page: Page, words: string) {
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/ai/chat") && request.method() === "POST");
  await ask(page, words);
  const { selection, bounds, page: where } = (await sent).postDataJSON();
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeDisabled();
  return { selection, bounds, where };
}

test("selected shapes go along as a chip, and stay behind when it is removed", async ({ context, server }) => {
  const page = await open(context, server.link);
  const pageId = await server.firstPage();
  const chips = page.getByTestId("chips");
  const ids: string[] = [];
  for (const x of [200, 340, 480]) ids.push((await drawRectangle(page, [x, 560], [x + 100, 640])).id);
  await select(page, ids);
  await expect(chips).toContainText("3 shapes");
  const first = await sentWith(page, "Hello there");
  expect([...first.selection].sort()).toEqual([...ids].sort());
  expect(first.where).toBe(pageId);
  expect(first.bounds.w).toBeGreaterThan(100);

  await chips.getByRole("button", { name: "Leave the selected shapes out" }).click();
  await expect(chips).not.toContainText("shapes");
  expect((await sentWith(page, "Hello again")).selection).toEqual([]);

  // Another selection is another matter.
  await select(page, ids.slice(1));
  await expect(chips).toContainText("2 shapes");
  expect((await sentWith(page, "And now")).selection).toHaveLength(2);
  await select(page, []);
  await expect(chips).not.toContainText("shape");
});

test("the view can be left out, by keyboard", async ({ context, server }) => {
  const page = await open(context, server.link);
  const view = page.getByRole("button", { name: "Your view" });
  await expect(view).toHaveAttribute("aria-pressed", "true");
  await view.press("Enter");
  await expect(view).toHaveAttribute("aria-pressed", "false");
  expect((await sentWith(page, "Hello")).bounds).toBeUndefined();
  await view.press("Enter");
  expect((await sentWith(page, "Hello")).bounds).toBeTruthy();
});
