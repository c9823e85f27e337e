// A person at a text page, for tests.
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { GladeServer } from "../support/server.mjs";
import { expect } from "./studio";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const editor = (page: Page) => page.getByRole("textbox", { name: /^The text of/ });

/** The blocks on the screen. */
export const lines = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { view } = (globalThis as any).__gladeText;
    const found: string[] = [];
    view.state.doc.forEach((node: any) => found.push(`${node.type.name}: ${node.textContent}`));
    return found;
  });

export async function newTextPage(server: GladeServer, name = "Notes"): Promise<string> {
  const { value } = await server.api("/api/workspaces/main/pages", { method: "POST", body: { name, kind: "text" } });
  return value.id;
}

export async function join(context: BrowserContext, link: string, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${link}&page=${id}`);
  await arrive(page);
  return page;
}

export async function arrive(page: Page): Promise<void> {
  await editor(page).waitFor();
  await page.waitForFunction(() => Boolean((globalThis as any).__gladeText));
}

/** A page of these lines, typed by the person. */
export async function written(page: Page, ...paragraphs: string[]): Promise<void> {
  await editor(page).click();
  for (const [at, line] of paragraphs.entries()) {
    if (at > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
}

/** The grip of the block of these words, once it stands beside it: it follows the pointer a frame later. */
export async function grip(page: Page, words: string): Promise<Locator> {
  const block = editor(page).getByText(words);
  const found = page.getByRole("button", { name: "This block" });
  await block.hover();
  await expect.poll(async () => (await found.boundingBox())!.y - (await block.boundingBox())!.y).toBeCloseTo(0, 0);
  return found;
}

export async function serverText(server: GladeServer, id: string): Promise<string> {
  const answer = await fetch(`${server.origin}/api/pages/${id}/export?format=markdown`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  return answer.text();
}

/** Asks a fairy by its id, wherever one looks. */
export const tell = (server: GladeServer, fairy: string, page: string, message: string) =>
  server.api(`/api/fairies/${fairy}/interrupt`, { method: "POST", body: { input: { message, page } } });

/** Serious findings of axe. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: any) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html.slice(0, 160)}`));
  });
}

/** Until what is said holds. */
export const soon = (what: () => Promise<void>) => expect(what).toPass({ timeout: 20_000, intervals: [50, 100, 250] });
