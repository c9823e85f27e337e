import { getFontString } from "@excalidraw/common";
import { computeBoundTextPosition, getBoundTextMaxWidth, measureText, syncInvalidIndicesImmutable, wrapText } from "@excalidraw/element";
import type { ElementsMap, ExcalidrawElement, ExcalidrawTextElement, ExcalidrawTextElementWithContainer } from "@excalidraw/element/types";
import type { RepairIndices } from "./order";
import type { TextLayout } from "./projection";
import type { Props } from "./schema";

/** Measured and stored sizes that are this close are the same; measurements differ a little between machines. */
const CLOSE = 1;

/**
 * How Excalidraw itself would lay a text out, from `originalText` and its container. Stored numbers are kept where
 * they agree, so that looking at a page changes nothing; where a merge or another measure left them wrong, they are
 * made right for the eye.
 */
export const layoutText: TextLayout = (props, containerProps) => {
  const element = props as unknown as ExcalidrawTextElement;
  const container = containerProps as unknown as ExcalidrawElement | null;
  const font = getFontString(element);
  const original = element.originalText;
  const wraps = container !== null || !element.autoResize;
  const width = container ? getBoundTextMaxWidth(container, element) : element.width;
  const text = wraps ? wrapText(original, font, width) : original;
  const measured = measureText(text, font, element.lineHeight);
  const layout: Props = { text };
  if (element.autoResize !== false) {
    layout.width = settle(element.width, measured.width);
  }
  layout.height = settle(element.height, measured.height);
  if (container) {
    const label = { ...element, ...layout } as unknown as ExcalidrawTextElementWithContainer;
    const elements = new Map([
      [container.id, container],
      [label.id, label],
    ]) as unknown as ElementsMap;
    const place = computeBoundTextPosition(container, label, elements);
    layout.x = settle(element.x, place.x);
    layout.y = settle(element.y, place.y);
    layout.angle = container.type === "arrow" ? 0 : container.angle;
  }
  return layout;
};

export const repairIndices: RepairIndices = (sorted) => {
  const repaired = syncInvalidIndicesImmutable(sorted as unknown as ExcalidrawElement[]);
  return new Map([...(repaired?.values() ?? [])].map((element) => [element.id, element.index]));
};

function settle(stored: number, derived: number): number {
  return Number.isFinite(derived) && Math.abs(stored - derived) > CLOSE ? derived : stored;
}
