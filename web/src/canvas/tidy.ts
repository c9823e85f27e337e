import { CaptureUpdateAction, newElementWith } from "@excalidraw/element";
import type { ExcalidrawElement } from "@excalidraw/element/types";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import { api as server } from "../api/client";

/** The keys that tidy, beside the menu. */
export const TIDY_KEYS = "Alt+T";

/** Whether a key is that of tidying: by its place, for with Alt some keyboards write another letter. */
export function isTidyKey(event: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">): boolean {
  return event.code === "KeyT" && event.altKey && !(event.ctrlKey || event.metaKey || event.shiftKey);
}

/** Lays out what is selected, or the whole page, as one edit of the person's own: the editor can undo it. */
export async function tidy(editor: ExcalidrawImperativeAPI, page: string): Promise<void> {
  const selected = Object.keys(editor.getAppState().selectedElementIds);
  const { changes } = await server.tidy(page, selected);
  if (editor.isDestroyed || changes.length === 0) return;
  editor.updateScene({
    elements: withChanges(editor.getSceneElementsIncludingDeleted(), changes),
    captureUpdate: CaptureUpdateAction.IMMEDIATELY,
  });
}

/** Elements with what changes of some; what somebody has deleted meanwhile stays deleted. */
export function withChanges(
  elements: readonly ExcalidrawElement[],
  changes: readonly { id: string; props: Record<string, unknown> }[],
): ExcalidrawElement[] {
  const byId = new Map(changes.map(({ id, props }) => [id, props]));
  return elements.map((element) => {
    const props = byId.get(element.id);
    return props && !element.isDeleted ? newElementWith(element, props) : element;
  });
}
