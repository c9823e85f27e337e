// A page that was spoilt before there were rules: it opens, and what would spoil it is set aside and named.
import type { Page } from "@playwright/test";
import { expect, open, test } from "./studio";

/** Each would throw in the editor, hang it, or run what lies in it. */
const SPOILT: Record<string, Record<string, unknown>> = {
  names: { type: "rectangle", hasOwnProperty: 1 },
  proto: { type: "rectangle", ["__proto__"]: { type: "ellipse" } },
  huge: { type: "rectangle", width: 2_000_000, height: 2_000_000, backgroundColor: "#ffc9c9", fillStyle: "hachure" },
  hatched: {
    type: "rectangle",
    width: 1_000_000,
    height: 1_000_000,
    backgroundColor: "#ffc9c9",
    fillStyle: "cross-hatch",
    strokeWidth: 0.01,
  },
  fine: { type: "rectangle", width: 20_000, height: 20_000, backgroundColor: "#ffc9c9", fillStyle: "zigzag", strokeWidth: 0.01 },
  frame: { type: "iframe", link: "https://example.org" },
  ink: { type: "freedraw", points: Array.from({ length: 90_000 }, (_, at) => [at % 500, at % 7]) },
  elbow: { type: "arrow", elbowed: true, points: Array.from({ length: 10_000 }, (_, at) => [at, (at % 2) * 50]) },
  seed: { type: "rectangle", seed: 1e300 },
  sharp: { type: "rectangle", width: 100, height: 60, roundness: { type: 3, value: 1e15 } },
  stretched: { type: "image", width: 100, height: 60, scale: [0, 1e15], crop: { x: -1, y: 1e15, width: 0, height: 0 } },
};

/** Others' changes, as they would come from a server that has taken them. */
const receive = (page: Page, elements: typeof SPOILT) =>
  page.evaluate(
    (elements) => {
      const { doc } = (globalThis as any).__glade.session;
      const other = new doc.constructor();
      other.import(doc.export({ mode: "snapshot" }));
      for (const [id, props] of elements) {
        const map = other.getMap("elements").ensureMergeableMap(id);
        for (const [key, value] of props) map.set(key, value);
      }
      other.commit();
      doc.import(other.export({ mode: "update", from: doc.oplogVersion() }));
    },
    Object.entries(elements).map(([id, props]) => [id, Object.entries(props)] as const),
  );

const shown = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (globalThis as any).__glade.handle.api
      .getSceneElements()
      .map(({ id }: { id: string }) => id)
      .sort(),
  );

test("elements that would spoil a page are set aside and named, and the rest can be worked on", async ({ context, server }) => {
  const page = await open(context, server.link);
  await receive(page, { good: { type: "rectangle", x: 0, y: 0, width: 100, height: 60 } });
  await receive(page, SPOILT);
  const notice = page.getByRole("alert").filter({ hasText: "set aside" });
  await expect(notice).toContainText(`${Object.keys(SPOILT).length} elements of this page cannot be shown`);
  await expect(notice).toContainText("“elbow”");
  expect(await shown(page)).toEqual(["good"]);

  // Looked at in the same moment: the server has none of these elements, and takes back what it is told of them.
  const deleted = await notice.getByRole("button", { name: "Delete them" }).evaluate((button) => {
    (button as HTMLButtonElement).click();
    const elements = (globalThis as any).__glade.session.doc.getMap("elements").toJSON();
    return Object.keys(elements).filter((id) => elements[id].isDeleted === true).length;
  });
  await expect(notice).toBeHidden();
  expect(deleted).toBe(Object.keys(SPOILT).length);
});

test("what the editor can stand is shown", async ({ context, server }) => {
  const page = await open(context, server.link);
  const odd: typeof SPOILT = {
    large: {
      type: "rectangle",
      width: 1_000_000,
      height: 1_000_000,
      backgroundColor: "#ffc9c9",
      fillStyle: "solid",
      strokeStyle: "dotted",
    },
    small: { type: "text", originalText: "words", fontSize: 0, lineHeight: 0 },
    long: { type: "text", originalText: "x".repeat(50_000) },
    round: { type: "rectangle", width: 100, height: 60, roundness: { type: 3, value: 1000 } },
    groups: { type: "rectangle", width: 100, height: 60, groupIds: Array.from({ length: 1000 }, (_, at) => `g${at}`) },
    ring: { type: "frame", width: 100, height: 60, frameId: "ring2" },
    ring2: { type: "frame", width: 100, height: 60, frameId: "ring" },
    self: { type: "text", originalText: "in itself", containerId: "self" },
    script: { type: "embeddable", width: 100, height: 60, link: "javascript:alert(1)" },
    data: { type: "embeddable", width: 100, height: 60, link: "data:text/html,<script>alert(1)</script>" },
    picture: { type: "image", width: 100, height: 60, scale: [-1, 1], crop: null },
  };
  await receive(page, odd);
  await expect.poll(() => shown(page)).toEqual(Object.keys(odd).sort());
  await expect(page.getByRole("alert").filter({ hasText: "set aside" })).toBeHidden();
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("an editor that breaks over an element is made anew, and the page stays", async ({ context, server }) => {
  const page = await open(context, server.link);
  await receive(page, { good: { type: "rectangle", x: 0, y: 0, width: 100, height: 60 } });
  await expect.poll(() => shown(page)).toEqual(["good"]);
  const before = await page.evaluate(() => {
    const { api } = (globalThis as any).__glade.handle;
    api.updateScene = () => {
      throw new Error("broken on purpose");
    };
    (globalThis as any).__before = (globalThis as any).__glade.handle;
    return true;
  });
  expect(before).toBe(true);
  await receive(page, {
    a: { type: "rectangle", x: 200, y: 0, width: 100, height: 60 },
    b: { type: "ellipse", x: 400, y: 0, width: 100, height: 60 },
  });
  await expect
    .poll(() =>
      page.evaluate(() => (globalThis as any).__glade !== undefined && (globalThis as any).__glade.handle !== (globalThis as any).__before),
    )
    .toBe(true);
  await expect.poll(() => shown(page)).toEqual(["a", "b", "good"]);
});
