// The code project in the studio: files, chats, questions before writing, changes to keep or undo, and why a line is there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import type { BrowserContext, Page } from "@playwright/test";
import { findings } from "./axe";
import { expect, open, test as base } from "./studio";
import { GladeServer } from "../support/server.mjs";

const FILES: Record<string, string> = {
  "src/a.rs": ["fn foo() {}", ...Array.from({ length: 20 }, (_, n) => `// line ${n}`), "fn calls() { foo() }", ""].join("\n"),
  "src/b.rs": "use a::foo;\n",
  "README.md": "# Shop\n\nA colour for foo.\n",
  ".ignore": "target\n",
  "target/out.txt": "foo\n",
};

const test = base.extend<{ project: string; mock: LLMock }>({
  project: async ({}, use) => {
    const project = mkdtempSync(join(tmpdir(), "glade-shop-"));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    await use(project);
    rmSync(project, { recursive: true, force: true });
  },
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0 });
    mock.addFixture({ match: { systemMessage: "a title of at most 7 words" }, response: { content: "Talk About The Shop" } });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
  server: async ({ project, mock, pace }, use) => {
    const models = { providers: { anthropic: { key: "a-key", baseUrl: mock.url, models: ["claude-sonnet-4-5"] } } };
    const server = await GladeServer.start({ project, models, pace });
    await use(server);
    await server.stop();
  },
});

const panel = (page: Page) => page.getByTestId("code-panel");
const stage = (page: Page) => page.getByTestId("code-stage");
const button = (page: Page, name: string | RegExp) => panel(page).getByRole("button", { name, exact: typeof name === "string" });
const row = (page: Page, name: string) => page.getByRole("treeitem", { name: new RegExp(`^${name}`) });

async function openCode(context: BrowserContext, link: string): Promise<Page> {
  const page = await open(context, link);
  await page.getByRole("banner").getByRole("button", { name: /^Code/ }).click();
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(panel(page).getByRole("combobox", { name: "Chats" })).toHaveValue(/^ch_/);
  return page;
}

async function say(page: Page, words: string) {
  const box = panel(page).getByRole("textbox", { name: /^Ask / });
  await expect(button(page, "Stop")).toBeDisabled();
  await box.fill(words);
  await box.press("Enter");
}

const question = (page: Page, path: string) => panel(page).getByRole("region", { name: `May ${path} be changed?` });
const answer = (page: Page, path: string, how: string) => question(page, path).getByRole("button", { name: how, exact: true }).click();

test("files are seen as a tree and read, by keyboard too", async ({ context, server }) => {
  const page = await openCode(context, server.link);
  await expect(page.getByRole("treeitem")).toHaveText([/src$/, ".ignore", "README.md"]);
  await row(page, "src").focus();
  await page.keyboard.press("ArrowRight");
  await expect(row(page, "a.rs")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const text = page.getByRole("textbox", { name: "src/a.rs, read only" });
  await expect(text).toContainText("fn foo() {}");
  await text.click();
  await page.keyboard.type("nonsense");
  await expect(text).not.toContainText("nonsense");
  await stage(page).getByRole("button", { name: "Why?" }).click();
  await expect(page.getByRole("status", { name: /^Why is line/ })).toContainText("A person wrote it");
  // The way back leads to the page as it was.
  await panel(page).getByRole("button", { name: "Back to the page" }).click();
  await expect(page.locator("canvas.interactive")).toBeVisible();
  await expect(stage(page)).toHaveCount(0);
});

test("a rename asks first, changes files, is decided place by place, and a line tells why", async ({ context, server, project }) => {
  const page = await openCode(context, server.link);
  const file = (name: string) => readFileSync(join(project, name), "utf8");
  await say(page, "rename foo to bar");
  await expect(question(page, "src/a.rs")).toContainText("+fn bar() {}");
  expect(file("src/a.rs")).toBe(FILES["src/a.rs"]);
  await answer(page, "src/a.rs", "For this run");
  await expect(panel(page).locator("[data-tool=multi-edit][data-call=output-available]").first()).toBeVisible();
  const run = panel(page).getByTestId("code-run");
  await expect(run).toContainText("3 files");
  expect(file("src/b.rs")).toBe("use a::bar;\n");

  await run.getByRole("button", { name: /^Changes/ }).click();
  const changes = page.getByTestId("code-changes");
  const changed = (name: string) => changes.getByRole("region", { name, exact: true });
  await expect(changed("src/a.rs").getByText("Place 2 of 2")).toBeVisible();
  await changes.getByRole("button", { name: "Undo place 2 of src/a.rs" }).click();
  await expect(changed("src/a.rs").getByText("Place 1 of 1")).toBeVisible();
  expect(file("src/a.rs")).toBe(FILES["src/a.rs"]!.replace("fn foo() {}", "fn bar() {}"));
  await changes.getByRole("button", { name: "Keep src/b.rs" }).click();
  await expect(changed("src/b.rs").getByText("settled")).toBeVisible();
  await expect(run).toContainText("2 files");

  // A person changed the same word meanwhile: the undo shows all three sides and leaves it alone.
  writeFileSync(join(project, "README.md"), "# Shop\n\nA colour for baz.\n");
  await changes.getByRole("button", { name: "Undo README.md" }).click();
  const conflicts = page.locator(".conflicts");
  await expect(conflicts).toContainText("README.md, line 3: somebody changed the same lines since.");
  await expect(conflicts.locator("dd")).toHaveText(["A colour for foo.\n", "A colour for bar.\n", "A colour for baz.\n"]);
  expect(file("README.md")).toBe("# Shop\n\nA colour for baz.\n");

  await button(page, "Keep").click();
  await expect(run).toHaveCount(0);
  await row(page, "src").click();
  await row(page, "a.rs").click();
  await expect(stage(page).getByTestId("file-text").locator(".run-mark")).toHaveCount(1);
  await page.getByRole("textbox", { name: "src/a.rs, read only" }).getByText("fn bar() {}").click();
  await stage(page).getByRole("button", { name: "Why?" }).click();
  const why = page.getByRole("status", { name: "Why is line 1 here?" });
  await expect(why).toContainText("rename foo to bar");
  await expect(why).toContainText("kept");
  await why.getByRole("button", { name: "Show in chat" }).click();
  await expect(panel(page).locator("[data-lit]")).toHaveCount(1);
});

test("no means no; a yes for paths is remembered; a new file is made and undone", async ({ context, server, project }) => {
  const page = await openCode(context, server.link);
  await say(page, "add a file notes/todo.txt with buy milk");
  await answer(page, "notes/todo.txt", "No");
  await expect(panel(page).locator("[data-call=output-error]")).toBeVisible();
  expect(existsSync(join(project, "notes"))).toBe(false);
  await expect(panel(page).getByTestId("code-run")).toHaveCount(0);

  await say(page, "add a file notes/todo.txt with buy milk");
  await expect(question(page, "notes/todo.txt").getByLabel("Paths that may be changed without asking")).toHaveValue("notes/**");
  await answer(page, "notes/todo.txt", "For these paths");
  await expect(panel(page).getByTestId("code-run")).toHaveCount(1);
  await expect(row(page, "notes")).toBeVisible();
  await say(page, "add a file notes/more.txt with bread");
  await expect(panel(page).getByTestId("code-run")).toHaveCount(2);
  await expect(panel(page)).toContainText("May make notes/** without asking.");
  await panel(page).getByTestId("code-run").first().getByRole("button", { name: "Undo" }).click();
  await expect(panel(page).getByTestId("code-run")).toHaveCount(1);
  expect([existsSync(join(project, "notes/todo.txt")), existsSync(join(project, "notes/more.txt"))]).toEqual([false, true]);

  // Taken back, it is asked for again.
  await panel(page).getByRole("button", { name: "Take back: ask again before it may make notes/**" }).click();
  await expect(panel(page)).not.toContainText("without asking.");
  await say(page, "add a file notes/last.txt with butter");
  await answer(page, "notes/last.txt", "No");
  await expect(panel(page).locator("[data-call=output-error]")).toHaveCount(2);
  expect(existsSync(join(project, "notes/last.txt"))).toBe(false);
});

test("chats are made, named, switched and deleted; what is said in one stays in it", async ({ context, server }) => {
  const page = await openCode(context, server.link);
  const chats = panel(page).getByRole("combobox", { name: "Chats" });
  await say(page, "find foo");
  await expect(panel(page).getByRole("log")).toContainText('"foo" is on');
  await expect(chats.locator("option:checked")).not.toHaveText("New chat");
  const first = await chats.inputValue();
  await button(page, "New chat").click();
  await expect(chats).not.toHaveValue(first);
  await expect(panel(page).getByRole("log")).not.toContainText('"foo" is on');
  await button(page, "Rename").click();
  await panel(page).getByLabel("Name of the chat").fill("Second thoughts");
  await button(page, "Save").click();
  await expect(chats.locator("option:checked")).toHaveText("Second thoughts");
  await chats.selectOption(first);
  await expect(panel(page).getByRole("log")).toContainText('"foo" is on');
  await button(page, "Delete").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(chats.locator("option")).toHaveText(["Second thoughts"]);
});

test("a message is edited and asked again, taken back, and asked once more", async ({ context, server, project }) => {
  const page = await openCode(context, server.link);
  const log = panel(page).getByRole("log");
  const file = (name: string) => readFileSync(join(project, name), "utf8");
  await say(page, "find foo");
  await expect(log).toContainText('"foo" is on');
  await button(page, "Edit and ask again").click();
  await panel(page).getByRole("textbox", { name: "Edit and ask again" }).fill("find colour");
  await panel(page).locator(".edit-question").getByRole("button", { name: "Send" }).click();
  await expect(log).toContainText('"colour" is on');
  await expect(log.locator("[data-role=user]")).toHaveCount(1);
  await button(page, "Ask again").click();
  await expect(log.locator("[data-role=assistant]")).toHaveCount(1);
  await expect(log).toContainText('"colour" is on');

  await say(page, "replace colour with color");
  await answer(page, "README.md", "For this chat");
  await expect(panel(page).getByTestId("code-run")).toBeVisible();
  await say(page, "replace color with hue");
  await expect(panel(page).getByTestId("code-run")).toHaveCount(2);
  await button(page, "Undo latest").click();
  await expect.poll(() => file("README.md")).toContain("A color for");
  await expect(log.locator("[data-role=user]")).toHaveCount(2);
  await expect(panel(page).getByRole("textbox", { name: /^Ask / })).toHaveValue("replace color with hue");
  await log.locator("[data-role=user]").nth(1).getByRole("button", { name: "Undo to here" }).click();
  await expect.poll(() => file("README.md")).toBe(FILES["README.md"]);
  await expect(log.locator("[data-role=user]")).toHaveCount(1);
});

test.describe("slowly", () => {
  test.use({ pace: 4 });
  test("a reload in the middle goes on where it was; stop stops", async ({ context, server }) => {
    const page = await openCode(context, server.link);
    const log = panel(page).getByRole("log");
    await say(page, "show src/a.rs");
    await expect(log).toContainText("line 2");
    await page.reload();
    // The surface one was on, the chat one was in, and the words from their beginning.
    await expect(log).toContainText("fn foo()");
    await expect(button(page, "Stop")).toBeEnabled();
    await expect(log).toContainText("line 5");
    await button(page, "Stop").click();
    await expect(button(page, "Stop")).toBeDisabled();
    await expect(log.getByText("stopped")).toBeVisible();
    await expect(log).not.toContainText("line 19");
    // A question that is open at a reload is asked again.
    await say(page, "replace colour with color");
    await expect(question(page, "README.md")).toBeVisible();
    await page.reload();
    await answer(page, "README.md", "Yes, once");
    await expect(panel(page).getByTestId("code-run")).toBeVisible();
  });
});

test.describe("watched", () => {
  test.use({ pace: 6 });
  test("the sprite is where it reads, new words change its course, and names of files are links", async ({ context, server }) => {
    const page = await openCode(context, server.link);
    const log = panel(page).getByRole("log");
    await say(page, "show src/a.rs");
    await expect(log.locator("pre")).toContainText("line 2");
    // In the tree at the folder that hides the file, then at the file, and in the file itself.
    await expect(row(page, "src").getByTestId("code-sprite")).toBeVisible();
    await row(page, "src").click();
    await row(page, "a.rs").click();
    await expect(row(page, "a.rs").getByTestId("code-sprite")).toBeVisible();
    await expect(page.locator(".file-view").getByTestId("code-sprite")).toBeVisible();
    const box = panel(page).getByRole("textbox", { name: /^Ask / });
    await box.fill("find colour");
    await box.press("Enter");
    await expect(log).toContainText('"colour" is on 1 line');
    await expect(log.getByText("stopped")).toBeVisible();
    await expect(log).not.toContainText("line 19");
    await expect(page.getByTestId("code-sprite")).toHaveCount(0);
    await log.getByRole("button", { name: "README.md:3" }).click();
    await expect(page.getByRole("textbox", { name: "README.md, read only" })).toContainText("A colour for foo.");
  });
});

test("a chat is a fairy's, which one chooses", async ({ context, server }) => {
  const page = await openCode(context, server.link);
  const [first] = (await server.workspace()).fairies as [{ name: string; page: string }];
  await expect(panel(page).getByRole("textbox", { name: `Ask ${first.name}` })).toBeVisible();
  await server.api("/api/workspaces/main/fairies", { method: "POST", body: { name: "Ember", page: first.page } });
  await panel(page).getByRole("combobox", { name: "The fairy of this chat" }).selectOption("Ember");
  await expect(panel(page).getByRole("textbox", { name: "Ask Ember" })).toBeVisible();
  await say(page, "find foo");
  await expect(panel(page).getByRole("log").getByRole("heading", { name: "Ember" })).toBeVisible();
});

test("a provider's tools run side by side, and its failures say what to do and when", async ({ context, server, mock }) => {
  const call = (name: string, input: unknown) => ({ name, arguments: JSON.stringify(input) });
  const results = (request: { messages: { role: string }[] }) => request.messages.filter(({ role }) => role === "tool").length;
  const asked = (request: any) => JSON.stringify(request.messages.findLast(({ role }: { role: string }) => role === "user") ?? "");
  const about = (words: string) => (request: any) => asked(request).includes(words);
  mock.addFixture({
    match: { predicate: (request: any) => about("look around")(request) && results(request) === 0 },
    response: {
      toolCalls: [call("read-file", { path: "README.md" }), call("grep-search", { query: "foo" })],
    },
  });
  mock.addFixture({
    match: { predicate: (request: any) => about("look around")(request) && results(request) > 0 },
    response: { content: "It is a shop." },
  });
  mock.onMessage(/bad key/, { error: { message: "bad key", type: "authentication_error" }, status: 401 } as any);
  mock.onMessage(/used up/, { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 3600 } as any);

  const page = await openCode(context, server.link);
  const log = panel(page).getByRole("log");
  await panel(page).getByLabel("What answers in this chat").hover();
  await panel(page).getByLabel("What answers in this chat").selectOption("anthropic/claude-sonnet-4-5");
  await say(page, "look around");
  await expect(log).toContainText("It is a shop.");
  await expect(log.locator("[data-call=output-available]")).toHaveCount(2);
  await expect(panel(page).getByRole("combobox", { name: "Chats" }).locator("option:checked")).toHaveText("Talk About The Shop");
  await log.getByRole("button", { name: /Searched for foo/ }).click();
  await log.getByRole("button", { name: "src/b.rs:1" }).click();
  await expect(page.getByRole("textbox", { name: "src/b.rs, read only" })).toContainText("use a::foo;");

  await say(page, "bad key");
  const failure = panel(page).getByTestId("failure");
  await expect(failure).toHaveAttribute("data-kind", "auth");
  await expect(failure.getByRole("button", { name: "Ask again" })).toBeEnabled();
  await say(page, "used up");
  await expect(failure).toHaveAttribute("data-kind", "plan-limit");
  await expect(failure.getByRole("button", { name: /^Ask again in (59|1:00):\d\d/ })).toBeDisabled();
  // A new message clears it.
  await say(page, "look around once more");
  await expect(failure).toHaveCount(0);
});

test("a view-only link reads and does not ask", async ({ context, browser, server }) => {
  const { value } = await server.api("/api/tokens/attenuate", { method: "POST", body: { ops: ["read"], project: ["read"] } });
  const page = await openCode(context, server.link);
  await say(page, "find foo");
  await expect(panel(page).getByRole("log")).toContainText('"foo" is on');
  const other = await browser.newContext();
  const guest = await other.newPage();
  await guest.goto(`${server.origin}/#key=${value.token}`);
  await guest.getByRole("banner").getByRole("button", { name: /^Code/ }).click();
  await expect(panel(guest).getByRole("log")).toContainText('"foo" is on');
  await expect(panel(guest).getByRole("textbox", { name: /^Ask / })).toBeDisabled();
  await expect(button(guest, "New chat")).toHaveCount(0);
  await other.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test(`nothing that axe minds, ${colorScheme}`, async ({ context, server }) => {
      const page = await openCode(context, server.link);
      await row(page, "src").click();
      await row(page, "a.rs").click();
      await expect(page.getByTestId("file-text")).toContainText("fn foo");
      await stage(page).getByRole("button", { name: "Why?" }).click();
      expect(await findings(page)).toEqual([]);
      await say(page, "rename foo to bar");
      await expect(question(page, "src/a.rs")).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await answer(page, "src/a.rs", "For this run");
      await panel(page)
        .getByTestId("code-run")
        .getByRole("button", { name: /^Changes/ })
        .click();
      await expect(page.getByTestId("code-changes").getByText("Place 1 of 2")).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });
  });
}

test("on a phone, files above and the chat below", async ({ context, server }) => {
  const page = await openCode(context, server.link);
  await page.setViewportSize({ width: 390, height: 844 });
  await row(page, "README.md").click();
  await expect(page.getByRole("textbox", { name: "README.md, read only" })).toBeVisible();
  await expect(page.getByRole("tree")).toBeHidden();
  await say(page, "replace colour with color");
  await answer(page, "README.md", "Yes, once");
  await expect(panel(page).getByTestId("code-run")).toBeVisible();
  await stage(page).getByRole("button", { name: "Files" }).click();
  await expect(page.getByRole("tree")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
