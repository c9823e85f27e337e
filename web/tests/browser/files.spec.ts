// Files in and out: pictures that everyone sees, drawings dropped on the page, the page saved in three formats.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { ask, boxCalled, drawRectangle, expect, open, shapes, test, until } from "./studio";

const RED_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC";

interface Given {
  name: string;
  type: string;
  base64: string;
}

/** Drops or pastes a file on the canvas, as the browser would hand it over. */
async function give(page: Page, how: "drop" | "paste", file: Given, at: [number, number] = [500, 400]) {
  // The editor takes what is pasted while the focus is on it. Away from an empty page's prompts.
  await page.mouse.click(120, 640);
  await page.evaluate(
    ([how, { name, type, base64 }, [clientX, clientY]]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const canvas = document.querySelector("canvas.interactive")!;
      if (how === "drop") {
        const init = { bubbles: true, cancelable: true, dataTransfer: data, clientX, clientY };
        canvas.dispatchEvent(new DragEvent("dragover", init));
        canvas.dispatchEvent(new DragEvent("drop", init));
      } else {
        document.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
      }
    },
    [how, file, at] as const,
  );
}

const pictures = async (page: Page) =>
  (await shapes(page)).filter(({ type }) => type === "image") as (Awaited<ReturnType<typeof shapes>>[number] & { fileId: string })[];

/** Whether a picture's pixels, not its placeholder, are on the canvas. */
const painted = (page: Page, fileId: string) =>
  page.evaluate((id) => Boolean((globalThis as any).__glade.handle.api.getFiles()[id]?.dataURL), fileId);

test("a picture that one pastes or drops is seen by the other, and survives a reload", async ({ context, server }) => {
  const [one, two] = [await open(context, server.link), await open(context, server.link)];
  await one.bringToFront();
  const dot = { name: "dot.png", type: "image/png", base64: RED_DOT };
  await give(one, "paste", dot);
  const pasted = await until(async () => (await pictures(one)).find(({ fileId }) => fileId), "the picture is on the page, and kept");
  await give(one, "drop", dot, [700, 400]);
  await until(async () => (await pictures(one)).length === 2, "the second is, too");
  expect(pasted.fileId).toMatch(/^[0-9a-f]{64}$/);
  await expect(one.getByTestId("sync-status")).toHaveText(/^saved/i);
  await two.bringToFront();
  await until(
    async () => (await pictures(two)).length === 2 && (await painted(two, pasted.fileId)),
    "the other has both, with their bytes",
  );
  await two.reload();
  await two.locator("canvas.interactive").waitFor();
  await until(
    async () => (await pictures(two).catch(() => [])).length === 2 && (await painted(two, pasted.fileId)),
    "after a reload as well",
  );
});

test("a picture dropped while offline is brought later, even by the next tab", async ({ context, server }) => {
  const page = await open(context, server.link);
  await server.kill();
  await expect(page.getByTestId("sync-status")).toHaveText(/offline/i);
  await give(page, "drop", { name: "dot.png", type: "image/png", base64: RED_DOT });
  const [{ fileId }] = (await until(async () => {
    const all = await pictures(page);
    return all.length === 1 && all;
  }, "the picture is on the page")) as [{ fileId: string }];
  expect(fileId).toMatch(/^[0-9a-f]{64}$/);
  expect(await painted(page, fileId)).toBe(true);
  await expect(page.getByTestId("sync-status")).toHaveText(/offline.*waiting/i);
  await page.close();
  await server.launch();
  const again = await open(context, server.link);
  await until(async () => (await pictures(again)).length === 1, "the new tab has it");
  await until(async () => (await server.api(`/api/blobs/${fileId}`)).status === 200, "the server has its bytes");
  await until(() => painted(again, fileId), "and shows it");
});

test("a dropped drawing is added to the page, beside what is there, and undone in one step", async ({ context, server }) => {
  const page = await open(context, server.link);
  const mine = await drawRectangle(page, [300, 300], [380, 360]);
  const box = { type: "rectangle", x: 0, y: 0, width: 100, height: 60, id: mine.id };
  const label = {
    type: "text",
    id: "label",
    containerId: mine.id,
    text: "Copied",
    originalText: "Copied",
    x: 10,
    y: 10,
    width: 60,
    height: 25,
    fontSize: 20,
    fontFamily: 5,
  };
  const file = {
    type: "excalidraw",
    version: 2,
    source: "test",
    elements: [{ ...box, boundElements: [{ type: "text", id: "label" }] }, label],
    files: {},
  };
  await give(page, "drop", { name: "old.excalidraw", type: "", base64: Buffer.from(JSON.stringify(file)).toString("base64") }, [640, 500]);
  const copied = await boxCalled(page, "Copied");
  // Even an id that the page knows already is another shape's.
  expect(copied.id).not.toBe(mine.id);
  expect((await shapes(page)).find(({ id }) => id === mine.id)).toMatchObject({ x: mine.x, y: mine.y });
  await page.getByRole("button", { name: "Undo my last edit" }).click();
  await until(async () => (await shapes(page)).length === 1, "only what was there is there");

  await give(page, "drop", { name: "notes.json", type: "application/json", base64: Buffer.from("{").toString("base64") });
  await expect(page.getByRole("alert")).toContainText("could not be put on the page");
});

test("a tldraw file is read by the server and comes into sight; what nobody can read says why", async ({ context, server }) => {
  const page = await open(context, server.link);
  const board = readFileSync(new URL("../../../crates/glade-canvas/tests/corpus/board.tldr", import.meta.url));
  await give(page, "drop", { name: "board.tldr", type: "", base64: board.toString("base64") });
  const came = await until(async () => {
    const all = await shapes(page);
    return all.length > 0 && all;
  }, "the board is on the page");
  await expect
    .poll(() => page.evaluate(() => (globalThis as any).__glade.handle.viewport().x))
    .toBeLessThanOrEqual(Math.min(...(came as { x: number }[]).map(({ x }) => x)));
  await expect(page.getByRole("alert")).toContainText("“board.tldr” is on the page, but not all of it as it was: brought the page");
  await page.getByRole("button", { name: "Undo my last edit" }).click();
  await until(async () => (await shapes(page)).length === 0, "one step takes the board away");

  await give(page, "drop", { name: "notes.md", type: "text/markdown", base64: Buffer.from("# Roses").toString("base64") });
  // News stand below each other.
  await expect(page.getByRole("alert")).toHaveCount(2);
  await expect(page.getByRole("alert").last()).toContainText("“notes.md” could not be put on the page.");
  await expect(page.getByRole("alert").last()).toContainText("tldraw");
});

test("the page is saved as .excalidraw, SVG and PNG, each of which opens again", async ({ context, server }) => {
  test.slow();
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await give(page, "drop", { name: "dot.png", type: "image/png", base64: RED_DOT }, [300, 600]);
  await until(async () => (await pictures(page)).length === 1, "a picture is on the page");
  const count = (await shapes(page)).length;
  const files: Record<string, Buffer> = {};
  for (const format of [".excalidraw", "SVG", "PNG"]) {
    await page.getByTestId("main-menu-trigger").click();
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: `Save as ${format}` }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`First page.${format.replace(".", "").toLowerCase()}`);
    files[format] = readFileSync(await download.path());
  }
  const plain = JSON.parse(files[".excalidraw"]!.toString());
  expect(plain.elements.length).toBe(count);
  expect(Object.values(plain.files).length).toBe(1);
  expect(files["SVG"]!.toString()).toContain("<svg");
  expect(files["PNG"]!.subarray(1, 4).toString()).toBe("PNG");
  await give(page, "drop", { name: "page.png", type: "image/png", base64: files["PNG"]!.toString("base64") }, [640, 300]);
  await until(async () => (await shapes(page)).length === 2 * count, "the drawing inside the PNG is on the page");
  await give(page, "drop", { name: "page.svg", type: "image/svg+xml", base64: files["SVG"]!.toString("base64") }, [640, 300]);
  await until(async () => (await shapes(page)).length === 3 * count, "and the one inside the SVG");
});
