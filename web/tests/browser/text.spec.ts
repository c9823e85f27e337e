// A text page: two people and two fairies write on it at once.
import type { BrowserContext, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ask, expect, open, test, until } from "./studio";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const editor = (page: Page) => page.getByRole("textbox", { name: /^The text of/ });

/** The blocks on the screen. */
const lines = (page: Page) =>
  page.evaluate(() => {
    const { view } = (globalThis as any).__gladeText;
    const found: string[] = [];
    view.state.doc.forEach((node: any) => found.push(`${node.type.name}: ${node.textContent}`));
    return found;
  });

async function makeTextPage(page: Page): Promise<string> {
  await page.getByRole("button", { name: /^Page: / }).click();
  await page.getByRole("button", { name: "New page" }).click();
  await page.getByLabel("Name of the new page").fill("Notes");
  await page.getByLabel("What the page is for").selectOption("text");
  await page.getByRole("button", { name: "Make", exact: true }).click();
  await editor(page).waitFor();
  return page.evaluate(() => (globalThis as any).__gladeText.session.pageId);
}

async function join(context: BrowserContext, link: string, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${link}&page=${id}`);
  await editor(page).waitFor();
  await page.waitForFunction(() => Boolean((globalThis as any).__gladeText));
  return page;
}

async function serverText(server: { origin: string; token: string }, id: string): Promise<string> {
  const answer = await fetch(`${server.origin}/api/pages/${id}/export?format=markdown`, { headers: { authorization: `Bearer ${server.token}` } });
  return answer.text();
}

test("two people and a fairy write on one page, and everything is there", async ({ context, browser, server }) => {
  test.slow();
  const ann = await open(context, server.link);
  const id = await makeTextPage(ann);
  await editor(ann).click();
  await ann.keyboard.type("# Plan");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("We meet on **Monday** ");
  expect(await lines(ann)).toEqual(["heading: Plan", "paragraph: We meet on Monday "]);

  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  await until(async () => expect(await lines(ben)).toEqual(await lines(ann)));
  await expect(ben.locator("strong")).toHaveText("Monday");

  // Both type in one paragraph at once; the fairy writes below.
  await editor(ben).locator("p").click();
  await ben.keyboard.press("End");
  const asked = ask(ann, "Write: The fairy was here");
  await Promise.all([ben.keyboard.type("at nine.", { delay: 20 }), asked]);
  await until(async () => {
    expect(await lines(ann)).toEqual(["heading: Plan", "paragraph: We meet on Monday at nine.", "paragraph: The fairy was here"]);
    expect(await lines(ben)).toEqual(await lines(ann));
  });
  await until(async () => expect(await serverText(server, id)).toBe("# Plan\n\nWe meet on **Monday** at nine.\n\nThe fairy was here\n"));
  await expect(ann.locator(".text-pending")).toHaveText("The fairy was here");

  // Undo in the editor takes only one's own.
  await ben.keyboard.press("Control+z");
  await until(async () => expect((await lines(ann)).join()).toContain("The fairy was here"));

  // A person types inside the fairy's words; undoing the run leaves what they typed.
  await ann.locator(".text-pending").click();
  await ann.keyboard.press("End");
  await ann.keyboard.type(", says Ann");
  await expect(ann.getByTestId("run-bar")).toBeVisible();
  await ann.getByTestId("run-bar").getByRole("button", { name: /undo/i }).first().click();
  await until(async () => {
    expect((await lines(ben)).join()).toContain(", says Ann");
    expect((await lines(ben)).join()).not.toContain("fairy");
  });

  await ann.reload();
  await editor(ann).waitFor();
  await until(async () => expect(await lines(ann)).toEqual(await lines(ben)));
  await ann.evaluate(AXE);
  const serious = await ann.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
    return violations.filter(({ impact }: any) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html.slice(0, 160)}`));
  });
  expect(serious).toEqual([]);
  await other.close();
});

test("the slash menu, lists, tables and find and replace", async ({ context, server }) => {
  const ann = await open(context, server.link);
  await makeTextPage(ann);
  await editor(ann).click();
  await ann.keyboard.type("/head");
  await expect(ann.getByRole("listbox")).toBeVisible();
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("Colours");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("- red colour");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("blue colour");
  expect(await lines(ann)).toEqual(["heading: Colours", "listItem: red colour", "listItem: blue colour"]);
  await ann.keyboard.press("Control+f");
  await ann.getByRole("textbox", { name: "Find" }).fill("colour");
  await ann.getByRole("textbox", { name: "Replace with" }).fill("color");
  await ann.getByRole("button", { name: "Replace all" }).click();
  await ann.getByRole("button", { name: "Close", exact: true }).click();
  expect(await lines(ann)).toEqual(["heading: colors", "listItem: red color", "listItem: blue color"]);
  await ann.keyboard.press("Control+End");
  await ann.keyboard.press("Enter");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("/table");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("Name");
  await ann.keyboard.press("Tab");
  await ann.keyboard.type("Age");
  await expect(ann.locator("td").nth(1)).toHaveText("Age");
});

test("a text page loads no canvas, and a canvas no text editor", async ({ context, server }) => {
  const loaded: string[] = [];
  context.on("response", (response) => loaded.push(new URL(response.url()).pathname));
  const ann = await open(context, server.link);
  const has = (name: string) => loaded.some((path) => path.includes(name));
  expect(has("TextPage")).toBe(false);
  const id = await makeTextPage(ann);
  expect(has("TextPage")).toBe(true);
  loaded.length = 0;
  await join(context, server.link, id);
  expect(loaded.some((path) => /excalidraw|CanvasPage/i.test(path))).toBe(false);
});
