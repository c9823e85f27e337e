import { isInvisiblySmallElement } from "@excalidraw/element";
import type { ExcalidrawElement } from "@excalidraw/element/types";
import type { AppState } from "@excalidraw/excalidraw/types";

type Elements = ReadonlyMap<string, ExcalidrawElement>;

/**
 * The elements that a person has in hand: typing in, drawing, dragging, resizing, turning. Others' changes wait until
 * they let go, because the editor holds on to these very objects and would write over anything put in between.
 */
export function busyIds(state: AppState, elements: Elements): Set<string> {
  const busy = new Set<string>();
  const add = (id: string | null | undefined) => id && busy.add(id);
  add(state.editingTextElement?.id);
  add(state.newElement?.id);
  add(state.multiElement?.id);
  add(state.resizingElement?.id);
  add(state.croppingElementId);
  add(state.editingFrame);
  if (state.selectedLinearElement?.isDragging || state.selectedLinearElement?.isEditing) {
    add(state.selectedLinearElement.elementId);
  }
  const moving = state.selectedElementsAreBeingDragged || state.isResizing || state.isRotating || state.cursorButton === "down";
  if (moving) {
    Object.keys(state.selectedElementIds).forEach(add);
    for (const id of [...busy]) {
      addFollowers(id, elements, busy);
    }
  }
  return busy;
}

/** What moves along: labels, bound arrows with their labels, and what is in a frame. */
function addFollowers(id: string, elements: Elements, busy: Set<string>): void {
  const element = elements.get(id);
  for (const bound of element?.boundElements ?? []) {
    if (!busy.has(bound.id)) {
      busy.add(bound.id);
      if (bound.type === "arrow") {
        elements.get(bound.id)?.boundElements?.forEach((label) => label.type === "text" && busy.add(label.id));
      }
    }
  }
  if (element?.type === "frame" || element?.type === "magicframe") {
    for (const child of elements.values()) {
      if (child.frameId === id) {
        busy.add(child.id);
      }
    }
  }
}

/**
 * New elements that are not worth sending yet: a text nobody has typed in, a shape too small to see (a click that may
 * come to nothing), and a freehand line still being drawn, because every point would send all points again.
 */
export function heldIds(state: AppState, elements: Elements): Set<string> {
  const held = new Set<string>();
  const drawn = state.newElement ?? state.multiElement;
  const current = drawn ? (elements.get(drawn.id) ?? drawn) : undefined;
  if (current && (current.type === "freedraw" || isInvisiblySmallElement(current))) {
    held.add(current.id);
  }
  const typed = state.editingTextElement && elements.get(state.editingTextElement.id);
  if (typed?.type === "text" && typed.originalText === "") {
    held.add(typed.id);
  }
  return held;
}
