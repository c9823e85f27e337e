// Writing on a text page: blocks, menus, tables, code, formulas, pictures, mentions, comments; offline and back.
import { expect, open, test } from "./studio";
import { arrive, editor, findings, grip, join, lines, newTextPage, serverText, soon, written } from "./textPage";

test("the slash menu, lists, tables and find and replace", async ({ context, server }) => {
  const ann = await open(context, server.link);
  await ann.getByRole("button", { name: /^Page: / }).click();
  await ann.getByRole("button", { name: "New page" }).click();
  await ann.getByLabel("Name of the new page").fill("Notes");
  await ann.getByLabel("What the page is for").selectOption("text");
  await ann.getByRole("button", { name: "Make", exact: true }).click();
  await arrive(ann);
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
  for (const word of ["Name", "Age", "Town", "Ann", "31", "Oslo", "Ben", "29", "Rome"]) {
    if (word !== "Name") await ann.keyboard.press("Tab");
    await ann.keyboard.type(word);
  }
  // Tab after the last cell begins another row.
  await ann.keyboard.press("Tab");
  await ann.keyboard.type("Cleo");
  await expect(ann.locator("td")).toHaveText(["Name", "Age", "Town", "Ann", "31", "Oslo", "Ben", "29", "Rome", "Cleo", "", ""]);
  await ann.getByRole("toolbar", { name: "Rows and columns" }).getByRole("button", { name: "Column −" }).click();
  await expect(ann.locator("td")).toHaveText(["Age", "Town", "31", "Oslo", "29", "Rome", "", ""]);
});

test("code is coloured, a formula is set, a link asks where it leads, and names are mentioned", async ({ context, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "```rust fn main() { let one = 1; }");
  await expect(ann.locator(".text-code .hljs-keyword").first()).toHaveText("fn");
  await ann.getByLabel("Language of the code").selectOption("python");
  await expect(ann.locator(".text-code .hljs-number")).toHaveText("1");
  await ann.keyboard.press("Control+Enter");
  await ann.keyboard.type("$$ \\frac{a}{b}");
  await expect(ann.locator(".text-formula .katex")).toBeVisible();
  await ann.keyboard.press("Control+Enter");
  await ann.keyboard.type("See the plan");
  await ann.keyboard.press("Control+Shift+ArrowLeft");
  await ann.getByRole("toolbar", { name: "Selected words" }).getByRole("button", { name: "Link" }).click();
  const where = ann.getByRole("textbox", { name: "Where does the link lead?" });
  await where.fill("javascript:alert(1)");
  await where.press("Enter");
  await expect(ann.getByRole("alert")).toBeVisible();
  await where.fill("https://example.org/plan");
  await where.press("Enter");
  await expect(editor(ann).locator("a")).toHaveAttribute("href", "https://example.org/plan");
  await ann.keyboard.press("End");
  await ann.keyboard.press("Enter");
  const fairy = (await server.workspace()).fairies[0].name;
  await ann.keyboard.type(`Ask @${fairy.slice(0, 3)}`);
  await ann.getByRole("option", { name: fairy }).click();
  await expect(ann.locator(".text-mention")).toHaveText(`@${fairy}`);
  await ann.keyboard.type("now");
  await soon(async () =>
    expect(await serverText(server, id)).toBe(
      `\`\`\`python\nfn main() { let one = 1; }\n\`\`\`\n\n$$\n\\frac{a}{b}\n$$\n\nSee the [plan](https://example.org/plan)\n\nAsk @${fairy} now\n`,
    ),
  );
});

test("a block is moved by its grip, and pictures and cards are put on the page", async ({ context, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "first", "second", "third");
  await (await grip(ann, "third")).dragTo(editor(ann).getByText("first"), { targetPosition: { x: 2, y: 8 } });
  await soon(async () => expect(await lines(ann)).toEqual(["paragraph: third", "paragraph: first", "paragraph: second"]));
  await (await grip(ann, "second")).click();
  await ann.getByRole("menuitem", { name: "Move up" }).click();
  await soon(async () => expect(await lines(ann)).toEqual(["paragraph: third", "paragraph: second", "paragraph: first"]));
  await ann.keyboard.press("Control+End");
  await ann.keyboard.press("Enter");
  const chooser = ann.waitForEvent("filechooser");
  await ann.keyboard.type("/pic");
  await ann.keyboard.press("Enter");
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await (await chooser).setFiles({ name: "a red dot.png", mimeType: "image/png", buffer: pixel });
  const picture = editor(ann).getByRole("img", { name: "a red dot.png" });
  await expect(picture).toHaveAttribute("src", /^\/api\/blobs\/[0-9a-f]{64}$/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await ann.keyboard.press("Control+End");
  await ann.keyboard.type("/card");
  await ann.keyboard.press("Enter");
  await ann.getByRole("textbox", { name: "Which address does the card lead to?" }).fill("https://example.org/report");
  await ann.keyboard.press("Enter");
  await expect(editor(ann).locator(".text-embed")).toContainText("example.org");
});

test("formulas stand among words, and what the workspace does not have is not offered", async ({ context, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "so $a^2$ it is, for $5");
  const formula = ann.locator(".text-tex-shown .katex");
  await expect(formula).toBeVisible();
  await soon(async () => expect(await serverText(server, id)).toBe("so $a^2$ it is, for \\$5\n"));
  // Pressed, it shows what it is made of.
  await ann.locator(".text-tex-shown").dispatchEvent("mousedown");
  await expect(formula).toHaveCount(0);
  await expect(ann.locator(".text-tex")).toHaveText("a^2");

  await server.api("/api/workspaces/main/plugins", { method: "PATCH", body: { enabled: { tables: false, math: false } } });
  await ann.reload();
  await arrive(ann);
  await expect(formula).toBeVisible();
  await editor(ann).click();
  await ann.keyboard.press("Control+End");
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("/ta");
  await expect(ann.getByRole("option", { name: "Task list" })).toBeVisible();
  await expect(ann.getByRole("option", { name: "Table" })).toHaveCount(0);
});

test("undo brings back what one deleted and takes back what one made, through the room", async ({ context, server }) => {
  const id = await newTextPage(server);
  await server.import(id, "one\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\ntwo\n");
  const ann = await join(context, server.link, id);
  const all = await lines(ann);
  await editor(ann).click();
  await ann.keyboard.press("Control+a");
  await ann.keyboard.press("Delete");
  await soon(async () => expect(await serverText(server, id)).toBe(""));
  await ann.keyboard.press("Control+z");
  await soon(async () => expect(await lines(ann)).toEqual(all));
  await soon(async () => expect(await serverText(server, id)).toBe("one\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\ntwo\n"));
  await ann.keyboard.press("Control+End");
  await ann.waitForTimeout(700);
  await ann.keyboard.press("Enter");
  await ann.keyboard.type("- three");
  await soon(async () => expect(await serverText(server, id)).toContain("two\n\n- three\n"));
  for (let step = 0; step < 4; step++) await ann.keyboard.press("Control+z");
  await soon(async () => expect(await serverText(server, id)).not.toContain("three"));
  await expect(ann.getByTestId("sync-status")).toHaveText(/saved/i);
  expect((await lines(ann)).slice(0, 3)).toEqual(all);
});

test("what is pasted lies flat, and pictures lie where they were dropped", async ({ context, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "first", "last");
  const give = (kind: "paste" | "drop", html: string, pictures: string[], over = ".text-page") =>
    ann.evaluate(
      ({ kind, html, pictures, over }) => {
        const pixel = Uint8Array.from(
          atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
          (char) => char.charCodeAt(0),
        );
        const data = new DataTransfer();
        if (html) data.setData("text/html", html);
        for (const name of pictures) data.items.add(new File([pixel], name, { type: "image/png" }));
        const target = document.querySelector(over)!;
        const { left, top } = target.getBoundingClientRect();
        const how = { bubbles: true, cancelable: true };
        target.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { ...how, clipboardData: data })
            : new DragEvent("drop", { ...how, dataTransfer: data, clientX: left + 4, clientY: top + 4 }),
        );
      },
      { kind, html, pictures, over },
    );
  await give("drop", "", ["one.png", "two.png"], ".text-page p");
  await soon(async () =>
    expect((await serverText(server, id)).replace(/[0-9a-f]{64}/g, "ID")).toBe(
      "first\n\n![one.png](/api/blobs/ID)\n\n![two.png](/api/blobs/ID)\n\nlast\n",
    ),
  );

  const pasted = async (html: string, pictures: string[] = []) => {
    await editor(ann).click();
    await ann.keyboard.press("Control+a");
    await ann.keyboard.press("Delete");
    await give("paste", html, pictures);
  };
  const cases: [string, string][] = [
    ["<ul><li>a<ul><li>b<ol start=4><li>c</li></ol></li></ul></li><li><p>d</p><p>e</p></li></ul>", "- a\n  - b\n    4. c\n- d\n\n  e\n"],
    ["<ul><li><input type=checkbox checked> did</li><li><input type=checkbox> open</li></ul>", "- [x] did\n- [ ] open\n"],
    [
      "<blockquote><p>one</p><p>two</p></blockquote><pre><code class='language-js'>let a;</code></pre>",
      "> one\n>\n> two\n\n```js\nlet a;\n```\n",
    ],
    [
      "<table><tr><th>A</th><th>B</th></tr><tr><td><p>1</p><p>2</p></td><td><ul><li>x</li></ul></td></tr></table>",
      "| A | B |\n| --- | --- |\n| 1<br>2 | x |\n",
    ],
    ["<p>a <span style='font-weight:700'>b</span> <span style='font-style:italic'>c</span></p>", "a **b** *c*\n"],
  ];
  for (const [html, markdown] of cases) {
    await pasted(html);
    await soon(async () => expect(await serverText(server, id)).toBe(markdown));
  }
  // A spreadsheet offers a picture of its cells, too.
  await pasted("<table><tr><td>1</td><td>2</td></tr></table>", ["cells.png"]);
  await soon(async () => expect(await serverText(server, id)).toBe("| 1 | 2 |\n| --- | --- |\n"));
});

test("Markdown that is pasted as text becomes blocks, unless it is to be taken for what it is", async ({ context, server }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  const pasted = async (text: string, keys: string) => {
    await editor(ann).click();
    await ann.keyboard.press("Control+a");
    await ann.keyboard.press("Delete");
    await ann.evaluate((words) => navigator.clipboard.writeText(words), text);
    await ann.keyboard.press(keys);
  };
  const text = "# Plan\n\n- one\n  - two\n\n| a | b |\n| --- | --: |\n| 1 | 2 |\n";
  await pasted(text, "Control+v");
  await soon(async () => expect(await serverText(server, id)).toBe(text));
  await pasted("# Plan\n- one", "Control+Shift+v");
  await soon(async () => expect(await serverText(server, id)).toBe("\\# Plan\n\n\\- one\n"));
  await pasted("2 * 3 * 4\nis prose", "Control+v");
  await soon(async () => expect(await serverText(server, id)).toBe("2 \\* 3 \\* 4\n\nis prose\n"));
});

test("one goes from find to find, and through a table by arrows", async ({ context, server }) => {
  const id = await newTextPage(server);
  await server.import(id, "4. four\n\n   more\n5. five\n\n| one | two |\n| --- | --- |\n| 1 | two |\n");
  const ann = await join(context, server.link, id);
  expect(await ann.locator(".text-item").evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.number))).toEqual([
    "4",
    "5",
  ]);
  await ann.locator("td").nth(1).click();
  await ann.keyboard.press("ArrowDown");
  await ann.keyboard.press("End");
  await ann.keyboard.type("!");
  await ann.keyboard.press("ArrowUp");
  await ann.keyboard.type("?");
  await expect(ann.locator("td")).toHaveText(["one", "two?", "1", "two!"]);
  await ann.keyboard.press("Control+f");
  const words = ann.getByRole("textbox", { name: "Find" });
  await words.fill("TWO");
  const here = ann.locator(".text-hit-here");
  const cell = () => here.evaluate((hit) => hit.closest("td")?.textContent);
  await words.press("Enter");
  expect(await cell()).toBe("two!");
  await expect(ann.getByRole("toolbar", { name: "Selected words" })).toHaveCount(0);
  await words.press("Enter");
  expect(await cell()).toBe("two?");
  await words.press("Shift+Enter");
  expect(await cell()).toBe("two!");
  await ann.getByRole("textbox", { name: "Replace with" }).fill("2");
  await ann.getByRole("button", { name: "Replace", exact: true }).click();
  await expect(ann.locator("td")).toHaveText(["one", "two?", "1", "2!"]);
  expect(await cell()).toBe("two?");
});

test("who may only suggest writes, and somebody else decides", async ({ context, browser, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "We meet on Monday");
  const { value } = await server.api("/api/tokens/attenuate", {
    method: "POST",
    body: { ops: ["read", "comment", "suggest"], subject: "person:sue" },
  });
  const other = await browser.newContext();
  const sue = await join(other, `${server.origin}/#key=${value.token}`, id);
  await soon(async () => expect(await lines(sue)).toEqual(["paragraph: We meet on Monday"]));
  await editor(sue).click();
  await sue.keyboard.press("End");
  await sue.keyboard.type(" at noon");
  const waiting = async () => (await ann.locator(".text-pending").allTextContents()).join("");
  await soon(async () => expect(await waiting()).toBe(" at noon"));
  await expect(sue.locator(".text-margin")).toHaveCount(0);
  await editor(ann).getByText("We meet").hover();
  await ann.locator(".text-margin").getByRole("button", { name: "Keep" }).click();
  for (const page of [ann, sue]) {
    await expect(page.locator(".text-pending")).toHaveCount(0);
    expect(await lines(page)).toEqual(["paragraph: We meet on Monday at noon"]);
  }
  await other.close();
});

test("people talk about words, and pressing them opens what was said", async ({ context, browser, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "We meet on Monday");
  await ann.keyboard.press("Control+Shift+ArrowLeft");
  await ann.getByRole("toolbar", { name: "Selected words" }).getByRole("button", { name: "Comment" }).click();
  await ann.getByRole("dialog", { name: "New comment" }).getByRole("textbox").fill("Or Tuesday?");
  await ann.keyboard.press("Enter");
  await expect(ann.locator(".text-about")).toHaveText("Monday");
  await expect(ann.getByRole("button", { name: /^Comment by .*Or Tuesday/ })).toBeVisible();
  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  await ben.locator(".text-about").click();
  const talk = ben.getByRole("dialog", { name: "Conversation" });
  await expect(talk).toContainText("Or Tuesday?");
  await talk.getByRole("textbox").fill("Tuesday it is");
  await ben.keyboard.press("Enter");
  await expect(ann.getByRole("dialog", { name: "Conversation" })).toContainText("Tuesday it is");
  await talk.getByRole("button", { name: "Mark as settled" }).click();
  await ben.keyboard.press("Escape");
  await expect(ben.locator(".text-about")).toHaveCount(0);
  await expect(ben.getByTestId("comment-pin")).toHaveCount(0);
  await other.close();
});

test("a comment is about the words that it was begun on, and takes none from another", async ({ context, browser, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "We meet on Monday");
  const comment = ann.getByRole("toolbar", { name: "Selected words" }).getByRole("button", { name: "Comment" });
  const box = ann.getByRole("dialog", { name: "New comment" }).getByRole("textbox");
  await ann.keyboard.press("Control+Shift+ArrowLeft");
  await comment.click();
  await box.fill("Or Tuesday?");
  // Others write before these words meanwhile.
  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  await editor(ben).click();
  await ben.keyboard.press("Home");
  await ben.keyboard.type("Yes! ");
  await soon(async () => expect(await lines(ann)).toEqual(["paragraph: Yes! We meet on Monday"]));
  await ann.keyboard.press("Enter");
  await expect(ann.locator(".text-about")).toHaveText("Monday");
  await ann.keyboard.press("Escape");
  await editor(ann).click();
  await ann.keyboard.press("Home");
  await ann.keyboard.press("Shift+End");
  await comment.click();
  await box.fill("All of it?");
  await ann.keyboard.press("Enter");
  // Another's caret among the words may cut what is shown of them in two.
  const about = () => ann.locator(".text-about").allTextContents();
  await soon(async () => expect([(await about()).slice(0, -1).join(""), (await about()).at(-1)]).toEqual(["Yes! We meet on ", "Monday"]));
  await expect(ann.getByTestId("comment-pin")).toHaveCount(2);
  await other.close();
});

test("what is written offline is there when the line is back", async ({ context, browser, server }) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "before");
  await expect(ann.getByTestId("sync-status")).toHaveText(/saved/i);
  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  await context.setOffline(true);
  await server.kill();
  await ann.keyboard.type(" and offline");
  await server.launch();
  await context.setOffline(false);
  await soon(async () => expect(await lines(ben)).toEqual(["paragraph: before and offline"]));
  await soon(async () => expect(await serverText(server, id)).toBe("before and offline\n"));
  await other.close();
});

test("words are found on all pages, and lead to where they stand", async ({ context, server }) => {
  const id = await newTextPage(server, "Garden");
  const ann = await join(context, server.link, id);
  await written(ann, "The pond needs a heron");
  await expect(ann.getByTestId("sync-status")).toHaveText(/saved/i);
  await ann.goto(server.link.replace(/#.*/, ""));
  await ann.locator("canvas.interactive").waitFor();
  await ann.getByRole("banner").getByRole("button", { name: "Search" }).click();
  await ann.getByRole("searchbox", { name: "Search all pages" }).fill("HERON");
  const panel = ann.getByTestId("search-panel");
  await panel.getByRole("button", { name: /Garden/ }).click();
  await arrive(ann);
  expect(await lines(ann)).toEqual(["paragraph: The pond needs a heron"]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test(`a page of everything passes axe, ${colorScheme}, on a phone too`, async ({ context, server }) => {
      const id = await newTextPage(server);
      const ann = await join(context, server.link, id);
      expect(await findings(ann)).toEqual([]);
      // Nothing is selected on a page that one has just opened.
      await expect(ann.getByRole("button", { name: "Why?" })).toHaveCount(0);
      await written(ann, "# Plan", "Some `code` and **bold** words", "- [ ] ", "!! mind the gap");
      await ann.keyboard.press("Enter");
      await ann.keyboard.type("```rust let one = 1; // why");
      await ann.keyboard.press("Control+Enter");
      await ann.keyboard.type("$$ x^2");
      await ann.keyboard.press("Control+Enter");
      await ann.keyboard.type("/table");
      await ann.keyboard.press("Enter");
      await ann.keyboard.type("Name");
      await expect(ann.locator(".katex")).toBeVisible();
      await expect(ann.locator(".hljs-comment")).toBeVisible();
      expect(await findings(ann)).toEqual([]);
      await ann.keyboard.press("Control+a");
      await expect(ann.getByRole("toolbar", { name: "Selected words" })).toBeVisible();
      expect(await findings(ann)).toEqual([]);
      await ann.setViewportSize({ width: 390, height: 780 });
      const wide = await ann.evaluate(
        () => document.documentElement.scrollWidth > innerWidth || document.querySelector(".text-scroller")!.scrollWidth > innerWidth,
      );
      expect(wide).toBe(false);
      const toolbar = (await ann.getByRole("toolbar", { name: "Selected words" }).boundingBox())!;
      expect(toolbar.x >= 0 && toolbar.x + toolbar.width <= 390).toBe(true);
    });
  });
}

test("a text page loads no canvas, and a canvas no text editor", async ({ context, server }) => {
  const loaded: string[] = [];
  context.on("response", (response) => loaded.push(new URL(response.url()).pathname));
  await open(context, server.link);
  const has = (name: RegExp) => loaded.some((path) => name.test(path));
  expect(has(/\/canvas-/)).toBe(true);
  expect(has(/TextPage/)).toBe(false);
  loaded.length = 0;
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "words");
  expect(has(/TextPage/)).toBe(true);
  // Nor what colours code or sets formulas, before there are any.
  expect(has(/\/canvas-|excalidraw|katex|languages/i)).toBe(false);
});

for (const [kind, markdown] of [
  ["formula", "Words\n\n$$\na^2\n$$\n"],
  ["code", "```\nlet a\n```\n"],
  ["divider", "Words\n\n---\n"],
  ["table", "| a | b |\n|---|---|\n| c | d |\n"],
] as const) {
  test(`a page that ends in a ${kind} can be continued with the arrow and with a click below`, async ({ context, server }) => {
    const id = await newTextPage(server);
    await server.import(id, markdown);
    const ann = await join(context, server.link, id);
    const last = editor(ann).locator("> *").last();
    await last.click();
    if (kind === "code") await ann.keyboard.press("Control+End");
    await ann.keyboard.press("ArrowDown");
    await ann.keyboard.type("below");
    await expect.poll(async () => (await lines(ann)).at(-1)).toBe("paragraph: below");

    // What the server has not heard of yet would outlive what is put in its place.
    await expect(ann.getByTestId("sync-status")).toHaveText(/saved/i);
    await server.import(id, markdown);
    await expect.poll(async () => (await lines(ann)).join()).not.toContain("below");
    await ann.mouse.click(500, 700);
    await ann.keyboard.type("clicked");
    await expect.poll(async () => (await lines(ann)).at(-1)).toBe("paragraph: clicked");
  });
}

test("a Markdown file dropped on a text page is put there; another is named, and neither replaces the studio", async ({
  context,
  server,
}) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "First");
  const drop = (name: string, words: string) =>
    ann.evaluate(
      ([name, words]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([words], name));
        const at = document.querySelector(".text-page")!;
        const { left, top } = at.getBoundingClientRect();
        const init = { bubbles: true, cancelable: true, dataTransfer, clientX: left + 20, clientY: top + 10 };
        at.dispatchEvent(new DragEvent("dragover", init));
        return !at.dispatchEvent(new DragEvent("drop", init));
      },
      [name, words] as const,
    );
  expect(await drop("notes.md", "# Head\n\n- one\n- two")).toBe(true);
  await expect.poll(() => lines(ann)).toEqual(["paragraph: First", "heading: Head", "listItem: one", "listItem: two"]);
  expect(await drop("plan.pdf", "%PDF")).toBe(true);
  await expect(ann.getByRole("alert")).toContainText("“plan.pdf” cannot be put on a text page");
});
