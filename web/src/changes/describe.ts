import type { RunChange } from "../api/types";
import { strings } from "../strings";

/** One line of what a run did to one shape. */
export interface ChangeLine {
  element: string;
  /** What the shape is called, or what it is. */
  name: string;
  what: string;
  /** Plain values that are worth showing side by side. */
  before?: string;
  after?: string;
}

type Look = (id: string) => { name: string; props: Record<string, unknown>; shape: string } | undefined;

/** Properties that are one thing to a person. */
const GROUPS: Record<string, keyof typeof strings.changes.what> = {
  x: "moved",
  y: "moved",
  width: "resized",
  height: "resized",
  angle: "turned",
  points: "redrawn",
  originalText: "words",
  index: "order",
  isDeleted: "deleted",
  strokeColor: "stroke",
  backgroundColor: "fill",
  fillStyle: "fill",
  fontSize: "size",
  startBinding: "bound",
  endBinding: "bound",
};

const shown = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/**
 * What a run did, shape by shape, in words. What only follows from something
 * else is left out, and a new shape is new: nobody wants its twenty properties.
 */
export function describeChanges(changes: readonly RunChange[], look: Look): ChangeLine[] {
  const lines = new Map<string, ChangeLine>();
  const made = new Set(changes.filter(({ created }) => created).map(({ element }) => element));
  for (const { element, property, created, derived, before } of changes) {
    const found = look(element);
    const shape = found?.shape ?? element;
    if (derived || (made.has(element) && !created) || (created && shape !== element && made.has(shape))) continue;
    const kind = created ? "new" : (GROUPS[property] ?? "changed");
    const key = `${shape} ${kind}`;
    if (lines.has(key)) continue;
    const line: ChangeLine = { element: shape, name: look(shape)?.name ?? strings.changes.gone, what: strings.changes.what[kind] };
    if ((kind === "stroke" || kind === "fill" || kind === "size") && shown(before) !== undefined) {
      line.before = shown(before);
      line.after = shown(found?.props[property]);
    }
    lines.set(key, line);
  }
  return [...lines.values()];
}

/** The scene as it was before a run: without what it made, and with what it changed put back. */
export function sceneBefore<E extends { id: string }>(scene: readonly E[], changes: readonly RunChange[]): E[] {
  const made = new Set(changes.filter(({ created }) => created).map(({ element }) => element));
  const back = new Map<string, Record<string, unknown>>();
  for (const { element, property, created, before } of changes) {
    if (created || property === "" || property === "originalText") continue;
    // The first action's before-value is the oldest.
    const values = back.get(element) ?? {};
    if (!(property in values)) values[property] = before ?? null;
    back.set(element, values);
  }
  return scene
    .filter(({ id }) => !made.has(id))
    .map((element) => {
      const values = back.get(element.id);
      return values ? { ...element, ...values } : element;
    })
    .filter((element) => (element as { isDeleted?: unknown }).isDeleted !== true);
}
