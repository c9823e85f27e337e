// Random concurrent edits in two browsers: both and the server end the same.
import type { Page } from "@playwright/test";
import { expect, open, shapes, test, until } from "./studio";

const SEEDS = (process.env.GLADE_SEEDS ?? "1,2,3,4").split(",").map(Number);
const ROUNDS = 12;

/** Small, seeded, good enough to mix things up. */
function random(seed: number) {
  let state = seed * 2654435761 >>> 0;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state % below;
  };
}

interface Step { kind: "add" | "move" | "colour" | "resize" | "delete" | "type" | "order"; pick: number; value: number; id: string }

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
      const bump = (element: any, change: object) => ({ ...element, ...change, version: element.version + 1, versionNonce: Math.floor(Math.random() * 2 ** 31) });
      const replace = (change: (element: any) => object) => all.map((element: any) => (element.id === target?.id ? bump(element, change(element)) : element));
      let elements = all;
      if (step.kind === "add") {
        const base = { x: step.value, y: step.pick % 300, angle: 0, strokeColor: "#1e1e1e", backgroundColor: "transparent", fillStyle: "solid", strokeWidth: 2, strokeStyle: "solid", roughness: 1, opacity: 100, groupIds: [], frameId: null, roundness: null, seed: step.pick + 1, version: 1, versionNonce: step.pick + 7, isDeleted: false, boundElements: null, updated: 1, link: null, locked: false, index: null };
        const element = step.value % 3 === 0
          ? { ...base, id: step.id, type: "text", text: "hello", originalText: "hello", fontSize: 20, fontFamily: 5, textAlign: "left", verticalAlign: "top", containerId: null, autoResize: true, lineHeight: 1.25, width: 50, height: 25 }
          : { ...base, id: step.id, type: "rectangle", width: 80, height: 40 };
        elements = [...all, element];
      } else if (!target) continue;
      else if (step.kind === "move") elements = replace(() => ({ x: step.value, y: step.value / 2 }));
      else if (step.kind === "colour") elements = replace(() => ({ backgroundColor: ["#ffc9c9", "#b2f2bb", "#a5d8ff"][step.value % 3] }));
      else if (step.kind === "resize" && target.type !== "text") elements = replace(() => ({ width: 20 + step.value, height: 20 + step.value / 2 }));
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

const KEPT = ["id", "type", "x", "y", "width", "height", "backgroundColor", "strokeColor", "originalText"] as const;

/** In drawing order. The size of a text follows from its words: every reader measures for itself. */
function essence(all: Record<string, unknown>[]) {
  return all.map((element) => {
    const kept = KEPT.filter((key) => element[key] !== undefined && !(element.type === "text" && /width|height/.test(key)));
    return Object.fromEntries(kept.map((key) => [key, element[key]]));
  });
}

for (const seed of SEEDS) {
  test(`two browsers and the server end the same (seed ${seed})`, async ({ context, server }) => {
    const pages = [await open(context, server.link), await open(context, server.link)];
    const pageId = await server.firstPage();
    const next = random(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const plans = pages.map((_, who) => plan(next, `s${seed}w${who}`, round));
      await Promise.all(pages.map((page, who) => act(page, plans[who]!)));
      if (next(3) === 0) await pages[0]!.waitForTimeout(next(60));
    }
    const scenes = async () => {
      const [one, two] = await Promise.all(pages.map(shapes));
      const file = (await server.api(`/api/pages/${pageId}/export?format=excalidraw`)).value;
      return {
        one: essence(one as never),
        two: essence(two as never),
        held: essence(file.elements),
      };
    };
    await until(async () => {
      const { one, two, held } = await scenes();
      return JSON.stringify(one) === JSON.stringify(two) && JSON.stringify(one) === JSON.stringify(held);
    }, "all three are the same", 8000).catch(() => undefined);
    const { one, two, held } = await scenes();
    expect(two).toEqual(one);
    expect(held).toEqual(one);
    expect(one.length).toBeGreaterThan(0);
  });
}
