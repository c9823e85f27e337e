import { type References, idOf } from "./references";
import { TEXT, canHoldText, withDefaults, type Props } from "./schema";

/** Wraps, measures and places a text; everything about it that follows from other properties. */
export type TextLayout = (text: Props, container: Props | null) => Props;

export interface DocView {
  raw(id: string): Props | undefined;
  references: References;
}

/**
 * One element of the document as the editor should see it: defaults filled in, what is derived derived, and what a
 * merge left inconsistent repaired. Repairs live here only; the document gets them with the next real edit.
 */
export function projectElement(view: DocView, id: string, layout: TextLayout): Props | undefined {
  const element = withDefaults(id, view.raw(id));
  if (!element) {
    return undefined;
  }
  if (!isAlive(view.raw(element.frameId as string))) {
    element.frameId = null;
  }
  for (const key of ["startBinding", "endBinding"]) {
    if (key in element) {
      element[key] = bindingOf(view, element[key]);
    }
  }
  element.boundElements = boundElements(view, id);
  if (element.type === "text") {
    const container = containerOf(view, id, element.containerId);
    element.containerId = container ? element.containerId : null;
    Object.assign(element, { text: element[TEXT] }, layout(element, container));
  }
  return element;
}

/** Labels and arrows that hold on to an element, in a fixed order; null when there are none. */
function boundElements(view: DocView, id: string): Props[] | null {
  const label = labelOf(view, id);
  const bound: Props[] = label ? [{ id: label, type: "text" }] : [];
  for (const other of view.references.at(id)) {
    const raw = view.raw(other);
    const holds = idOf(raw?.startBinding) === id || idOf(raw?.endBinding) === id;
    if (raw?.type === "arrow" && isAlive(raw) && holds) {
      bound.push({ id: other, type: "arrow" });
    }
  }
  return bound.length > 0 ? bound : null;
}

/** A container has one label: of several that a merge left, the one with the smallest id. */
function labelOf(view: DocView, container: string): string | undefined {
  if (!canHoldText(view.raw(container)?.type)) {
    return undefined;
  }
  return view.references.at(container).find((id) => {
    const raw = view.raw(id);
    return raw?.type === "text" && isAlive(raw) && raw.containerId === container;
  });
}

function containerOf(view: DocView, label: string, container: unknown): Props | null {
  if (typeof container !== "string" || !isAlive(view.raw(container))) {
    return null;
  }
  // A deleted label keeps pointing at its container, so that bringing it back puts it where it was.
  const isLabel = labelOf(view, container) === label || !isAlive(view.raw(label));
  return isLabel && canHoldText(view.raw(container)?.type) ? (withDefaults(container, view.raw(container)) ?? null) : null;
}

function bindingOf(view: DocView, binding: unknown): unknown {
  const target = idOf(binding);
  if (target === undefined || !isAlive(view.raw(target))) {
    return null;
  }
  const { fixedPoint, mode } = binding as { fixedPoint?: unknown; mode?: unknown };
  // Older files say `{elementId, focus, gap}`.
  return Array.isArray(fixedPoint) && typeof mode === "string"
    ? binding
    : { elementId: target, fixedPoint: Array.isArray(fixedPoint) ? fixedPoint : [0.5, 0.5], mode: mode ?? "orbit" };
}

export function isAlive(raw: Props | undefined): raw is Props {
  return raw !== undefined && raw.isDeleted !== true;
}
