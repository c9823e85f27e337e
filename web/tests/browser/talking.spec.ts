// Talking about what a fairy did: before and after, what an action changed, pointing at places, models, links.
import { ask, boxCalled, boxes, expect, open, shapes, test } from "./studio";

test("an empty page offers three prompts, and a click draws", async ({ context, server }) => {
  const page = await open(context, server.link);
  const hint = page.getByTestId("empty-page");
  await expect(hint.getByRole("button")).toHaveCount(3);
  await hint.getByRole("button").first().click();
  await boxCalled(page, "Ship");
  await expect(hint).toHaveCount(0);
});

test("a run shows its changes before and after, its time, and each action what it changed", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(page.getByTestId("run-bar")).toHaveCount(0);
  await ask(page, "make Pay red");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await expect(page.locator(".message-spent").last()).toContainText(/\d s/);
  await page.getByRole("log").getByRole("button", { name: /Pay/ }).last().click();
  await expect(page.locator(".action-diff")).toContainText("Pay: fill");

  await page.getByRole("button", { name: "Show changes" }).click();
  const dialog = page.getByRole("dialog", { name: "What changed" });
  await expect(dialog.getByRole("img", { name: "Before" })).toBeVisible();
  await expect(dialog.getByRole("img", { name: "After" })).toBeVisible();
  await expect(dialog.getByText("fill")).toBeVisible();
  const pay = await boxCalled(page, "Pay");
  await expect(dialog).toContainText(pay.backgroundColor);
  await dialog.getByRole("button", { name: "Pay" }).first().click();
  await expect(dialog).toHaveCount(0);
});

test("a place that one points at goes along with the words, once", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Point at" }).click();
  await page.mouse.move(300, 500);
  await page.mouse.down();
  await page.mouse.move(460, 620, { steps: 3 });
  await page.mouse.up();
  await expect(page.getByTestId("chips")).toContainText("An area");
  const sent = page.waitForRequest("**/api/ai/chat");
  await ask(page, "Make sticky notes: Here");
  const { contextItems } = (await sent).postDataJSON();
  expect(contextItems).toHaveLength(1);
  expect(contextItems[0]).toMatchObject({ type: "area", bounds: { w: 160, h: 120 } });
  await boxCalled(page, "Here");
  await expect(page.getByTestId("chips")).not.toContainText("An area");
});

test("words that never got through say so, and are sent again", async ({ context, server }) => {
  const page = await open(context, server.link);
  await context.setOffline(true);
  await ask(page, "Draw a flow: Sun -> Moon");
  const notice = page.getByRole("alert").filter({ hasText: "did not get through" });
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(boxes(await shapes(page))).toHaveLength(2);
});

test("a link that may only look cannot do more", async ({ browser, context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "People and links" });
  await dialog.getByRole("textbox", { name: "For whom" }).fill("Ann");
  await dialog.getByRole("combobox", { name: "They may" }).selectOption("read");
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await dialog.getByRole("textbox", { name: "The link" }).inputValue();

  const ann = await browser.newContext();
  const her = await ann.newPage();
  await her.goto(link);
  await expect(her.getByTestId("sync-status")).toHaveText("View only");
  await expect(her.getByRole("textbox", { name: /^Ask / })).toBeDisabled();
  await expect(her.getByTestId("run-bar")).toHaveCount(0);
  await expect(her.getByRole("button", { name: "Settings" })).toHaveCount(0);
  await expect.poll(async () => boxes(await shapes(her)).length).toBe(2);
  await her.getByTestId("fairy-sprite").click();
  await expect(her.getByTestId("sprite-input")).toHaveCount(0);
  await ann.close();
});

test("the models page tests a model and takes a key without showing it", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: /^Try it: sketch/ }).click();
  await expect(dialog.getByText("It answers.")).toBeVisible();
  await dialog.getByLabel("Key").fill("sk-not-a-key");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("key from here");
  await expect(dialog.getByLabel("Key")).toHaveValue("");
  expect(await page.content()).not.toContain("sk-not-a-key");
  await dialog.getByRole("button", { name: "Forget the key" }).click();
  await expect(dialog).not.toContainText("key from here");

  // What was typed for one provider is not saved for another.
  await dialog.getByLabel("Provider").selectOption("local");
  await dialog.getByLabel("Address").fill("http://127.0.0.1:9");
  await dialog.getByLabel("Models to list").fill("tiny");
  await dialog.getByLabel("Provider").selectOption("openai");
  await expect(dialog.getByLabel("Address")).toHaveValue("");
  await expect(dialog.getByLabel("Models to list")).toHaveValue("");
  await dialog.getByLabel("Provider").selectOption("local");
  await dialog.getByLabel("Address").fill("http://127.0.0.1:9");
  await dialog.getByLabel("Models to list").fill("tiny");
  const pick = page.getByRole("combobox", { name: /^What answers for/, includeHidden: true });
  await expect(pick.getByRole("option", { includeHidden: true })).toHaveCount(1);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("button", { name: "Try it: local/tiny" })).toBeVisible();
  // What is saved is shown, for its own provider.
  await expect(dialog.getByLabel("Address")).toHaveValue("http://127.0.0.1:9");
  await dialog.getByLabel("Provider").selectOption("openai");
  await expect(dialog.getByLabel("Address")).toHaveValue("");

  // The new model is offered to whoever reaches for it next.
  await page.keyboard.press("Escape");
  await pick.hover();
  await expect(pick.getByRole("option")).toHaveText([/^sketch/, "local/tiny"]);
});
