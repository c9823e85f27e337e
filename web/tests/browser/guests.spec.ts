// What the studio offers to guests: all that their link lets them do, whether or not they see a fairy.
import type { Browser, Page } from "@playwright/test";
import type { GladeServer } from "../support/server.mjs";
import { ask, expect, open, test, withProject } from "./studio";

async function guest(browser: Browser, server: GladeServer, limits: Record<string, unknown>, page?: string): Promise<Page> {
  const { value } = await server.api("/api/tokens/attenuate", { method: "POST", body: { label: "Gus", ...limits } });
  const opened = await (await browser.newContext()).newPage();
  await opened.goto(`${server.origin}/#${page ? `page=${page}&` : ""}key=${value.token}`);
  await opened.locator("canvas.interactive").waitFor();
  await opened.waitForFunction(() => Boolean((globalThis as any).__glade?.handle));
  return opened;
}

test("without a fairy in sight the panels work, and what one did can be decided", async ({ browser, context, server }) => {
  const { value: made } = await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: "Beds", kind: "canvas" } });
  const owner = await open(context, `${server.link}&page=${made.id}`);
  await ask(owner, "Draw a flow: Order -> Pay");
  await expect(owner.getByTestId("run-bar")).toBeVisible();
  const [fairy] = (await server.workspace()).fairies;
  await server.api(`/api/fairies/${fairy.id}/summon`, {
    method: "POST",
    body: { page: await server.firstPage(), position: { x: 0, y: 0 } },
  });

  const gus = await guest(browser, server, { ops: ["read", "comment", "suggest", "edit", "command"], pages: [made.id] }, made.id);
  await gus.getByTestId("run-bar").getByRole("button", { name: "Keep" }).click();
  await expect(gus.getByTestId("run-bar")).toHaveCount(0);
  await expect(owner.getByTestId("run-bar")).toHaveCount(0);
  const way = (name: string) => gus.getByRole("banner").getByRole("button", { name });
  await way("Fairies").click();
  await expect(gus.getByTestId("fairies-panel")).toContainText("No fairy is on the pages that you see.");
  await way("Tasks").click();
  await expect(gus.getByTestId("tasks-panel").getByRole("textbox", { name: "New task" })).toBeVisible();
  await way("Comments").click();
  // Typed at once, at the edge of the page: the box has the focus and lies on the page.
  await gus.getByRole("button", { name: "New comment" }).click();
  await gus.mouse.click(900, 700);
  await gus.keyboard.type("Roses?");
  await expect(gus.getByRole("textbox", { name: "Say something" })).toHaveValue("Roses?");
  const [box, stage] = [await gus.locator(".thread").boundingBox(), await gus.locator(".stage").boundingBox()];
  expect(box!.x + box!.width).toBeLessThanOrEqual(stage!.x + stage!.width);
  expect(box!.y + box!.height).toBeLessThanOrEqual(stage!.y + stage!.height);
  await gus.keyboard.press("Enter");
  await expect(gus.getByRole("button", { name: /^Comment by Gus: Roses/i })).toBeVisible();
  await gus.context().close();
});

test("others' words to a fairy are not called one's own", async ({ browser, context, server }) => {
  const owner = await open(context, server.link);
  await ask(owner, "Draw a flow: Order -> Pay");
  await expect(owner.getByTestId("run-bar")).toBeVisible();
  await expect(owner.locator(".message[data-role=user] h3")).toContainText("You");
  const gus = await guest(browser, server, { ops: ["read", "comment", "suggest", "edit", "command"] });
  await expect(gus.locator(".message[data-role=user] h3")).toContainText("Owner");
  await gus.context().close();
});

withProject("a link that may look and ask in the code project asks there", async ({ browser, server }) => {
  const gus = await guest(browser, server, { ops: ["read"], project: ["read", "command"] });
  await gus.getByRole("button", { name: "Code" }).click();
  const box = gus.getByTestId("code-panel").getByRole("textbox", { name: /^Ask / });
  await expect(box).toBeEnabled();
  await box.fill("find colour");
  await box.press("Enter");
  await expect(gus.getByTestId("code-panel")).toContainText("README.md:1");
  await gus.context().close();
});
