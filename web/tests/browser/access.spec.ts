// For everybody: no serious finding of axe on any panel, light and dark; a phone's layout; less motion. What opens over them is
// in windows.spec.ts.
import { findings, nameless } from "./axe";
import { ask, atRest, expect, onScreen, open, test } from "./studio";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test(`every panel passes axe, ${colorScheme}`, async ({ context, server }) => {
      test.slow();
      const page = await open(context, server.link);
      const found: Record<string, string[]> = {};
      const look = async (name: string) => {
        const all = await findings(page);
        if (all.length > 0) found[name] = all;
      };
      await look("empty page");
      await ask(page, "Draw a flow: Order -> Pay");
      await expect(page.getByTestId("run-bar")).toBeVisible();
      await look("chat");
      for (const panel of ["Fairies", "Tasks", "Comments", "Search"]) {
        await page.getByRole("banner").getByRole("button", { name: panel }).click();
        await expect(page.getByTestId(`${panel.toLowerCase()}-panel`)).toBeVisible();
        await look(panel);
      }
      await page.getByRole("banner").getByRole("button", { name: "Settings" }).click();
      await page.getByRole("tab", { name: "Text pages" }).click();
      await expect(page.getByRole("switch", { name: "Tables" })).toBeVisible();
      await look("settings: text pages");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Page: / }).click();
      await page.getByRole("button", { name: /^More about/ }).click();
      await expect(page.getByRole("group", { name: /^More about/ })).toBeVisible();
      await look("what can be done with a page");
      expect(found).toEqual({});
    });
  });
}

test("every button has a name, the editor's own too", async ({ context, server }) => {
  const page = await open(context, server.link);
  expect(await nameless(page)).toEqual([]);
  await page.getByRole("button", { name: "Menu of the canvas" }).click();
  await expect(page.getByText("Save as PNG")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, reducedMotion: "reduce" } as object);
  test("the chat is a sheet beneath the canvas, and nothing sticks out", async ({ context, server }) => {
    const page = await open(context, server.link);
    await ask(page, "Draw a flow: Order -> Pay");
    await expect(page.getByTestId("run-bar")).toBeVisible();
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await wide()).toBeLessThanOrEqual(390);
    await page.getByRole("banner").getByRole("button", { name: "Fairies" }).click();
    const panel = (await page.getByTestId("fairies-panel").boundingBox())!;
    expect([panel.x, panel.width]).toEqual([0, 390]);
    expect(await wide()).toBeLessThanOrEqual(390);
  });
});

test.describe("with less motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  test("a fairy is where it goes at once, and nothing of it bobs or flutters", async ({ context, server }) => {
    const page = await open(context, server.link);
    await atRest(page);
    await page.evaluate(() => {
      const seen: number[] = ((globalThis as any).places = []);
      const look = () => {
        const x = document.querySelector("[data-testid=fairy-sprite]")!.getBoundingClientRect().x;
        if (seen.at(-1) !== x) seen.push(x);
        requestAnimationFrame(look);
      };
      look();
    });
    const [{ id }] = (await server.workspace()).fairies;
    await server.api(`/api/fairies/${id}/summon`, {
      method: "POST",
      body: { page: await server.firstPage(), position: { x: 250, y: 500 } },
    });
    const there = await onScreen(page, { x: 250, y: 500 });
    await expect.poll(async () => Math.round((await atRest(page)).x - there.x)).toBe(0);
    const moving = () =>
      page.evaluate(
        () =>
          document
            .getAnimations()
            .filter((one) => one.playState === "running" && ((one.effect as KeyframeEffect).target as Element)?.closest(".fairies")).length,
      );
    expect({ places: await page.evaluate(() => (globalThis as any).places.length), moving: await moving() }).toEqual({
      places: 2,
      moving: 0,
    });
  });
});
