// A page lets go of its past while a tab is offline; what was drawn there comes back all the same.
import type { WebSocketRoute } from "@playwright/test";
import { GladeServer } from "../support/server.mjs";
import { drawRectangle, expect, open, shapes, test as base, until } from "./studio";

const test = base.extend<{ server: GladeServer }>({
  server: async ({ pace }, use) => {
    const flags = ["--compact-operations", "100", "--compact-quiet-seconds", "1"];
    const server = await GladeServer.start({ pace, flags });
    await use(server);
    await server.stop();
  },
});

for (const tab of ["stays open", "is closed meanwhile"]) {
  test(`what was drawn offline before an epoch is there after it, when the tab ${tab}`, async ({ browser, context, server }) => {
    test.slow();
    let cut = false;
    const lines: WebSocketRoute[] = [];
    await context.routeWebSocket(/\/sync$/, (line) => {
      if (cut) return void line.close();
      lines.push(line);
      line.connectToServer();
    });
    let away = await open(context, server.link);
    const old = await drawRectangle(away, [300, 250], [420, 340]);
    await expect(away.getByTestId("sync-status")).toHaveText(/saved/i);
    cut = true;
    await Promise.all(lines.map((line) => line.close()));
    await expect(away.getByTestId("sync-status")).toHaveText(/offline/i);
    const mine = await drawRectangle(away, [500, 250], [620, 340]);
    await expect(away.getByTestId("sync-status")).toHaveText(/offline.*waiting/i);
    if (tab !== "stays open") await away.close();

    // Meanwhile somebody works on, and the page begins a new epoch.
    const elsewhere = await browser.newContext();
    const here = await open(elsewhere, server.link);
    await here.evaluate(async (id) => {
      const { session } = (globalThis as any).__glade;
      for (let n = 0; n < 200; n++) {
        session.doc
          .getMap("elements")
          .ensureMergeableMap(id)
          .set("y", 250 + (n % 7));
        session.doc.commit();
      }
    }, old.id);
    await expect(here.getByTestId("sync-status")).toHaveText(/saved/i);
    await until(
      async () => {
        const late = await open(elsewhere, server.link);
        const short = await late.evaluate(() => (globalThis as any).__glade.session.doc.isShallow());
        await late.close();
        return short;
      },
      "the page begins an epoch",
      30_000,
    );

    cut = false;
    if (tab !== "stays open") away = await open(context, server.link);
    await expect(away.getByTestId("sync-status")).toHaveText(/saved/i, { timeout: 30_000 });
    const both = [old.id, mine.id].sort();
    await expect.poll(async () => (await shapes(here)).map(({ id }) => id).sort()).toEqual(both);
    await expect.poll(async () => (await shapes(away)).map(({ id }) => id).sort()).toEqual(both);
    expect((await server.elements(await server.firstPage()))[mine.id].width).toBe(mine.width);
    await elsewhere.close();
  });
}
