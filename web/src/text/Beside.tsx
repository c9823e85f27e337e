import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useReducer, useState, type RefObject } from "react";
import type { Run, RunPart } from "../api/types";
import { strings } from "../strings";
import { BlockGrip } from "./BlockGrip";
import { Decide } from "./Decide";
import { blockOf, inner } from "./places";

/** Whose a run is. */
export interface Author {
  name: string;
  color: string;
}

export interface Settling {
  /** What is being written on this page, or waits to be kept or undone. */
  runs: readonly Run[];
  author(run: Run): Author;
  /** Whether this person decides about it. */
  maySettle(run: Run): boolean;
  onSettle(run: Run, how: "keep" | "undo", part: RunPart): Promise<void>;
}

interface BesideProps extends Settling {
  view: EditorView;
  state: EditorState;
  frame: RefObject<HTMLElement | null>;
  readOnly: boolean;
  run(command: Command): void;
  onComment?(block: string): void;
}

/** The block under the pointer, whatever is to the left or right of it. */
function blockAtHeight(view: EditorView, y: number): string | null {
  const { left, right } = view.dom.getBoundingClientRect();
  for (const x of [left + 12, (left + right) / 2]) {
    const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-block]");
    if (found && view.dom.contains(found)) return found.dataset.block ?? null;
  }
  return null;
}

/** In the margins of a block: its grip on the left; on the right what a fairy did to it, to keep or undo. */
export function Beside({ view, state, frame, readOnly, runs, author, maySettle, onSettle, run, onComment }: BesideProps) {
  const [hovered, setHovered] = useState<string | null>(null);
  /** The block whose menu is open: the grip stays with it, wherever the pointer goes on its way there. */
  const [open, setOpen] = useState<string | null>(null);
  const [, moved] = useReducer((n: number) => n + 1, 0);

  useEffect(() => {
    const around = frame.current;
    if (!around) return;
    let [pending, y] = [0, 0];
    const onMove = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || (event.target instanceof Element && event.target.closest(".text-grip-place, .text-decide")))
        return;
      // Where the pointer is when the frame comes, not where it was when the frame was asked for.
      y = event.clientY;
      pending ||= requestAnimationFrame(() => {
        pending = 0;
        setHovered(blockAtHeight(view, y));
      });
    };
    const onLeave = () => setHovered(null);
    around.addEventListener("pointermove", onMove);
    around.addEventListener("pointerleave", onLeave);
    around.addEventListener("scroll", moved, true);
    addEventListener("resize", moved);
    return () => {
      cancelAnimationFrame(pending);
      around.removeEventListener("pointermove", onMove);
      around.removeEventListener("pointerleave", onLeave);
      around.removeEventListener("scroll", moved, true);
      removeEventListener("resize", moved);
    };
  }, [frame, view]);

  const caret =
    state.selection.$from.depth > 0 || !state.selection.empty
      ? (state.doc.nodeAt(state.selection.$from.depth > 0 ? state.selection.$from.before(1) : state.selection.from)?.attrs.id as
          | string
          | undefined)
      : undefined;
  const at = (block: string | null | undefined) => (block ? blockOf(state.doc, block) : null);
  const found = at(open) ?? at(hovered) ?? at(caret);
  const gone = open !== null && !at(open);
  useEffect(() => {
    if (gone) setOpen(null);
  }, [gone]);
  const dom = found && view.dom.querySelector<HTMLElement>(`[data-block="${CSS.escape(found.node.attrs.id)}"]`);
  const around = frame.current?.getBoundingClientRect();
  if (!found || !dom || !around) return null;
  const [here, column] = [dom.getBoundingClientRect(), view.dom.getBoundingClientRect()];
  const top = here.top - around.top;
  const id = found.node.attrs.id as string;
  const ids = new Set(inner(found.node));
  const waiting = runs.find(({ elements }) => elements.some((id) => ids.has(id)));
  const touched = waiting?.elements.filter((id) => ids.has(id)) ?? [];
  return (
    <>
      {!readOnly && (
        <BlockGrip
          view={view}
          block={id}
          open={open === id}
          onOpen={(show) => setOpen(show ? id : null)}
          top={top}
          left={Math.max(0, column.left - around.left - 30)}
          run={run}
          onComment={onComment}
        />
      )}
      {waiting && maySettle(waiting) && (
        <div className="text-margin" style={{ top: top + here.height, right: Math.max(4, around.right - column.right) }}>
          <Decide
            label={strings.text.changedHere(author(waiting).name)}
            color={author(waiting).color}
            onKeep={() => onSettle(waiting, "keep", { elements: touched })}
            onUndo={() => onSettle(waiting, "undo", { elements: touched })}
          />
        </div>
      )}
    </>
  );
}
