// People and fairies on one text page: at once, in each other's sentences, keeping and undoing.
import type { Page } from "@playwright/test";
import { ask, expect, test, until } from "./studio";
import { arrive, editor, join, lines, newTextPage, serverText, soon, tell, written } from "./textPage";

const WORDS = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");

const said = async (page: Page) => (await lines(page)).join("\n");

test("two people and two fairies write on one page, and everything is there", async ({ context, browser, server }) => {
  test.slow();
  const id = await newTextPage(server);
  const [first] = (await server.workspace()).fairies;
  const { value: second } = await server.api("/api/workspaces/main/fairies", { method: "POST", body: { name: "Moss", page: id } });
  const ann = await join(context, server.link, id);
  await written(ann, "# Plan", "We meet on **Monday** ");
  expect(await lines(ann)).toEqual(["heading: Plan", "paragraph: We meet on Monday "]);
  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  await soon(async () => expect(await lines(ben)).toEqual(await lines(ann)));
  await expect(ben.locator("strong")).toHaveText("Monday");

  await editor(ben).locator("p").click();
  await ben.keyboard.press("End");
  await Promise.all([
    ben.keyboard.type("at nine.", { delay: 20 }),
    tell(server, first.id, id, "Write: The fairy was here"),
    tell(server, second.id, id, "Heading: Moss was here"),
  ]);
  await soon(async () => {
    const all = await lines(ann);
    expect(all.slice(0, 2)).toEqual(["heading: Plan", "paragraph: We meet on Monday at nine."]);
    expect(all.slice(2).sort()).toEqual(["heading: Moss was here", "paragraph: The fairy was here"]);
    expect(await lines(ben)).toEqual(all);
  });
  await soon(async () => expect((await serverText(server, id)).split("\n\n").length).toBe(4));
  // Each in its own colour.
  const color = (words: string) =>
    ann.locator(".text-pending", { hasText: words }).evaluate((span) => getComputedStyle(span).borderBottomColor);
  expect(await color("The fairy was here")).not.toBe(await color("Moss was here"));

  // Undo in the editor takes only one's own.
  await ben.keyboard.press("Control+z");
  await soon(async () => expect(await said(ann)).not.toContain("at nine."));
  expect(await said(ann)).toContain("The fairy was here");

  // A person types inside the fairy's words; undoing the run leaves what they typed.
  await ann.locator(".text-pending", { hasText: "The fairy" }).click();
  await ann.keyboard.press("End");
  await ann.keyboard.type(", says Ann");
  await ann
    .getByRole("group", { name: /wrote here$/ })
    .getByRole("button", { name: "Undo" })
    .click();
  await soon(async () => {
    expect(await said(ben)).toContain(", says Ann");
    expect(await said(ben)).not.toContain("The fairy");
    expect(await said(ben)).toContain("Moss was here");
  });
  await ann.reload();
  await arrive(ann);
  await soon(async () => expect(await lines(ann)).toEqual(await lines(ben)));
  await other.close();
});

test("a block, or one change, is kept or undone; what was replaced is shown struck through; a block says why", async ({
  context,
  server,
}) => {
  const id = await newTextPage(server);
  const ann = await join(context, server.link, id);
  await written(ann, "The colour of the sky", "A colour of one's own", "No such word");
  await ask(ann, "replace colour with hue");
  await soon(async () =>
    expect(await said(ann)).toBe("paragraph: The hue of the sky\nparagraph: A hue of one's own\nparagraph: No such word"),
  );
  await expect(ann.getByTestId("run-bar")).toBeVisible();
  await expect(ann.locator(".text-removed")).toHaveCount(0);
  await ann.getByLabel("Show changes").check();
  await expect(ann.locator(".text-removed")).toHaveText(["colour", "colour"]);
  // Before, then after.
  await expect(editor(ann).locator("p").first()).toHaveText(/^The colour ?hue of the sky$/);

  // One change goes back.
  await ann.locator(".text-removed").first().click();
  await ann
    .getByRole("dialog", { name: /^This change/ })
    .getByRole("button", { name: "Undo" })
    .click();
  await soon(async () => expect((await lines(ann))[0]).toBe("paragraph: The colour of the sky"));
  await expect(ann.locator(".text-removed")).toHaveText(["colour"]);

  // A block says why it is as it is.
  await editor(ann).getByText("one's own").hover();
  await ann.getByRole("button", { name: "This block" }).click();
  await ann.keyboard.press("Escape");
  await ann.getByRole("button", { name: "Why?" }).click();
  await expect(ann.getByTestId("why-card")).toContainText("replace colour with hue");
  await ann.keyboard.press("Escape");

  // What is left of the run in this block is kept, and nothing waits any more.
  await editor(ann).getByText("one's own").hover();
  await ann
    .getByRole("group", { name: /wrote here$/ })
    .getByRole("button", { name: "Keep" })
    .click();
  await expect(ann.locator(".text-pending")).toHaveCount(0);
  await expect(ann.getByTestId("run-bar")).toHaveCount(0);
  await soon(async () => expect(await serverText(server, id)).toBe("The colour of the sky\n\nA hue of one's own\n\nNo such word\n"));
});

test("the three things that an empty page offers work", async ({ context, server }) => {
  test.slow();
  const wanted = [
    ["Outline", "heading: Goals"],
    ["Table", "table: DayWhatWhoMondaySow the beansAnnFridayWater the pondBen"],
    ["Steps", "listItem: Fill the kettle"],
  ] as const;
  for (const [name, line] of wanted) {
    const id = await newTextPage(server, name);
    const ann = await join(context, server.link, id);
    await ann
      .getByTestId("empty-page")
      .getByRole("button", { name: new RegExp(`^${name}:`) })
      .click();
    await soon(async () => expect(await lines(ann)).toContain(line));
    await expect(ann.getByTestId("empty-page")).toHaveCount(0);
    await ann.close();
  }
});

test.describe("at a pace that a person can follow", () => {
  test.use({ pace: 12 });

  test("Stop stops in the middle of a word, and the page is quiet", async ({ context, server }) => {
    const id = await newTextPage(server);
    const ann = await join(context, server.link, id);
    await written(ann, "Mine.");
    await ask(ann, `Write: ${WORDS}`);
    await soon(async () => expect(await said(ann)).toContain("word5"));
    await expect(ann.locator(".text-doing")).toContainText(/is writing/);
    await expect(ann.locator(".text-caret")).toBeVisible();
    await expect(ann.locator("p.text-busy")).toContainText("word0");
    await expect(ann.locator("p.text-busy .text-theirs").first()).toContainText("word0");
    await expect(editor(ann).getByText("Mine.").locator(".text-theirs")).toHaveCount(0);
    await ann.getByRole("button", { name: "Stop" }).first().click();
    await soon(async () => expect(await said(ann)).not.toContain("word5"));
    const then = await lines(ann);
    await ann.waitForTimeout(600);
    expect(await lines(ann)).toEqual(then);
    expect(then[0]).toBe("paragraph: Mine.");
  });

  test("who comes back in the middle of a sentence sees it to its end", async ({ context, server }) => {
    const id = await newTextPage(server);
    const ann = await join(context, server.link, id);
    await written(ann, "Mine.");
    await ask(ann, `Write: ${WORDS.split(" ").slice(0, 40).join(" ")}`);
    await soon(async () => expect(await said(ann)).toContain("word3"));
    await ann.reload();
    await arrive(ann);
    await soon(async () => expect(await said(ann)).toContain("word39"));
    await expect(ann.getByTestId("run-bar")).toBeVisible();
    await expect(ann.locator(".text-pending")).toContainText("word0");
  });

  test("the fairy yields the sentence that a person writes in", async ({ context, server }) => {
    const id = await newTextPage(server);
    const ann = await join(context, server.link, id);
    await written(ann, "Mine.");
    await ask(ann, `Write: ${WORDS}`);
    await soon(async () => expect(await said(ann)).toContain("word4"));
    await editor(ann)
      .locator("p")
      .nth(1)
      .click({ position: { x: 12, y: 8 } });
    await ann.keyboard.press("Home");
    await ann.keyboard.type("Let me: ");
    await soon(async () => expect(await ann.getByRole("button", { name: "Stop" }).isDisabled()).toBe(true));
    const sentence = (await lines(ann))[1] ?? "";
    expect(sentence).toMatch(/^paragraph: Let me: word0 /);
    expect(sentence).not.toContain("word59");
    await soon(async () => expect(await serverText(server, id)).toContain("Let me: word0"));
  });
});

test("a caret that was moved as another's words came stays where it was moved", async ({ context, server }) => {
  const ann = await join(context, server.link, await newTextPage(server));
  await written(ann, "Mine.", "red roses");
  await soon(async () => expect(await said(ann)).toContain("red roses"));
  // The browser has moved the caret, and tells of it only after the other's words are in the document.
  await ann.evaluate(() => {
    const { view, session } = (globalThis as any).__gladeText;
    const words = (document.querySelectorAll(".text-page p")[1] as HTMLElement).firstChild!;
    document.getSelection()!.collapse(words, 0);
    const before = session.doc.version();
    const other = session.doc.fork();
    const block = other.getMap("doc").get(view.state.doc.child(0).attrs.id);
    block.get("originalText").insert(5, " And theirs.");
    other.commit();
    session.doc.import(other.export({ mode: "update", from: before }));
  });
  await soon(async () => expect(await said(ann)).toContain("And theirs."));
  await ann.keyboard.type("The ");
  await soon(async () => expect((await lines(ann))[1]).toBe("paragraph: The red roses"));
});

test("random writing of two people and a fairy converges, and equals the server", async ({ context, browser, server }) => {
  test.slow();
  const id = await newTextPage(server);
  const [fairy] = (await server.workspace()).fairies;
  const ann = await join(context, server.link, id);
  await written(ann, "one", "two", "three");
  const other = await browser.newContext();
  const ben = await join(other, server.link, id);
  /** Random keys, from a seed: the same every time. */
  const scribble = (page: Page, seed: number) =>
    page.evaluate(async (seed) => {
      const { view } = (globalThis as any).__gladeText;
      let state = seed;
      const pick = (n: number) => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor((state / 2147483648) * n);
      };
      const press = (key: string, init: object = {}) =>
        view.someProp("handleKeyDown", (handle: any) => handle(view, new KeyboardEvent("keydown", { key, ...init })));
      for (let step = 0; step < 60; step++) {
        const { doc, tr, selection } = view.state;
        const at = selection.constructor.near(doc.resolve(pick(doc.content.size + 1)));
        view.dispatch(tr.setSelection(at));
        const deed = pick(8);
        if (deed < 4) view.dispatch(view.state.tr.insertText(`${String.fromCharCode(97 + pick(26))}${step} `));
        else if (deed === 4) press("Enter");
        else if (deed === 5) press("Backspace");
        else if (deed === 6) press("ArrowUp", { altKey: true });
        else press("1", { ctrlKey: true, altKey: true });
        await new Promise((go) => setTimeout(go, pick(12)));
      }
    }, seed);
  await Promise.all([
    scribble(ann, 7),
    scribble(ben, 8),
    tell(server, fairy.id, id, "Outline: Apples, Pears, Plums"),
    tell(server, fairy.id, id, "replace o with 0"),
  ]);
  await expect(ann.getByTestId("sync-status")).toHaveText(/saved/i);
  await expect(ben.getByTestId("sync-status")).toHaveText(/saved/i);
  await until(
    async () => (await server.workspace()).runs.every(({ status }: { status: string }) => status !== "running"),
    "the fairy is done",
  );
  const whole = (page: Page) => page.evaluate(() => (globalThis as any).__gladeText.view.state.doc.toJSON());
  /** Blocks in their order, as kind and words. */
  const shown = (page: Page): Promise<string[][]> =>
    page.evaluate(() =>
      (globalThis as any).__gladeText.view.state.doc.content.content.map((node: any) => [
        node.attrs.id,
        node.type.name,
        node.textBetween(0, node.content.size, "\n", "\n"),
      ]),
    );
  await soon(async () => {
    expect(await whole(ann)).toEqual(await whole(ben));
    const held = Object.entries<any>(await server.elements(id)).filter(
      ([, block]) => block.isDeleted !== true && block.nodeName && block.parent == null,
    );
    const order = ([a, one]: [string, any], [b, other]: [string, any]) =>
      one.index === other.index ? (a < b ? -1 : 1) : one.index < other.index ? -1 : 1;
    expect(held.sort(order).map(([block, { nodeName, originalText }]) => [block, nodeName, originalText ?? ""])).toEqual(await shown(ann));
  });
  await other.close();
});
