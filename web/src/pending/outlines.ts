import type { Run } from "../api/types";
import { boundsOf } from "../canvas/bounds";
import type { ElementSummary } from "../canvas/types";
import type { Rect } from "../sync";

/** The mark around one shape that waits to be kept or undone, in page coordinates. */
export type Outline = { key: string; run: string; color: string } & (
  | { kind: "box"; x: number; y: number; w: number; h: number; turn: number }
  | { kind: "line"; path: string }
);

/** More marks than this in sight say nothing to the eye, and cost frames. */
export const MOST = 400;
/** Room between a shape and its mark. */
const PAD = 6;

interface Scene {
  element(id: string): ElementSummary | undefined;
  view: Rect;
}

/**
 * The marks to draw. A shape of several runs wears that of the newest, or of
 * the one being looked at; a label has none beside its box's. When there are
 * too many, those in view alone count, and too many in view are none.
 */
export function outlines(runs: readonly Run[], colorOf: (author: string) => string, scene: Scene, hot: string | null): Outline[] {
  const owner = new Map<string, Run>();
  for (const run of [...runs].sort((a, b) => Number(a.id === hot) - Number(b.id === hot))) {
    for (const id of run.elements) owner.set(id, run);
  }
  const few = owner.size <= MOST;
  const found: Outline[] = [];
  for (const [id, run] of owner) {
    const element = scene.element(id);
    if (!element) continue;
    if (element.containerId && scene.element(element.containerId)) {
      if (owner.has(element.containerId)) continue;
    }
    if (!few && !meets(boundsOf(element), scene.view)) continue;
    found.push({ key: id, run: run.id, color: colorOf(run.fairy || (run.author ?? "")), ...outline(element) });
    if (found.length > MOST) return [];
  }
  return found;
}

function outline({ x, y, width, height, angle, points }: ElementSummary) {
  if (points && points.length > 1) {
    const path = points.map((point, at) => `${at ? "L" : "M"}${round(x + point.x)} ${round(y + point.y)}`).join("");
    return { kind: "line" as const, path };
  }
  return {
    kind: "box" as const,
    x: round(x - PAD),
    y: round(y - PAD),
    w: round(width + 2 * PAD),
    h: round(height + 2 * PAD),
    turn: round((angle * 180) / Math.PI),
  };
}

function meets(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}

const round = (n: number) => Math.round(n * 100) / 100;
