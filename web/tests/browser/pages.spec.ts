// Several pages in one glade: made, switched, kept in the address; a fairy goes where it is asked.
import type { Page } from "@playwright/test";
import { ask, boxCalled, boxes, drawRectangle, expect, open, shapes, test, until } from "./studio";

/** Waits until the page with that name is the one on the canvas. */
async function on(page: Page, name: string) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByTestId("sync-status")).toHaveText(/^saved/i);
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("page");
  await page.waitForFunction((id) => {
    const open = (globalThis as any).__glade?.session.pageId;
    return open && (!id || open === id);
  }, id);
}

async function make(page: Page, name: string) {
  await page.getByRole("button", { name: /^Page: / }).click();
  await page.getByRole("button", { name: "New page" }).click();
  await page.getByRole("textbox", { name: "Name of the new page" }).fill(name);
  await page.keyboard.press("Enter");
  await on(page, name);
}

async function go(page: Page, name: string) {
  await page.getByRole("button", { name: /^Page: / }).click();
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("button", { name: new RegExp(`^${name}`) })
    .click();
  await on(page, name);
}

test("a new page opens empty, stays after a reload, and the first is as it was", async ({ context, server }) => {
  const page = await open(context, server.link);
  const mine = await drawRectangle(page, [400, 300], [520, 380]);
  await make(page, "Second thoughts");
  expect(await shapes(page)).toEqual([]);
  const { pages } = await server.workspace();
  expect(pages.map(({ name }: { name: string }) => name)).toEqual(["First page", "Second thoughts"]);
  expect(page.url()).toContain(`#page=${pages[1].id}`);

  const other = await drawRectangle(page, [300, 300], [380, 380]);
  await page.reload();
  await page.locator("canvas.interactive").waitFor();
  await on(page, "Second thoughts");
  await until(async () => (await shapes(page)).map(({ id }) => id).join() === other.id, "its own shape is there");

  await go(page, "First page");
  await until(async () => (await shapes(page)).map(({ id }) => id).join() === mine.id, "the first page's shape is there");
  await page.goBack();
  await on(page, "Second thoughts");
});

test("two tabs on two pages do not mix, and the list of pages is live", async ({ context, server }) => {
  const [one, two] = [await open(context, server.link), await open(context, server.link)];
  await one.bringToFront();
  await make(one, "Elsewhere");
  const there = await drawRectangle(one, [400, 300], [520, 380]);
  await two.bringToFront();
  const here = await drawRectangle(two, [300, 300], [380, 380]);
  await expect(two.getByTestId("sync-status")).toHaveText(/^saved/i);
  expect((await shapes(two)).map(({ id }) => id)).toEqual([here.id]);
  expect((await shapes(one)).map(({ id }) => id)).toEqual([there.id]);
  await go(two, "Elsewhere");
  await until(async () => (await shapes(two)).map(({ id }) => id).join() === there.id, "the other tab's shape");
});

test("the fairy follows only when it is asked on the other page", async ({ context, server }) => {
  const page = await open(context, server.link);
  const sprite = page.getByTestId("fairy-sprite");
  await expect(sprite).toBeVisible();
  await make(page, "Garden");
  await expect(sprite).toHaveCount(0);
  await expect(page.getByTestId("chat-panel")).toContainText("on First page");
  await ask(page, "Make sticky notes: Rose, Fern");
  await boxCalled(page, "Fern");
  await expect(sprite).toBeVisible();
  await expect(page.getByTestId("run-bar")).toBeVisible();

  await go(page, "First page");
  expect(boxes(await shapes(page))).toEqual([]);
  await expect(sprite).toHaveCount(0);
  const bar = page.getByTestId("run-bar");
  await expect(bar).toContainText("on Garden");
  // What waits on other pages is folded away.
  await page.locator(".run-elsewhere summary").click();
  await bar.getByRole("button", { name: "Show" }).click();
  await on(page, "Garden");
  await expect(page.getByTestId("pending").locator(".pending-mark")).toHaveCount(2);
});

test("the menu works by keyboard and leaves the drawing alone", async ({ context, server }) => {
  const page = await open(context, server.link);
  await make(page, "Below");
  const drawn = await drawRectangle(page, [400, 300], [520, 380]);
  const name = page.getByRole("button", { name: /^Page: / });
  await name.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Below", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: /^First page/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Pages" })).toHaveCount(0);
  await expect(name).toBeFocused();
  expect((await shapes(page)).map(({ x, y }) => [x, y])).toEqual([[drawn.x, drawn.y]]);
});

test("a page is dragged to another place in the list", async ({ context, server }) => {
  const page = await open(context, server.link);
  await make(page, "Second");
  await make(page, "Third");
  await page.getByRole("button", { name: /^Page: / }).click();
  const row = (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("listitem").filter({ hasText: name });
  await row("Third").dragTo(row("First page"));
  await expect
    .poll(async () => (await server.workspace()).pages.map(({ name }: { name: string }) => name))
    .toEqual(["Third", "First page", "Second"]);
  await expect(page.getByRole("navigation", { name: "Pages" }).locator(".page-link-name")).toHaveText(["Third", "First page", "Second"]);
});

test("pages are renamed, moved, copied, given a tier, deleted and brought back", async ({ context, server }) => {
  const page = await open(context, server.link);
  await make(page, "Garden");
  const rose = await drawRectangle(page, [400, 300], [520, 380]);
  const names = async () => (await server.workspace()).pages.map(({ name }: { name: string }) => name);
  const tools = async (name: string) => {
    const list = page.getByRole("navigation", { name: "Pages" });
    if (!(await list.isVisible())) await page.getByRole("button", { name: /^Page: / }).click();
    const group = page.getByRole("group", { name: `More about ${name}` });
    if (!(await group.isVisible())) await page.getByRole("button", { name: `More about ${name}` }).click();
    return group;
  };

  await (await tools("Garden")).getByRole("textbox", { name: "Page name" }).fill("Orchard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Orchard");
  await (await tools("Orchard")).getByRole("button", { name: "Move up" }).click();
  await expect.poll(names).toEqual(["Orchard", "First page"]);
  await (await tools("Orchard")).getByRole("combobox").selectOption("public");
  await expect.poll(async () => (await server.workspace()).pages[0].tier).toBe("public");

  await (await tools("Orchard")).getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Orchard.+/);
  await until(async () => (await shapes(page)).length === 1, "the copy has the shape");
  const copy = (await page.getByRole("heading", { level: 1 }).textContent())!;

  await (await tools(copy)).getByRole("button", { name: "Delete" }).click();
  await page.waitForTimeout(500); // a double click is no answer to the question
  await page.getByRole("button", { name: "Really delete?" }).click();
  await expect(page.getByText(`“${copy}” is in the trash.`, { exact: true })).toBeVisible();
  await expect.poll(names).toEqual(["Orchard", "First page"]);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(copy);
  await until(async () => (await shapes(page)).length === 1, "with everything on it");

  // A page with a fairy on it says why it stays.
  await (await tools("First page")).getByRole("button", { name: "Delete" }).click();
  await page.waitForTimeout(500); // a double click is no answer to the question
  await page.getByRole("button", { name: "Really delete?" }).click();
  await expect(page.getByRole("alert")).toContainText("is on this page");
  expect(rose.type).toBe("rectangle");
});
