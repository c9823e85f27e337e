import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { MouseEvent } from "react";
import { pressBeyond } from "./edges";

/** A press beside the words, but not on a scroll bar: below or above all of them one goes on writing. */
export function pressedBeyond(event: MouseEvent, view: EditorView, run: (command: Command) => void): void {
  const { target, currentTarget } = event;
  const beside = target === currentTarget || target === view.dom.parentElement || target === view.dom;
  if (!beside || event.button !== 0 || event.nativeEvent.offsetX >= currentTarget.clientWidth) return;
  const [first, last] = [view.dom.firstElementChild, view.dom.lastElementChild];
  const below = last && event.clientY > last.getBoundingClientRect().bottom;
  const above = first && event.clientY < first.getBoundingClientRect().top;
  if (!below && !above) return;
  event.preventDefault();
  run(pressBeyond(below ? 1 : -1));
}
