import { NodeSelection, type Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { Menu, type MenuItem } from "../ui/Menu";
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
  const select = (): NodeSelection | null => {
    const found = blockOf(view.state.doc, block);
    if (!found) return null;
    const selection = NodeSelection.create(view.state.doc, found.at);
    view.dispatch(view.state.tr.setSelection(selection));
    return selection;
  };
  const words = strings.text.block;
  const items: MenuItem[] = [
    { label: words.up, icon: "up", run: () => run(moveBlockAt(block, -1)) },
    { label: words.down, icon: "down", run: () => run(moveBlockAt(block, 1)) },
    { label: words.duplicate, icon: "copy", run: () => run(duplicateBlock(block)) },
    ...(onComment ? [{ label: strings.text.comment, icon: "comment", run: () => onComment(block) }] : []),
    { label: words.delete, icon: "delete", run: () => run(deleteBlock(block)) },
  ];
  return (
    <div className="text-grip-place" style={{ top, left }}>
      <button
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
      <Menu open={open} label={words.menu} items={items} onClose={() => onOpen(false)} />
    </div>
  );
}
