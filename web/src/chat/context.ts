import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { AskContext, ContextItem } from "./createChat";

interface Hand {
  page: string | undefined;
  handle: Pick<CanvasHandle, "viewport" | "element" | "ownerOf"> | null;
  selection: readonly string[];
  /** The selection a person took out of their next words. The next selection is another matter. */
  leftOut: readonly string[];
  viewAlong: boolean;
  /** Points and areas that they picked. */
  picked?: readonly ContextItem[];
}

/** The selected shapes that go along: all of them, or none. */
export function alongWith(selection: readonly string[], leftOut: readonly string[]): string[] {
  return selection.join() === leftOut.join() ? [] : [...selection];
}

/** What goes along with words said now. A function, because the view moves without a render. */
export function askContext({ page, handle, selection, leftOut, viewAlong, picked = [] }: Hand): () => AskContext {
  return () => ({
    ...(page === undefined ? {} : { page }),
    ...(handle && viewAlong ? { bounds: handle.viewport() } : {}),
    selection: alongWith(selection, leftOut),
    ...(picked.length > 0 ? { contextItems: [...picked] } : {}),
  });
}

/** What the chip of the selected shapes says: the name of a single one that has a name, else how many. */
export function chipText(handle: Hand["handle"], selection: readonly string[], leftOut: readonly string[]): string | null {
  const along = alongWith(selection, leftOut);
  if (along.length === 0) return null;
  const name = along.length === 1 && along[0] ? handle?.element(along[0])?.label?.replace(/\s+/g, " ").trim() : undefined;
  return name || (handle?.ownerOf ? strings.text.blocks : strings.chat.shapes)(along.length);
}
