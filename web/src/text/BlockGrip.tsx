import { NodeSelection, type Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { deleteBlock, duplicateBlock, moveBlockAt } from "./commands";
import { blockOf } from "./places";

interface BlockGripProps {
  view: EditorView;
  /** The block that it stands beside. */
  block: string;
  /** Whether its menu is. */
  open: boolean;
  onOpen(open: boolean): void;
  /** Its place in the frame. */
  top: number;
  left: number;
  run(command: Command): void;
  onComment?(block: string): void;
}

/** Beside a block: takes hold of it to move it, or opens what can be done with it. */
export function BlockGrip({ view, block, open, onOpen, top, left, run, onComment }: BlockGripProps) {
  const menu = useRef<HTMLDivElement>(null);
  const grip = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    menu.current?.querySelector("button")?.focus({ preventScroll: true });
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target) && !grip.current?.contains(event.target)) onOpen(false);
    };
    addEventListener("pointerdown", away, true);
    return () => removeEventListener("pointerdown", away, true);
  }, [open, onOpen]);

  const select = (): NodeSelection | null => {
    const found = blockOf(view.state.doc, block);
    if (!found) return null;
    const selection = NodeSelection.create(view.state.doc, found.at);
    view.dispatch(view.state.tr.setSelection(selection));
    return selection;
  };
  const act = (what: () => void) => () => {
    onOpen(false);
    what();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      onOpen(false);
      grip.current?.focus();
    } else if (step) items[(at + step + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = strings.text.block;
  const item = (label: string, icon: string, what: () => void) => (
    <button type="button" role="menuitem" onClick={act(what)}>
      <Icon name={icon} /> {label}
    </button>
  );
  return (
    <div className="text-grip-place" style={{ top, left }}>
      <button
        ref={grip}
        type="button"
        className="text-grip"
        draggable
        aria-label={words.menu}
        title={words.hint}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          select();
          onOpen(!open);
        }}
        onDragStart={(event) => {
          const selection = select();
          if (!selection) return;
          // The editor takes it from here: what is dropped in it is this very block, moved.
          view.dragging = { slice: selection.content(), move: true };
          event.dataTransfer.effectAllowed = "move";
          event.dataTransfer.setData("text/plain", selection.node.textContent);
          const dom = view.nodeDOM(selection.from);
          if (dom instanceof HTMLElement) event.dataTransfer.setDragImage(dom, 0, 0);
        }}
        onDragEnd={() => {
          view.dragging = null;
        }}
      >
        <Icon name="grip" />
      </button>
      {open && (
        <div ref={menu} className="text-block-menu" role="menu" aria-label={words.menu} onKeyDown={onKeyDown}>
          {item(words.up, "up", () => run(moveBlockAt(block, -1)))}
          {item(words.down, "down", () => run(moveBlockAt(block, 1)))}
          {item(words.duplicate, "copy", () => run(duplicateBlock(block)))}
          {onComment && item(strings.text.comment, "comment", () => onComment(block))}
          {item(words.delete, "delete", () => run(deleteBlock(block)))}
        </div>
      )}
    </div>
  );
}
