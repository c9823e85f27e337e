import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";

/** How shapes are called, for describing changes: by their label, else by what they are. */
export function lookIn(handle: CanvasHandle) {
  return (id: string) => {
    const element = handle.element(id);
    if (!element) return undefined;
    const { label, type, containerId, ...rest } = element;
    const name = label?.replace(/\s+/g, " ").trim() || strings.changes.types[type] || type;
    return { name, props: { ...handle.properties(id), ...rest }, shape: containerId ?? id };
  };
}
