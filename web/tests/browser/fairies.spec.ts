// Fairies in the hand: chosen, spoken to, dragged, sent to sleep, made.
import type { Page } from "@playwright/test";
import { addFairy, atRest, boxCalled, expect, onScreen, open, sprite, test } from "./studio";

const deed = async (page: Page, name: string) => {
  await page.getByTestId("fairy-sprite").first().click({ button: "right" });
  await page.getByRole("menuitem", { name }).click();
};

test("a click chooses a fairy and speaks to it there; its view is framed; the empty canvas lets go", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByTestId("fairy-sprite").click();
  await expect(page.getByTestId("fairy-view")).toHaveCount(1);
  await page.getByRole("textbox", { name: /^Tell / }).fill("Draw a flow: Here -> There");
  await page.keyboard.press("Enter");
  await boxCalled(page, "There");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await page.mouse.click(620, 700);
  await expect(page.getByTestId("fairy-view")).toHaveCount(0);
  await expect(page.getByTestId("sprite-input")).toHaveCount(0);
});

test("a fairy is dragged, and the server knows where it was put", async ({ context, server }) => {
  const page = await open(context, server.link);
  const position = async () => (await server.workspace()).fairies[0].position;
  const before = await position();
  const { x, y } = await atRest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 150, { steps: 5 });
  // Held still for a moment: put down, not thrown.
  await page.waitForTimeout(300);
  await page.mouse.up();
  await expect.poll(async () => Math.round((await position()).y - before.y)).toBe(150);
  const put = await atRest(page);
  expect(Math.hypot(put.x - x - 100, put.y - y - 150)).toBeLessThan(12);
});

test("a fairy is thrown, and glides on to where the server knows it", async ({ context, server }) => {
  const page = await open(context, server.link);
  const position = async () => (await server.workspace()).fairies[0].position;
  const before = await position();
  const { x, y } = await atRest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Within the page: a busy machine brings the mouse's moves late, and the hand would seem to have come to rest.
  await page.getByTestId("fairy-sprite").evaluate(
    async (sprite, { x, y }) => {
      const hand = (type: string, step: number) =>
        sprite.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: x - step * 20, clientY: y + step * 10 }));
      for (let step = 1; step <= 6; step++) {
        await new Promise((go) => setTimeout(go, 10));
        hand("pointermove", step);
      }
      hand("pointerup", 6);
    },
    { x, y },
  );
  await page.mouse.up();
  // Let go in motion: it flies on, beyond the hand.
  await expect.poll(async () => before.x - (await position()).x).toBeGreaterThan(160);
  await atRest(page);
  const rest = await onScreen(page, await position());
  const shown = await atRest(page);
  expect(Math.hypot(rest.x - shown.x, rest.y - shown.y)).toBeLessThan(40);
});

test("several are chosen by shift-click and by a marquee, and only one of them is spoken to", async ({ context, server }) => {
  const [fern, moss] = [await addFairy(server, "Fern", { x: 200, y: 560 }), await addFairy(server, "Moss", { x: 320, y: 600 })];
  const page = await open(context, server.link);
  const chosen = () =>
    page
      .locator("[data-testid=fairy-sprite][aria-pressed=true]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-fairy")).sort());
  await atRest(page, sprite(page, moss));
  await sprite(page, fern).click();
  await expect(page.getByTestId("sprite-input")).toHaveCount(1);
  await sprite(page, moss).click({ modifiers: ["Shift"] });
  expect(await chosen()).toEqual([fern, moss].sort());
  await expect(page.getByTestId("sprite-input")).toHaveCount(0);
  await expect(page.getByTestId("fairy-view")).toHaveCount(2);
  await sprite(page, fern).click({ modifiers: ["Shift"] });
  expect(await chosen()).toEqual([moss]);

  const [from, to] = [await onScreen(page, { x: 130, y: 500 }), await onScreen(page, { x: 400, y: 660 })];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(chosen).toEqual([fern, moss].sort());
});

test("panning carries fairies along as one: none is touched, painted or moved by itself meanwhile", async ({ context, server }) => {
  const moss = await addFairy(server, "Moss", { x: 320, y: 500 });
  await addFairy(server, "Fern", { x: 9000, y: 9000 });
  const page = await open(context, server.link);
  const before = await atRest(page, sprite(page, moss));
  const running = (within: string) =>
    page.evaluate(
      (within) =>
        document
          .getAnimations()
          .filter((one) => one.playState === "running" && ((one.effect as KeyframeEffect).target as Element)?.closest(within)).length,
      within,
    );
  await expect.poll(() => running(".fairies")).toBeGreaterThan(0);
  // Faces beside the canvas keep still, and whoever is out of sight does not flutter there.
  expect(await running(".panel")).toBe(0);
  expect(await running("[data-away]")).toBe(0);
  await page.evaluate(() => {
    const touched: string[] = ((globalThis as any).touched = []);
    const watch = new MutationObserver((all) => all.forEach(({ target }) => touched.push((target as Element).className)));
    document.querySelectorAll(".fairy").forEach((fairy) => watch.observe(fairy, { attributes: true, subtree: true, childList: true }));
  });
  const meanwhile = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas.interactive")!;
    const { left, top } = canvas.getBoundingClientRect();
    for (let step = 0; step < 10; step++) {
      canvas.dispatchEvent(
        new WheelEvent("wheel", { deltaX: 12, deltaY: 8, clientX: left + 300, clientY: top + 300, bubbles: true, cancelable: true }),
      );
      await new Promise(requestAnimationFrame);
    }
    const running = document
      .querySelector(".fairies")!
      .getAnimations({ subtree: true })
      .filter(({ playState }) => playState === "running").length;
    return { running, touched: (globalThis as any).touched };
  });
  // Once the view rests, whoever has come near an edge makes room for its words.
  expect(meanwhile).toEqual({ running: 0, touched: [] });
  const after = await atRest(page, sprite(page, moss));
  expect([Math.round(before.x - after.x), Math.round(before.y - after.y)]).toEqual([120, 80]);
  await expect.poll(() => running(".fairies")).toBeGreaterThan(0);
});

test("while the view moves a fairy's way is shown a few times a second, and nobody flies", async ({ context, server }) => {
  const moss = await addFairy(server, "Moss", { x: 320, y: 500 });
  const page = await open(context, server.link);
  await atRest(page, sprite(page, moss));
  const panned = page.evaluate(async (fairy) => {
    const root = document.querySelector(`[data-fairy=${fairy}]`)!.closest(".fairy")!;
    let steps = 0;
    new MutationObserver(() => steps++).observe(root, { attributes: true, attributeFilter: ["style"] });
    const canvas = document.querySelector("canvas.interactive")!;
    const { left, top } = canvas.getBoundingClientRect();
    for (const began = performance.now(), end = began + 1500; performance.now() < end; ) {
      const there = Math.floor((performance.now() - began) / 300) % 2 === 0 ? 6 : -6;
      canvas.dispatchEvent(
        new WheelEvent("wheel", { deltaX: there, clientX: left + 300, clientY: top + 300, bubbles: true, cancelable: true }),
      );
      await new Promise(requestAnimationFrame);
    }
    return { steps, flew: root.hasAttribute("data-flying") };
  }, moss);
  const first = await server.firstPage();
  const put = (x: number) => server.api(`/api/fairies/${moss}/summon`, { method: "POST", body: { page: first, position: { x, y: 300 } } });
  for (let step = 0; step < 15; step++) {
    await put(320 + step * 10);
    await page.waitForTimeout(60);
  }
  const { steps, flew } = await panned;
  expect(flew).toBe(false);
  expect(steps).toBeGreaterThan(0);
  expect(steps).toBeLessThan(20);
  // Once it rests, it is where its fairy is.
  const place = () =>
    page.evaluate(
      (fairy) => new DOMMatrix(getComputedStyle(document.querySelector(`[data-fairy=${fairy}]`)!.closest(".fairy")!).transform).e,
      moss,
    );
  const zoom = await page.evaluate(() => (globalThis as any).__glade.handle.zoom());
  await expect.poll(place).toBeCloseTo(460 * zoom, 0);
});

test("a double click follows a fairy until the person moves the view", async ({ context, server }) => {
  const page = await open(context, server.link);
  await atRest(page);
  await page.getByTestId("fairy-sprite").dblclick();
  const pill = page.getByText(/^Following /);
  await expect(pill).toBeVisible();
  const middle = async () => {
    const view = await page.evaluate(() => (globalThis as any).__glade.handle.viewport());
    return { x: view.x + view.w / 2, y: view.y + view.h / 2 };
  };
  const { id } = (await server.workspace()).fairies[0];
  await server.api(`/api/fairies/${id}/summon`, {
    method: "POST",
    body: { page: await server.firstPage(), position: { x: 3000, y: 2000 } },
  });
  await expect.poll(async () => Math.round((await middle()).x)).toBe(3000);
  await page.mouse.move(500, 700);
  await page.mouse.wheel(0, 200);
  await expect(pill).toHaveCount(0);
});

test("right click: go to, follow, forget the conversation, dismiss", async ({ context, server }) => {
  const moss = await addFairy(server, "Moss", { x: 3000, y: 3000 });
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Fairies" }).click();
  await page
    .getByTestId("fairies-panel")
    .locator(".fairy-row", { hasText: "Moss" })
    .getByRole("button", { name: /^What to do/ })
    .click();
  await page.getByRole("menuitem", { name: "Go to" }).click();
  await expect(sprite(page, moss)).toBeInViewport();

  const hers = async (name: string) => {
    await atRest(page, sprite(page, moss));
    await sprite(page, moss).click({ button: "right" });
    await page.getByRole("menuitem", { name }).click();
  };
  await hers("Follow");
  await expect(page.getByText("Following Moss")).toBeVisible();
  await hers("Stop following");
  await expect(page.getByText("Following Moss")).toHaveCount(0);

  await sprite(page, moss).click();
  await page.getByRole("textbox", { name: "Tell Moss" }).fill("Draw a flow: Order -> Pay");
  await page.keyboard.press("Enter");
  await boxCalled(page, "Pay");
  await expect.poll(async () => (await server.workspace()).runs[0]?.status).toBe("pending");
  const remembers = async () =>
    JSON.stringify((await server.api(`/api/fairies/${moss}/prompt`)).value.messages).includes("Draw a flow: Order -> Pay");
  expect(await remembers()).toBe(true);
  await hers("Forget the conversation");
  await expect(page.getByText("Moss has forgotten the conversation.")).toBeVisible();
  expect(await remembers()).toBe(false);

  await hers("Dismiss…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Dismiss" }).click();
  await expect(sprite(page, moss)).toHaveCount(0);
  expect((await server.workspace()).fairies.map(({ name }: { name: string }) => name)).not.toContain("Moss");
  // What she drew stays.
  await boxCalled(page, "Pay");
});

test("right click: sleep and wake, summon, settings", async ({ context, server }) => {
  const page = await open(context, server.link);
  const fairy = async () => (await server.workspace()).fairies[0];
  const sprite = page.getByTestId("fairy-sprite");
  await deed(page, "Send to sleep");
  await expect.poll(async () => (await fairy()).mode).toBe("sleeping");
  await expect(sprite).toHaveAttribute("data-pose", "sleeping");
  await deed(page, "Wake up");
  await expect.poll(async () => (await fairy()).mode).toBe("idling");
  await deed(page, "Summon here");
  const view = await page.evaluate(() => (globalThis as any).__glade.handle.viewport());
  await expect.poll(async () => Math.round((await fairy()).position.x - view.x - view.w / 2)).toBe(0);

  await atRest(page);
  await deed(page, "Settings…");
  const dialog = page.getByRole("dialog", { name: /^Settings of/ });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Robin");
  await dialog.getByRole("button", { name: "Propeller cap" }).click();
  await dialog.getByRole("checkbox", { name: /Plans first/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(fairy).toMatchObject({ name: "Robin", hat: "propeller", planFirst: true });
  await expect(page.getByTestId("chat-panel")).toContainText("Robin");
});

test("the panel of all fairies: a new one comes prefilled, with a name of its own", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Fairies" }).click();
  const panel = page.getByTestId("fairies-panel");
  await panel.getByRole("button", { name: "New fairy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Settings of/ });
  await expect(dialog.getByRole("textbox", { name: "Name" })).not.toHaveValue("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(panel.locator(".fairy-row")).toHaveCount(2);
  const [one, two] = (await server.workspace()).fairies;
  expect(one.name).not.toBe(two.name);
  await expect(page.getByTestId("fairy-sprite")).toHaveCount(2);
  await expect(panel.getByRole("button", { name: "Stop all" })).toBeDisabled();

  await panel.getByRole("button", { name: "New fairy" }).click();
  await expect(panel.locator(".fairy-row")).toHaveCount(3);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(panel.locator(".fairy-row"), "nobody wanted the third").toHaveCount(2);
  expect((await server.workspace()).fairies).toHaveLength(2);
});
