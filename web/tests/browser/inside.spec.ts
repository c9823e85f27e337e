// Looking inside a fairy: state, modes, the exact prompt and answer, times; and what answers for it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ask, expect, open, test } from "./studio";

test("the debug dialog tells state, modes gone through, the exact prompt and the raw answer", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await server.api("/api/workspaces/main/tasks", {
    method: "POST",
    body: { title: "Later", page: await server.firstPage(), bounds: { x: 0, y: 0, w: 200, h: 100 } },
  });
  await expect(page.getByTestId("task-bounds")).toHaveCount(1);

  await page.getByTestId("fairy-sprite").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Look inside…" }).click();
  const inside = page.getByTestId("debug");
  await expect(inside).toContainText("one-shotting");
  const step = inside.locator(".debug-step").first();
  await expect(step.locator("summary")).toContainText(/sketch.* s .*tokens in/);
  await step.locator("summary").click();
  await expect(step.locator("pre").first()).toContainText("Draw a flow: Order -> Pay");
  await expect(step.locator("pre").last()).toContainText('"_type"');
  await inside.getByRole("button", { name: "Look" }).click();
  await expect(inside.locator("pre").last()).toContainText("[user]");

  const dialog = page.getByRole("dialog", { name: /^Inside / });
  await expect(inside.locator(".debug-bar").first()).toBeVisible();
  await dialog.getByRole("checkbox", { name: "Response times" }).uncheck();
  await expect(inside.locator(".debug-bar")).toHaveCount(0);
  await dialog.getByRole("checkbox", { name: "Task bounds on the page" }).uncheck();
  await expect(page.getByTestId("task-bounds")).toHaveCount(0);
});

test("the dialog shows the picture that went along with a prompt, and the one that would go now", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  // Models that can look are not on this machine: a picture is put where the server puts theirs.
  const bytes = await page.screenshot();
  const kept = await fetch(`${server.origin}/api/blobs`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "image/png" },
    body: new Uint8Array(bytes),
  });
  const { id } = await kept.json();
  const picture = { area: { x: 0, y: 0, w: 800, h: 600 }, sha256: id };
  await page.route("**/api/fairies/*/debug", async (route) => {
    const inside = await (await route.fetch()).json();
    for (const step of inside.steps) step.prompt.picture = picture;
    await route.fulfill({ json: inside });
  });
  await page.route("**/api/fairies/*/prompt*", async (route) => {
    const prompt = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...prompt, picture: { ...picture, sha256: "not kept", data: `data:image/png;base64,${bytes.toString("base64")}` } },
    });
  });

  await page.getByTestId("fairy-sprite").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Look inside…" }).click();
  const inside = page.getByTestId("debug");
  const widths = () => inside.locator("img").evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  await inside.locator(".debug-step summary").first().click();
  await expect.poll(widths).toEqual([1280]);
  await inside.getByRole("button", { name: "Look", exact: true }).click();
  await expect.poll(widths).toEqual([1280, 1280]);
  await expect(inside).not.toContainText("base64");
});

test("another model is picked for a fairy in its chat; when it says no, the chat says why", async ({ context, server }) => {
  const provider = createServer((_, response) =>
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"no such key"}}'),
  );
  await new Promise<void>((listening) => provider.listen(0, "127.0.0.1", listening));
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  await server.api("/api/models", { method: "PUT", body: { provider: "local", baseUrl, models: ["tiny"] } });
  const page = await open(context, server.link);
  const pick = page.getByRole("combobox", { name: /^What answers for / });
  await pick.focus();
  const { models } = (await server.api("/api/models")).value;
  await pick.selectOption({ label: models.find(({ name }: { name: string }) => name.includes("tiny")).label });
  await expect.poll(async () => (await server.workspace()).fairies[0].model).toContain("tiny");
  await ask(page, "Draw a flow: A -> B");
  await expect(page.getByTestId("chat-panel")).toContainText(/key/i);
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeDisabled();
  provider.close();
});
