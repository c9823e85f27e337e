// Every window, menu and card: opened by keys alone, read by axe in the light and in the dark, left by Escape to where
// one was.
import type { Locator, Page } from "@playwright/test";
import { findings } from "./axe";
import { ask, boxCalled, expect, open, select, withProject as test } from "./studio";
import { grip, join, newTextPage, written } from "./textPage";

interface Opened {
  name: string;
  /** What has the focus before, and again after. */
  from: Locator;
  /** The keys that open it there. */
  open(): Promise<void>;
  window: Locator;
  /** Whether Tab stays inside. */
  holds: boolean;
}

const focusIn = (window: Locator) => window.evaluate((element) => element.contains(document.activeElement));

/** What is wrong with one of them. */
async function faults(page: Page, { name, from, open, window, holds }: Opened): Promise<string[]> {
  await from.focus();
  await open();
  await expect(window, name).toBeVisible();
  await expect.poll(() => focusIn(window), `the focus goes into ${name}`).toBe(true);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await findings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  for (let n = 0; holds && n < 25; n++) {
    await page.keyboard.press(n % 5 === 4 ? "Shift+Tab" : "Tab");
    if (!(await focusIn(window))) found.push(`Tab ${n} leads out`);
  }
  await page.keyboard.press("Escape");
  await expect(window, `Escape closes ${name}`).toHaveCount(0);
  await expect(from, `where one was before ${name}`).toBeFocused();
  return found;
}

async function allFaults(page: Page, all: Opened[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const one of all) {
    const faulty = await faults(page, one);
    if (faulty.length > 0) found[one.name] = faulty;
  }
  return found;
}

const enter = (page: Page) => () => page.keyboard.press("Enter");

test("over a canvas", async ({ context, server }) => {
  test.slow();
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  const changes = page.getByRole("button", { name: "Show changes" });
  await expect(changes).toBeVisible();
  const banner = page.getByRole("banner");
  const fairy = page.getByTestId("fairy-sprite");
  const menu = page.getByRole("menu", { name: /^What to do with/ });
  const ofFairy = (item: string) => async () => {
    await page.keyboard.press("ContextMenu");
    await menu.getByRole("menuitem", { name: item }).press("Enter");
  };
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const inBanner = (name: string | RegExp) => banner.getByRole("button", { name });
  const press = enter(page);

  const found = await allFaults(page, [
    {
      name: "the list of pages",
      from: button(/^Page: /),
      open: press,
      window: page.getByRole("navigation", { name: "Pages" }),
      holds: false,
    },
    { name: "sharing", from: inBanner("Share"), open: press, window: dialog("People and links"), holds: true },
    { name: "the owner's settings", from: inBanner("Settings"), open: press, window: dialog("Settings"), holds: true },
    { name: "what a run changed", from: changes, open: press, window: dialog("What changed"), holds: true },
    { name: "a fairy's menu", from: fairy, open: () => page.keyboard.press("ContextMenu"), window: menu, holds: true },
    { name: "a fairy's settings", from: fairy, open: ofFairy("Settings…"), window: dialog(/^Settings of/), holds: true },
    { name: "a fairy's inside", from: fairy, open: ofFairy("Look inside…"), window: dialog(/^Inside/), holds: true },
    {
      name: "the question before a fairy goes",
      from: fairy,
      open: ofFairy("Dismiss…"),
      window: page.getByRole("alertdialog"),
      holds: true,
    },
  ]);

  await inBanner("Fairies").press("Enter");
  const inPanel = page.getByTestId("fairies-panel").getByRole("button", { name: /^What to do with/ });
  Object.assign(
    found,
    await allFaults(page, [{ name: "a fairy's menu in the panel", from: inPanel, open: press, window: menu, holds: true }]),
  );

  await inBanner("Comments").press("Enter");
  const comment = button("New comment");
  const place = async () => {
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("comment-placer")).toBeFocused();
    await page.keyboard.press("Enter");
  };
  Object.assign(
    found,
    await allFaults(page, [{ name: "a new comment", from: comment, open: place, window: dialog("New comment"), holds: false }]),
  );
  await comment.focus();
  await place();
  await page.getByRole("textbox", { name: "Say something" }).fill("Too small?");
  await page.keyboard.press("Enter");
  await expect(dialog("Conversation")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog("Conversation")).toHaveCount(0);
  const pay = await boxCalled(page, "Pay");
  await select(page, [pay.id]);
  const more = [
    { name: "a conversation", from: button(/^Comment by/), open: press, window: dialog("Conversation"), holds: false },
    { name: "why", from: button("Why?"), open: press, window: dialog("Why is this here?"), holds: false },
  ];
  Object.assign(found, await allFaults(page, more));
  expect(found).toEqual({});
});

test("over a text page", async ({ context, server }) => {
  const page = await join(context, server.link, await newTextPage(server));
  await written(page, "Roses are red");
  const menu = page.getByRole("menu", { name: "This block" });
  const block = { name: "a block's menu", from: await grip(page, "Roses"), open: enter(page), window: menu, holds: true };
  expect(await allFaults(page, [block])).toEqual({});
});

test("over the code project", async ({ context, server }) => {
  const page = await open(context, server.link);
  await server.api("/api/code/chats", { method: "POST", body: { title: "Beds" } });
  await page.getByRole("banner").getByRole("button", { name: /^Code/ }).press("Enter");
  const remove = page.getByTestId("code-panel").getByRole("button", { name: "Delete" });
  const question = page.getByRole("alertdialog", { name: "Delete this chat?" });
  expect(await allFaults(page, [{ name: "before a chat goes", from: remove, open: enter(page), window: question, holds: true }])).toEqual(
    {},
  );
});
