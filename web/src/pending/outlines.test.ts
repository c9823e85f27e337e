import { describe, expect, it } from "vitest";
import type { Run } from "../api/types";
import type { ElementSummary } from "../canvas/types";
import { MOST, outlines } from "./outlines";

const run = (id: string, elements: string[]) => ({ id, fairy: `fairy of ${id}`, elements }) as Run;
const box = (change: Partial<ElementSummary> = {}): ElementSummary => ({
  x: 0,
  y: 0,
  width: 100,
  height: 50,
  angle: 0,
  type: "rectangle",
  ...change,
});
const color = (fairy: string) => `colour of the ${fairy}`;
const view = { x: 0, y: 0, w: 1000, h: 1000 };
const scene = (all: Record<string, ElementSummary>) => ({ view, element: (id: string) => all[id] });

describe("the marks of pending shapes", () => {
  it("go around boxes and along arrows, in the fairy's colour", () => {
    const arrow = box({
      type: "arrow",
      x: 10,
      points: [
        { x: 0, y: 0 },
        { x: 40, y: -5 },
      ],
    });
    expect(outlines([run("run_1", ["a", "b"])], color, scene({ a: box({ angle: Math.PI }), b: arrow }), null)).toEqual([
      { key: "a", run: "run_1", color: "colour of the fairy of run_1", kind: "box", x: -6, y: -6, w: 112, h: 62, turn: 180 },
      { key: "b", run: "run_1", color: "colour of the fairy of run_1", kind: "line", path: "M10 0L50 -5" },
    ]);
  });

  it("leave out what is gone, and the label of a box that has one", () => {
    const label = box({ type: "text", containerId: "a" });
    const all = scene({ a: box(), label });
    expect(outlines([run("run_1", ["a", "label", "gone"])], color, all, null).map(({ key }) => key)).toEqual(["a"]);
    // Only the words are the fairy's: then they are what is marked.
    expect(outlines([run("run_1", ["label"])], color, all, null).map(({ key }) => key)).toEqual(["label"]);
  });

  it("show a shape of two runs once: for the newest, or the one looked at", () => {
    const runs = [run("run_1", ["a"]), run("run_2", ["a"])];
    const marked = (hot: string | null) => outlines(runs, color, scene({ a: box() }), hot).map((mark) => mark.run);
    expect(marked(null)).toEqual(["run_2"]);
    expect(marked("run_1")).toEqual(["run_1"]);
  });

  it("are none when thousands are in view, and those in view when few are", () => {
    const ids = Array.from({ length: MOST * 3 }, (_, at) => `e${at}`);
    const all = Object.fromEntries(ids.map((id, at) => [id, box({ x: at * 200 })]));
    const far = { ...scene(all), view: { x: 0, y: 0, w: 1e9, h: 1e9 } };
    expect(outlines([run("run_1", ids)], color, far, null)).toEqual([]);
    expect(outlines([run("run_1", ids)], color, scene(all), null).map(({ key }) => key)).toEqual(["e0", "e1", "e2", "e3", "e4", "e5"]);
  });
});
