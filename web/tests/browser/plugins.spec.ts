// The owner switches plugins of text pages on and off; whoever writes there is offered what is left, at once.
import { expect, test } from "./studio";
import { editor, join, lines, newTextPage, written } from "./textPage";

test("the owner switches tables off and on, and a page that is open elsewhere follows at once", async ({ browser, context, server }) => {
  const id = await newTextPage(server);
  const owner = await join(context, server.link, id);
  const elsewhere = await browser.newContext();
  const ann = await join(elsewhere, server.link, id);
  const offered = ann.getByRole("option", { name: "Table" });
  await editor(ann).click();
  await ann.keyboard.type("/tab");
  await expect(offered).toBeVisible();

  await owner.getByRole("banner").getByRole("button", { name: "Settings" }).click();
  const dialog = owner.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("tab", { name: "Models" }).press("ArrowRight");
  await expect(dialog.getByRole("tab", { name: "Text pages" })).toBeFocused();
  const tables = dialog.getByRole("switch", { name: /^Tables/ });
  await expect(tables).toBeChecked();
  await expect(dialog.getByRole("switch", { name: /^Words/ })).toBeDisabled();
  await tables.click();
  await expect(tables).not.toBeChecked();
  await expect(offered).toHaveCount(0);

  await tables.click();
  await expect(tables).toBeChecked();
  await expect(offered).toBeVisible();
  await elsewhere.close();
});

test("the owner names the hosts that cards come from, and is told of a name that is none", async ({ context, server }) => {
  const owner = await join(context, server.link, await newTextPage(server));
  await owner.getByRole("banner").getByRole("button", { name: "Settings" }).click();
  const dialog = owner.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("tab", { name: "Text pages" }).click();
  const hosts = dialog.getByRole("textbox", { name: /^Hosts/ });
  await expect(hosts).toHaveCount(0);
  await dialog.getByRole("switch", { name: "Cards from outside" }).click();
  await hosts.fill("localhost");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("localhost");
  await hosts.fill("Example.org, example.com");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(hosts).toHaveValue("example.com, example.org");
  expect((await server.api("/api/workspaces/main/plugins")).value.embedHosts).toEqual(["example.com", "example.org"]);
});

test("Tab indents in the text, and after Escape leads out of it, either way", async ({ context, server }) => {
  const ann = await join(context, server.link, await newTextPage(server));
  await written(ann, "- one", "two");
  const indents = () =>
    ann.evaluate(() => (globalThis as any).__gladeText.view.state.doc.content.content.map((node: any) => node.attrs.indent));
  await ann.keyboard.press("Tab");
  await expect(editor(ann)).toBeFocused();
  expect(await indents()).toEqual([0, 1]);

  await ann.keyboard.press("Escape");
  await ann.keyboard.press("Tab");
  await expect(editor(ann)).not.toBeFocused();
  expect(await indents()).toEqual([0, 1]);

  // Any other key in between, and Tab is the text's again.
  await editor(ann).focus();
  await ann.keyboard.press("Escape");
  await ann.keyboard.press("End");
  await ann.keyboard.press("Shift+Tab");
  await expect(editor(ann)).toBeFocused();
  expect(await indents()).toEqual([0, 0]);

  await ann.keyboard.press("Escape");
  await ann.keyboard.press("Shift+Tab");
  await expect(editor(ann)).not.toBeFocused();
  expect(await lines(ann)).toEqual(["listItem: one", "listItem: two"]);
});
