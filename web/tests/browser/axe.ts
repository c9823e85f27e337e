// What axe finds in the studio.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Buttons without a name, the editor's own among them. */
export async function nameless(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { runOnly: ["button-name"], resultTypes: ["violations"] });
    return violations.flatMap(({ nodes }: any) => nodes.map((node: any) => node.html.slice(0, 160)));
  });
}

/** Serious findings in what is ours; the editor's own parts are its makers' matter. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run({ exclude: [[".excalidraw"]] }, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: any) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html.slice(0, 160)}`));
  });
}
