// A link never takes the place of somebody's session unasked, and a browser can be signed out.
import { readFile } from "node:fs/promises";
import { drawRectangle, expect, open, shapes, test } from "./studio";

test("a link of another person asks first, and the key leaves the address bar", async ({ context, server }) => {
  const owner = await open(context, server.link);
  const { value: eve } = await server.api("/api/tokens/attenuate", { method: "POST", body: { label: "Eve", ops: ["read", "edit"] } });
  const page = await context.newPage();
  await page.goto(`${server.origin}/#key=${eve.token}`);
  await expect(page.getByRole("heading", { name: "You are signed in as Owner" })).toBeVisible();
  expect(page.url()).not.toContain("key=");
  await page.getByRole("button", { name: "Stay Owner" }).click();
  await page.locator("canvas.interactive").waitFor();
  const who = () => page.evaluate(async () => ((await (await fetch("/api/session")).json()) as { name: string }).name);
  expect(await who()).toBe("Owner");

  // A second tab with one's own link goes on with the same session; the first is not disturbed.
  const second = await open(context, server.link);
  await second.close();
  await expect(owner.getByTestId("sync-status")).toHaveText(/^saved/i);

  await page.goto(`${server.origin}/#key=${eve.token}`);
  await page.getByRole("button", { name: "Open as Eve" }).click();
  await page.locator("canvas.interactive").waitFor();
  expect(await who()).toBe("Eve");
  // The tab that was the owner's does not go on as Eve.
  await expect(owner.getByRole("heading", { name: "You are now signed in as Eve in this browser" })).toBeVisible();
  await expect(owner.locator("canvas.interactive")).toHaveCount(0);
  await owner.getByRole("button", { name: "Reload" }).click();
  await owner.locator("canvas.interactive").waitFor();
});

test("a browser is signed out where its person says so", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "This glade needs its key" })).toBeVisible();
  expect(await page.evaluate(async () => (await fetch("/api/session")).status)).toBe(401);
});

test("what a guest did offline is never sent by who signs in next, and can be saved", async ({ context, server }) => {
  const { value: gus } = await server.api("/api/tokens/attenuate", {
    method: "POST",
    body: { label: "Gus", ops: ["read", "comment", "suggest"] },
  });
  const guest = await open(context, `${server.origin}/#key=${gus.token}`);
  await context.setOffline(true);
  await expect(guest.getByTestId("sync-status")).toHaveText(/^Offline/);
  const drawn = await drawRectangle(guest, [300, 600], [420, 680]);
  await expect(guest.getByTestId("sync-status")).toHaveText(/waiting/);
  await server.api("/api/tokens/revoke", { method: "POST", body: { id: gus.id } });
  await context.setOffline(false);
  await expect(guest.getByRole("heading", { name: "Your link was taken back" })).toBeVisible();
  await expect(guest.getByTestId("unsent")).toContainText(/changes? of Gus (was|were) not sent/);
  const [copy] = await Promise.all([guest.waitForEvent("download"), guest.getByRole("button", { name: "Save a copy" }).click()]);
  expect(await readFile(await copy.path(), "utf8")).toContain(drawn.id);
  await guest.close();

  const owner = await open(context, server.link);
  await expect(owner.getByTestId("unsent")).toContainText("of Gus");
  await expect(owner.getByTestId("unsent").getByRole("button", { name: "Send now" })).toHaveCount(0);
  await owner.waitForTimeout(1000);
  expect(await shapes(owner)).toEqual([]);
  expect(Object.keys(await server.elements(await server.firstPage()))).toEqual([]);
  await owner.getByRole("button", { name: "Discard" }).click();
  await owner.waitForTimeout(500);
  await owner.getByRole("button", { name: "Really discard?" }).click();
  await expect(owner.getByTestId("unsent")).toHaveCount(0);
});

test("back with another session, a person sends what they did before by saying so", async ({ context, server }) => {
  const { value: ann } = await server.api("/api/tokens/attenuate", {
    method: "POST",
    body: { label: "Ann", ops: ["read", "comment", "suggest", "edit"] },
  });
  const link = `${server.origin}/#key=${ann.token}`;
  const before = await open(context, link);
  await context.setOffline(true);
  await expect(before.getByTestId("sync-status")).toHaveText(/^Offline/);
  const drawn = await drawRectangle(before, [300, 600], [420, 680]);
  await expect(before.getByTestId("sync-status")).toHaveText(/waiting/);
  const { value: sessions } = await server.api("/api/sessions");
  const { id } = (sessions as { id: string; name: string }[]).find(({ name }) => name === "Ann")!;
  await server.api(`/api/sessions/${id}`, { method: "DELETE" });
  await context.setOffline(false);
  await expect(before.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await before.close();

  const back = await open(context, link);
  await expect(back.getByTestId("unsent")).toContainText("that you made here before");
  expect(await shapes(back)).toEqual([]);
  await back.getByRole("button", { name: "Send now" }).click();
  await expect(back.getByTestId("unsent")).toHaveCount(0);
  await expect.poll(async () => (await shapes(back)).map((shape) => shape.id)).toEqual([drawn.id]);
});
