// Links that let others in: each no wider than it says, and taken back when it should.
import type { Browser, Page } from "@playwright/test";
import { change, drawRectangle, expect, open, shapes, test, until } from "./studio";

/** Makes a link in the share window. */
async function share(
  page: Page,
  who: string,
  may: "read" | "comment" | "edit" | "command",
  where: "all" | "here" = "all",
): Promise<string> {
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "People and links" });
  await dialog.getByRole("textbox", { name: "For whom" }).fill(who);
  await dialog.getByRole("combobox", { name: "They may" }).selectOption(may);
  await dialog.getByRole("combobox", { name: "Where" }).selectOption(where);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await dialog.getByRole("textbox", { name: "The link" }).inputValue();
  await page.keyboard.press("Escape");
  return link;
}

async function visit(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.locator("canvas.interactive").waitFor();
  await page.waitForFunction(() => Boolean((globalThis as any).__glade?.handle));
  return page;
}

test("a link for one page: its person draws there, sees no other, and commands no fairy", async ({ browser, context, server }) => {
  const page = await open(context, server.link);
  const { value: secret } = await server.api("/api/workspaces/main/pages", {
    method: "POST",
    body: { name: "Secret plans", kind: "canvas" },
  });
  const link = await share(page, "Ann", "edit", "here");
  const ann = await visit(browser, link);
  await expect(ann.getByTestId("sync-status")).toHaveText(/^saved/i);
  const drawn = await drawRectangle(ann, [300, 600], [420, 680]);
  await until(async () => (await shapes(page)).some(({ id }) => id === drawn.id), "the owner sees what Ann drew");
  await expect(page.getByRole("list", { name: /Here now: .*Ann/ })).toBeVisible();

  await ann.getByRole("button", { name: /^Page: / }).click();
  await expect(ann.getByRole("navigation", { name: "Pages" })).not.toContainText("Secret plans");
  await ann.keyboard.press("Escape");
  await ann.goto(`${server.origin}/#page=${secret.id}`);
  await expect(ann.getByText("Secret plans")).toHaveCount(0);
  await expect(ann.getByRole("textbox", { name: /^Ask / })).toBeDisabled();
  // Nor by the doors behind the buttons.
  const tried = await ann.evaluate(
    async ([page, fairy]) => {
      const post = async (path: string, body: unknown) =>
        (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).status;
      return [
        (await fetch(`/api/pages/${page}/export?format=json`)).status,
        await post(`/api/fairies/${fairy}/interrupt`, { input: { message: "draw" } }),
        await post("/api/tokens/attenuate", { ops: ["read", "command"], subject: "person:owner" }),
      ];
    },
    [secret.id, (await server.workspace()).fairies[0].id] as const,
  );
  expect(
    tried.every((status) => status >= 400 && status < 500),
    String(tried),
  ).toBe(true);
  await ann.context().close();
});

test("a link to comment: its person says something, and draws nothing", async ({ browser, context, server }) => {
  const page = await open(context, server.link);
  const box = await drawRectangle(page, [300, 560], [420, 640]);
  const ben = await visit(browser, await share(page, "Ben", "comment"));
  await until(async () => (await shapes(ben)).some(({ id }) => id === box.id), "Ben sees it");
  await ben.getByRole("button", { name: "Comments" }).click();
  await ben.getByRole("button", { name: "New comment" }).click();
  await ben.mouse.click(360, 600);
  await ben.getByRole("textbox", { name: "Say something" }).fill("A door?");
  await ben.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Comment by Ben: A door/i })).toBeVisible();
  await change(ben, box.id, { x: 999 });
  await ben.waitForTimeout(500);
  expect((await shapes(page)).find(({ id }) => id === box.id)?.x).toBe(box.x);
  await ben.context().close();
});

test("a link that is revoked ends what its person does, and tells them", async ({ browser, context, server }) => {
  const page = await open(context, server.link);
  const cy = await visit(browser, await share(page, "Cy", "edit"));
  await expect(cy.getByTestId("sync-status")).toHaveText(/^saved/i);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "People and links" });
  const given = dialog.getByTestId("share-given");
  const row = given.getByRole("listitem").filter({ hasText: "Cy" });
  // A double click asks; the row stays where it is, so that the next link never comes under the pointer.
  await row.getByRole("button", { name: "Revoke" }).dblclick();
  await expect(row.getByRole("button", { name: "Really revoke?" })).toBeVisible();
  await page.waitForTimeout(500);
  await row.getByRole("button", { name: "Really revoke?" }).click();
  await expect(row).toContainText("taken back");
  await expect(row.getByRole("button")).toHaveCount(0);
  await expect(dialog.locator(".share-people").getByRole("listitem").filter({ hasText: "Cy" })).toContainText("taken back");
  await expect(dialog.getByTestId("share-sessions").getByRole("listitem").filter({ hasText: "Cy" }).getByRole("button")).toHaveCount(0);
  // Nor is it offered to be copied any more.
  await expect(dialog.getByRole("textbox", { name: "The link" })).toHaveCount(0);
  await expect(cy.getByRole("heading", { name: "Your link was taken back" })).toBeVisible();
  await cy.reload();
  await expect(cy.getByRole("heading", { name: "Your link was taken back" })).toBeVisible();
  await expect(cy.getByText("7878")).toHaveCount(0);
  await expect(cy.locator("canvas.interactive")).toHaveCount(0);
  await cy.context().close();
});

test("a link that expires says so, and a session that was ended asks for the link again", async ({ browser, server }) => {
  const { value: brief } = await server.api("/api/tokens/attenuate", {
    method: "POST",
    body: { label: "Dee", ops: ["read"], expiresIn: 4 },
  });
  const dee = await visit(browser, `${server.origin}/#key=${brief.token}`);
  await expect(dee.getByRole("heading", { name: "Your link has expired" })).toBeVisible();
  await dee.context().close();

  const { value: lasting } = await server.api("/api/tokens/attenuate", { method: "POST", body: { label: "Eli", ops: ["read"] } });
  const eli = await visit(browser, `${server.origin}/#key=${lasting.token}`);
  const { value: sessions } = await server.api("/api/sessions");
  const { id } = (sessions as { id: string; name: string }[]).find(({ name }) => name === "Eli")!;
  await server.api(`/api/sessions/${id}`, { method: "DELETE" });
  await expect(eli.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await expect(eli.getByText("Open your link again")).toBeVisible();
  await eli.context().close();
});

test("nobody is offered to hand on more than they have", async ({ browser, server }) => {
  const { value: made } = await server.api("/api/tokens/attenuate", {
    method: "POST",
    body: { label: "Fay", ops: ["read", "comment"], pages: [await server.firstPage()] },
  });
  const fay = await visit(browser, `${server.origin}/#key=${made.token}`);
  await fay.getByRole("button", { name: "Share" }).click();
  const dialog = fay.getByRole("dialog", { name: "People and links" });
  await expect(dialog.getByRole("combobox", { name: "They may" }).getByRole("option")).toHaveText(["look", "look and comment"]);
  await expect(dialog.getByRole("combobox", { name: "Where" }).getByRole("option").first()).toHaveText("every page that you see");
  await fay.context().close();
});
