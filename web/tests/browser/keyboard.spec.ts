// No mouse: everything that a person does in the first hour, by keys alone, and one always sees where one is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { boxCalled, boxes, expect, open, shapes, withProject as test } from "./studio";
import { arrive, editor, lines } from "./textPage";

/** Presses Tab until that has the focus, and looks whether one can see it. */
async function tabTo(page: Page, target: Locator) {
  const here = () => target.evaluate((element) => element === document.activeElement);
  await target.waitFor();
  for (let n = 0; n < 120 && !(await here()); n++) await page.keyboard.press("Tab");
  const { reached, seen } = await target.evaluate((element) => {
    // Where one types, the whole field may show it.
    const shows = (one: Element | null, depth: number): boolean => {
      if (!one || depth === 0) return false;
      const { outlineStyle, boxShadow } = getComputedStyle(one);
      return outlineStyle !== "none" || boxShadow !== "none" || shows(one.parentElement, depth - 1);
    };
    return { reached: element === document.activeElement, seen: element.matches(":focus-visible") && shows(element, 3) };
  });
  expect({ reached, seen }, `Tab to ${target}`).toEqual({ reached: true, seen: true });
}

async function press(page: Page, target: Locator) {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

const top = (page: Page, name: RegExp) => page.getByRole("banner").getByRole("button", { name });

test("the editor's keys work as soon as a page is open, and take the focus from nobody", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.keyboard.press("r");
  await expect(page.getByRole("button", { name: "Rectangle", exact: true })).toHaveAttribute("aria-pressed", "true");

  const { value: other } = await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: "Other", kind: "canvas" } });
  await press(page, page.getByRole("button", { name: /^Page: / }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => (globalThis as any).__glade?.session.pageId === id, other.id);
  await expect(page.getByRole("banner").locator(":focus")).toHaveCount(1);
});

test("a drawing is asked for, kept and undone, at the panel and at the fairy herself", async ({ context, server }) => {
  const page = await open(context, server.link);
  await tabTo(page, page.getByRole("textbox", { name: /^Ask / }));
  await page.keyboard.type("Draw a flow: Order -> Pay");
  await page.keyboard.press("Enter");
  await boxCalled(page, "Pay");
  await press(page, page.getByRole("button", { name: "Keep", exact: true }));
  await expect(page.getByTestId("run-bar")).toHaveCount(0);

  await press(page, page.getByTestId("fairy-sprite"));
  const line = page.getByTestId("sprite-input").getByRole("textbox");
  await expect(line).toBeFocused();
  await page.keyboard.type("Draw a flow: Sun -> Moon");
  await page.keyboard.press("Enter");
  await boxCalled(page, "Moon");
  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);
  await press(page, page.getByRole("button", { name: "Undo", exact: true }));
  await expect.poll(async () => boxes(await shapes(page)).length).toBe(2);
});

test("pages are made and changed, tasks given, panels opened and left", async ({ context, server }) => {
  const page = await open(context, server.link);
  await press(page, page.getByRole("button", { name: /^Page: / }));
  const list = page.getByRole("navigation", { name: "Pages" });
  await press(page, list.getByRole("button", { name: "New page" }));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Garden");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Garden");

  await press(page, top(page, /^Tasks/));
  const panel = page.getByTestId("tasks-panel");
  await tabTo(page, panel.getByRole("textbox", { name: "New task" }));
  await page.keyboard.type("Draw a flow: Seed -> Tree");
  await page.keyboard.press("Enter");
  const who = panel.getByRole("combobox", { name: "Who does it" });
  await tabTo(page, who);
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await server.workspace()).tasks[0].assignee).not.toBeNull();
  await press(page, panel.getByRole("button", { name: "Start" }));
  await boxCalled(page, "Tree");

  for (const name of [/^Fairies/, /^Comments/, /^Search/]) await press(page, top(page, name));
  await press(page, top(page, /^Share/));
  await expect(page.getByRole("dialog", { name: "People and links" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(top(page, /^Share/)).toBeFocused();
});

test("a file is changed after a question, and a text page is written", async ({ context, server, project }) => {
  const page = await open(context, server.link);
  await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: "Notes", kind: "text" } });
  await press(page, top(page, /^Code/));
  const code = page.getByTestId("code-panel");
  await tabTo(page, code.getByRole("textbox", { name: /^Ask / }));
  await page.keyboard.type("replace colour with color");
  await page.keyboard.press("Enter");
  await press(page, code.getByRole("button", { name: "For this chat" }));
  await expect.poll(() => readFileSync(join(project, "README.md"), "utf8")).toBe("A color for every bed.\n");
  await press(page, code.getByRole("button", { name: /^Take back/ }));
  await expect(code).not.toContainText("without asking.");
  await press(page, code.getByRole("button", { name: "Undo", exact: true }));
  await expect.poll(() => readFileSync(join(project, "README.md"), "utf8")).toBe("A colour for every bed.\n");
  await press(page, code.getByRole("button", { name: "Back to the page" }));

  await press(page, page.getByRole("button", { name: /^Page: / }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await arrive(page);
  const text = editor(page);
  for (let n = 0; n < 60 && !(await text.evaluate((element) => element === document.activeElement)); n++) await page.keyboard.press("Tab");
  await page.keyboard.type("# Roses\nred ones");
  await expect.poll(() => lines(page)).toEqual(["heading: Roses", "paragraph: red ones"]);
});
