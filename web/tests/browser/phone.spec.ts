// A phone in the hand: everything that a person does in the first hour, with a finger on a narrow screen.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { boxCalled, boxes, expect, open, shapes, withProject as test } from "./studio";
import { arrive, editor, lines } from "./textPage";

const WIDTH = 390;
const HEIGHT = 844;
/** What a finger needs, in pixels, at the least. */
const FINGER = 24;

test.use({ viewport: { width: WIDTH, height: HEIGHT }, hasTouch: true, isMobile: true });

/** Touches it, after looking whether all of it is on the screen, large enough, and nothing makes the page wider. */
async function touch(page: Page, target: Locator) {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  const onScreen = x >= 0 && y >= 0 && x + width <= WIDTH && y + height <= HEIGHT;
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect({ onScreen, large: width >= FINGER && height >= FINGER, wide }, `${target}`).toEqual({ onScreen: true, large: true, wide: WIDTH });
  await target.tap();
}

const top = (page: Page, name: RegExp) => page.getByRole("banner").getByRole("button", { name });

test("a fairy is asked, and what she drew is kept or undone", async ({ context, server }) => {
  const page = await open(context, server.link);
  const box = page.getByRole("textbox", { name: /^Ask / });
  await touch(page, box);
  await page.keyboard.type("Draw a flow: Order -> Pay");
  await touch(page, page.getByRole("button", { name: "Send" }));
  await boxCalled(page, "Pay");
  await touch(page, page.getByRole("button", { name: "Keep", exact: true }));
  await expect(page.getByTestId("run-bar")).toHaveCount(0);
  await touch(page, box);
  await page.keyboard.type("Draw a flow: Sun -> Moon");
  await page.keyboard.press("Enter");
  await boxCalled(page, "Moon");
  await touch(page, page.getByRole("button", { name: "Undo", exact: true }));
  await expect.poll(async () => boxes(await shapes(page)).length).toBe(2);
});

test("pages, panels and tasks are reached and left", async ({ context, server }) => {
  const page = await open(context, server.link);
  await touch(page, page.getByRole("button", { name: /^Page: / }));
  const list = page.getByRole("navigation", { name: "Pages" });
  await touch(page, list.getByRole("button", { name: "New page" }));
  await list.getByRole("textbox", { name: "Name of the new page" }).fill("Garden");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Garden");

  for (const name of [/^Search/, /^Fairies/, /^Comments/]) await touch(page, top(page, name));
  await touch(page, top(page, /^Tasks/));
  const panel = page.getByTestId("tasks-panel");
  await touch(page, panel.getByRole("textbox", { name: "New task" }));
  await page.keyboard.type("Draw a flow: Seed -> Tree");
  await page.keyboard.press("Enter");
  const [{ id }] = (await server.workspace()).fairies;
  await panel.getByRole("combobox", { name: "Who does it" }).selectOption(id);
  await expect.poll(async () => (await server.workspace()).tasks[0].assignee).toBe(id);
  await touch(page, panel.getByRole("button", { name: "Start" }));
  await boxCalled(page, "Tree");
  await touch(page, top(page, /^Share/));
  const dialog = page.getByRole("dialog", { name: "People and links" });
  await expect(dialog).toBeVisible();
  await touch(page, dialog.getByRole("button", { name: /^Close/ }));
  await expect(dialog).toHaveCount(0);
});

test("a text page is written, and a file is changed after a question", async ({ context, server, project }) => {
  const page = await open(context, server.link);
  await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: "Notes", kind: "text" } });
  await touch(page, page.getByRole("button", { name: /^Page: / }));
  await touch(page, page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: /^Notes/ }));
  await arrive(page);
  await editor(page).tap();
  await page.keyboard.type("# Roses\nred ones");
  await expect.poll(() => lines(page)).toEqual(["heading: Roses", "paragraph: red ones"]);

  await touch(page, top(page, /^Code/));
  const code = page.getByTestId("code-panel");
  await touch(page, code.getByRole("textbox", { name: /^Ask / }));
  await page.keyboard.type("replace colour with color");
  await page.keyboard.press("Enter");
  await touch(page, code.getByRole("button", { name: "For this chat" }));
  await expect.poll(() => readFileSync(join(project, "README.md"), "utf8")).toBe("A color for every bed.\n");
  await touch(page, code.getByRole("button", { name: /^Take back/ }));
  await touch(page, code.getByRole("button", { name: "Undo", exact: true }));
  await expect.poll(() => readFileSync(join(project, "README.md"), "utf8")).toBe("A colour for every bed.\n");
  await touch(page, page.getByRole("button", { name: "Back to the page" }));
  await expect(editor(page)).toBeVisible();
});
