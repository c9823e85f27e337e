// Random scenes, random concurrent edits and words typed at once in two browsers: both and the server end the same.
import type { Page } from "@playwright/test";
import { board } from "../compare/board.mjs";
import { expect, onScreen, open, shapes, test, until } from "./studio";

const SEEDS = (process.env.GLADE_SEEDS ?? "1,2,3,4").split(",").map(Number);
const ROUNDS = 12;

/** Small, seeded, good enough to mix things up. */
function random(seed: number) {
  let state = (seed * 2654435761) >>> 0;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state % below;
  };
}

interface Step {
  kind: "add" | "move" | "colour" | "resize" | "delete" | "type" | "order";
  pick: number;
  value: number;
  id: string;
}

function plan(next: (below: number) => number, who: string, round: number): Step[] {
  const kinds: Step["kind"][] = ["add", "add", "move", "colour", "resize", "delete", "type", "type", "order"];
  return Array.from({ length: 1 + next(4) }, (_, i) => ({
    kind: kinds[next(kinds.length)]!,
    pick: next(1000),
    value: next(400),
    id: `${who}-${round}-${i}`,
  }));
}

/** Carries out steps through the editor's own scene, as its tools do. */
async function act(page: Page, steps: Step[]) {
  await page.evaluate((steps) => {
    const api = (globalThis as any).__glade.handle.api;
    for (const step of steps) {
      const all = api.getSceneElementsIncludingDeleted();
      const live = all.filter((element: any) => !element.isDeleted);
      const target = live[step.pick % Math.max(1, live.length)];
      const bump = (element: any, change: object) => ({
        ...element,
        ...change,
        version: element.version + 1,
        versionNonce: Math.floor(Math.random() * 2 ** 31),
      });
      const replace = (change: (element: any) => object) =>
        all.map((element: any) => (element.id === target?.id ? bump(element, change(element)) : element));
      let elements = all;
      if (step.kind === "add") {
        const base = {
          x: step.value,
          y: step.pick % 300,
          angle: 0,
          strokeColor: "#1e1e1e",
          backgroundColor: "transparent",
          fillStyle: "solid",
          strokeWidth: 2,
          strokeStyle: "solid",
          roughness: 1,
          opacity: 100,
          groupIds: [],
          frameId: null,
          roundness: null,
          seed: step.pick + 1,
          version: 1,
          versionNonce: step.pick + 7,
          isDeleted: false,
          boundElements: null,
          updated: 1,
          link: null,
          locked: false,
          index: null,
        };
        const element =
          step.value % 3 === 0
            ? {
                ...base,
                id: step.id,
                type: "text",
                text: "hello",
                originalText: "hello",
                fontSize: 20,
                fontFamily: 5,
                textAlign: "left",
                verticalAlign: "top",
                containerId: null,
                autoResize: true,
                lineHeight: 1.25,
                width: 50,
                height: 25,
              }
            : { ...base, id: step.id, type: "rectangle", width: 80, height: 40 };
        elements = [...all, element];
      } else if (!target) continue;
      else if (step.kind === "move") elements = replace(() => ({ x: step.value, y: step.value / 2 }));
      else if (step.kind === "colour") elements = replace(() => ({ backgroundColor: ["#ffc9c9", "#b2f2bb", "#a5d8ff"][step.value % 3] }));
      else if (step.kind === "resize" && target.type !== "text")
        elements = replace(() => ({ width: 20 + step.value, height: 20 + step.value / 2 }));
      else if (step.kind === "delete") elements = replace(() => ({ isDeleted: true }));
      else if (step.kind === "type") {
        const text = live.filter((element: any) => element.type === "text")[0];
        if (text) {
          const at = step.value % (text.originalText.length + 1);
          const typed = text.originalText.slice(0, at) + `${step.pick % 10}` + text.originalText.slice(at);
          elements = all.map((element: any) => (element.id === text.id ? bump(element, { originalText: typed, text: typed }) : element));
        }
      } else if (step.kind === "order") {
        const rest = all.filter((element: any) => element.id !== target.id);
        elements = [...rest, bump(target, { index: null })];
      }
      api.updateScene({ elements, captureUpdate: "IMMEDIATELY" });
    }
  }, steps);
}

/** What every reader makes up for itself, measures with its own fonts, or (`index`) repairs: the order itself is compared. */
const OWN = new Set([
  "index",
  "version",
  "versionNonce",
  "updated",
  "created",
  "text",
  "baseFontSize",
  "labelPosition",
  "lastCommittedPoint",
  "status",
]);

/** In drawing order, every property that a file holds. The size of a text follows from its words. */
function essence(all: Record<string, unknown>[]) {
  return all.map((element) => {
    const measured = (key: string) => element.type === "text" && /width|height/.test(key);
    const kept = Object.entries(element).filter(([key, value]) => !OWN.has(key) && !measured(key) && value !== undefined && value !== null);
    return Object.fromEntries(kept.map(([key, value]) => [key, key === "boundElements" ? (value as unknown[]).length : value]).sort());
  });
}

/** The editor fills in what a file leaves out. */
const asHeld = (shown: Record<string, unknown>[], held: Record<string, unknown>[]) =>
  shown.map((element, at) => Object.fromEntries(Object.entries(element).filter(([key]) => key in (held[at] ?? {}))));

/** Waits until both browsers and the server show the same, and holds them to it. */
async function sameEverywhere(pages: Page[], server: { api(path: string): Promise<{ value: any }> }, pageId: string) {
  const scenes = async () => {
    const [one, two] = await Promise.all(pages.map(shapes));
    const file = (await server.api(`/api/pages/${pageId}/export?format=excalidraw`)).value;
    return { one: essence(one as never), two: essence(two as never), held: essence(file.elements) };
  };
  await until(
    async () => {
      const { one, two, held } = await scenes();
      return JSON.stringify(one) === JSON.stringify(two) && JSON.stringify(asHeld(one, held)) === JSON.stringify(held);
    },
    "all three are the same",
    8000,
  ).catch(() => undefined);
  const { one, two, held } = await scenes();
  expect(two).toEqual(one);
  expect(held).toEqual(asHeld(one, held));
  return one;
}

for (const seed of SEEDS) {
  test(`two browsers and the server end the same (seed ${seed})`, async ({ context, server }) => {
    const pageId = await server.firstPage();
    const file = { type: "excalidraw", version: 2, source: "test", appState: {}, files: {}, ...board(seed) };
    const put = await fetch(`${server.origin}/api/pages/${pageId}/import?mode=replace`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
      body: JSON.stringify(file),
    });
    expect(put.ok).toBe(true);
    const pages = [await open(context, server.link), await open(context, server.link)];
    const next = random(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const plans = pages.map((_, who) => plan(next, `s${seed}w${who}`, round));
      await Promise.all(pages.map((page, who) => act(page, plans[who]!)));
      if (next(3) === 0) await pages[0]!.waitForTimeout(next(60));
    }
    const end = await sameEverywhere(pages, server, pageId);
    expect(end.length).toBeGreaterThan(10);
  });

  test(`two people type into one text at once, and no letter is lost (seed ${seed})`, async ({ context, server }) => {
    const pageId = await server.firstPage();
    const words = {
      id: "words",
      type: "text",
      x: 200,
      y: 500,
      width: 200,
      height: 25,
      text: "begin end",
      originalText: "begin end",
      fontSize: 20,
      fontFamily: 5,
    };
    const put = await fetch(`${server.origin}/api/pages/${pageId}/import?mode=replace`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
      body: JSON.stringify({ type: "excalidraw", version: 2, source: "test", appState: {}, files: {}, elements: [words] }),
    });
    expect(put.ok).toBe(true);
    const pages = [await open(context, server.link), await open(context, server.link)];
    const next = random(seed + 100);
    for (const page of pages) {
      await page.bringToFront();
      const { x, y } = await onScreen(page, { x: 240, y: 512 });
      await page.mouse.dblclick(x, y);
      await expect(page.locator("textarea.excalidraw-wysiwyg")).toBeFocused();
    }
    // One at the start, in capitals; the other from the end on anywhere, in digits.
    await pages[0]!.keyboard.press("Control+Home");
    await pages[1]!.keyboard.press("Control+End");
    const typed = ["", ""];
    for (let round = 0; round < 24; round++) {
      await Promise.all(
        pages.map(async (page, who) => {
          const letter = who === 0 ? String.fromCharCode(65 + (round % 26)) : String(round % 10);
          if (who === 1) for (let step = next(3); step > 0; step--) await page.keyboard.press(["ArrowLeft", "ArrowRight"][next(2)]!);
          typed[who] += letter;
          await page.keyboard.type(letter);
        }),
      );
      if (next(4) === 0) await pages[0]!.waitForTimeout(next(50));
    }
    for (const page of pages) await page.keyboard.press("Escape");
    const [text] = (await sameEverywhere(pages, server, pageId)) as [{ originalText: string }];
    const letters = (of: string) => [...of].sort().join("");
    expect(letters(text.originalText)).toBe(letters(`begin end${typed.join("")}`));
    expect(text.originalText.replace(/[^A-Z]/g, ""), "what one typed in a row stays in a row").toBe(typed[0]);
  });
}
