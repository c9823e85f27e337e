// A link never takes the place of somebody's session unasked, and a browser can be signed out.
import { expect, open, test } from "./studio";

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
});

test("a browser is signed out where its person says so", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "This glade needs its key" })).toBeVisible();
  expect(await page.evaluate(async () => (await fetch("/api/session")).status)).toBe(401);
});
