import {
  chainCommands,
  createParagraphNear,
  deleteSelection,
  exitCode,
  joinBackward,
  joinForward,
  liftEmptyBlock,
  newlineInCode,
  selectAll,
  selectNodeBackward,
  selectNodeForward,
  splitBlock,
  toggleMark,
} from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import type { Node } from "prosemirror-model";
import { NodeSelection, TextSelection, type Command, type EditorState, type Plugin, type Transaction } from "prosemirror-state";
import { arrowBeyond, enterBeyond } from "./edges";
import { place, type } from "./kinds";
import { blockId, schema } from "./schema";
import { enterSign } from "./shortcuts";
import { NOTHING_BARRED, type Barred } from "./useBarred";

/** The block on the page that the caret is in, or that is selected, and where. */
export function blockAt(state: EditorState): { at: number; index: number } | null {
  const { $from } = state.selection;
  if ($from.depth > 0) return { at: $from.before(1), index: $from.index(0) };
  return state.selection instanceof NodeSelection ? { at: $from.pos, index: $from.index(0) } : null;
}

/** Makes the selected blocks another kind, in place: words, marks and comments stay. */
export function setKind(name: string, attrs: Record<string, unknown> = {}): Command {
  return (state, dispatch) => {
    const { from, to } = state.selection;
    const transaction = state.tr;
    state.doc.nodesBetween(from, to, (node, at, parent) => {
      if (parent === state.doc && node.isTextblock) {
        // What the other kind cannot hold goes: code has no bold words.
        const inside = transaction.mapping.map(at + 1);
        transaction.setBlockType(inside, inside, type(name), { ...place(node), ...attrs });
      }
      return false;
    });
    if (!transaction.docChanged) return false;
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Puts blocks that are no text after one, or the caret's, and a paragraph after them to go on in. */
export function insertBlock(
  name: string,
  attrs: Record<string, unknown> | readonly Record<string, unknown>[] = {},
  beside?: string,
): Command {
  return (state, dispatch) => {
    const here = (beside && placeOf(state, beside)) || blockAt(state);
    if (!here) return false;
    const made = name === "table" ? [newTable(3, 3)] : [attrs].flat().map((one) => type(name).create(one));
    const block = state.doc.child(here.index);
    const after = here.at + block.nodeSize;
    const empty = block.isTextblock && block.content.size === 0;
    const transaction = state.tr;
    if (empty && here.index < state.doc.childCount - 1) transaction.replaceWith(here.at, after, made);
    else transaction.insert(empty ? here.at : after, empty ? made : [...made, type("paragraph").create()]);
    if (name === "table") {
      const at = transaction.mapping.map(empty ? here.at : after, -1);
      transaction.setSelection(TextSelection.near(transaction.doc.resolve(at + 3)));
    }
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Puts blocks after one, or the caret's; in the place of an empty one. */
export function insertBlocks(made: readonly Node[], beside?: string): Command {
  return (state, dispatch) => {
    const here = (beside && placeOf(state, beside)) || blockAt(state);
    const block = here && state.doc.child(here.index);
    const transaction = state.tr;
    if (!here || !block) transaction.insert(state.doc.content.size, made);
    else if (block.isTextblock && block.content.size === 0) transaction.replaceWith(here.at, here.at + block.nodeSize, made);
    else transaction.insert(here.at + block.nodeSize, made);
    dispatch?.(transaction.scrollIntoView());
    return made.length > 0;
  };
}

function newTable(rows: number, columns: number) {
  const row = () =>
    type("tableRow").create(
      null,
      Array.from({ length: columns }, () => type("tableCell").create()),
    );
  return type("table").create(null, Array.from({ length: rows }, row));
}

export function indent(by: 1 | -1): Command {
  return (state, dispatch) => {
    const transaction = state.tr;
    state.doc.nodesBetween(state.selection.from, state.selection.to, (node, at, parent) => {
      if (parent === state.doc && "indent" in node.attrs) {
        const next = Math.min(8, Math.max(0, (node.attrs.indent ?? 0) + by));
        if (next !== node.attrs.indent) transaction.setNodeMarkup(at, null, { ...node.attrs, indent: next });
      }
      return false;
    });
    if (transaction.docChanged) dispatch?.(transaction);
    return true;
  };
}

/** Moves the caret's block over its neighbour. */
export function moveBlock(by: 1 | -1): Command {
  return (state, dispatch) => {
    const here = blockAt(state);
    return here ? moveOver(state, here, by, dispatch) : false;
  };
}

/** Moves a block over its neighbour, wherever the caret is. */
export function moveBlockAt(block: string, by: 1 | -1): Command {
  return (state, dispatch) => {
    const here = placeOf(state, block);
    return here ? moveOver(state, here, by, dispatch) : false;
  };
}

function moveOver(
  state: EditorState,
  here: { at: number; index: number },
  by: 1 | -1,
  dispatch?: (transaction: Transaction) => void,
): boolean {
  const other = here.index + by;
  if (other < 0 || other >= state.doc.childCount) return false;
  const [node, neighbour] = [state.doc.child(here.index), state.doc.child(other)];
  const to = by === 1 ? here.at + neighbour.nodeSize : here.at - neighbour.nodeSize;
  const offset = Math.min(Math.max(0, state.selection.from - here.at), node.nodeSize - 1);
  const transaction = state.tr.delete(here.at, here.at + node.nodeSize).insert(to, node);
  transaction.setSelection(TextSelection.near(transaction.doc.resolve(to + offset)));
  dispatch?.(transaction.scrollIntoView());
  return true;
}

function placeOf(state: EditorState, block: string): { at: number; index: number } | null {
  let found: { at: number; index: number } | null = null;
  state.doc.forEach((node, at, index) => {
    if (node.attrs.id === block) found = { at, index };
  });
  return found;
}

export function deleteBlock(block: string): Command {
  return (state, dispatch) => {
    const here = placeOf(state, block);
    if (!here) return false;
    const transaction = state.tr.delete(here.at, here.at + state.doc.child(here.index).nodeSize);
    dispatch?.(transaction.setSelection(TextSelection.near(transaction.doc.resolve(Math.min(here.at, transaction.doc.content.size)))));
    return true;
  };
}

/** The same block once more, below it, under ids of its own. */
export function duplicateBlock(block: string): Command {
  return (state, dispatch) => {
    const here = placeOf(state, block);
    if (!here) return false;
    const node = state.doc.child(here.index);
    const fresh = node.type.name === "table" ? { columns: [] } : {};
    const rows = node.type.name === "table" ? node.content.content.map((row) => row.type.create({ id: null }, row.content)) : node.content;
    dispatch?.(state.tr.insert(here.at + node.nodeSize, node.type.create({ ...node.attrs, id: null, ...fresh }, rows)).scrollIntoView());
    return true;
  };
}

/** Where a cell begins, from the beginning of its table. */
function cellPlace(table: Node, row: number, column: number): number {
  let at = 2;
  for (let each = 0; each < row; each++) at += table.child(each).nodeSize;
  for (let each = 0; each < column; each++) at += table.child(row).child(each).nodeSize;
  return at;
}

/** Enter in a cell goes to the one below, and leaves the table from the last row. */
const enterCell: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type.name !== "tableCell") return false;
  const [table, row, column] = [$from.node(1), $from.index(1), $from.index(2)];
  if (row + 1 < table.childCount) {
    const below = $from.before(1) + cellPlace(table, row + 1, column) + 1;
    dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(below))).scrollIntoView());
    return true;
  }
  const after = $from.after(1);
  const transaction = state.tr;
  if (after >= state.doc.content.size) transaction.insert(after, type("paragraph").create());
  dispatch?.(transaction.setSelection(TextSelection.near(transaction.doc.resolve(after + 1))).scrollIntoView());
  return true;
};

/** Up and down go to the cell above or below; out of the table from its first and last row. */
const cellAcross =
  (by: 1 | -1): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    if (!empty || $from.parent.type.name !== "tableCell" || !view?.endOfTextblock(by === 1 ? "down" : "up")) return false;
    const [table, row, column] = [$from.node(1), $from.index(1) + by, $from.index(2)];
    if (row < 0 || row >= table.childCount) return false;
    const there = $from.before(1) + cellPlace(table, row, column) + 1;
    const last = table.child(row).child(column).content.size;
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, there + Math.min($from.parentOffset, last))).scrollIntoView());
    return true;
  };

/** Enter in an empty list item or quote ends it; elsewhere a new block of the same kind, after a heading a paragraph. */
const enter =
  (barred: () => Barred): Command =>
  (state, dispatch) => {
    const here = blockAt(state);
    const block = here && state.doc.child(here.index);
    if (!here || !block?.isTextblock || !state.selection.empty) return false;
    if (["listItem", "blockquote", "callout"].includes(block.type.name) && block.content.size === 0)
      return setKind("paragraph")(state, dispatch);
    const alike = !barred().blocks.has(block.type.name);
    if (block.type.name === "listItem" || block.type.name === "blockquote" || !alike) {
      const next = alike
        ? { type: block.type, attrs: { ...block.attrs, checked: false, start: null, anew: false } }
        : { type: type("paragraph"), attrs: { ...place(block), id: null } };
      const transaction = state.tr.split(state.selection.from, 1, [next]);
      dispatch?.(transaction.scrollIntoView());
      return true;
    }
    return false;
  };

/** Backspace at the beginning of anything but a paragraph makes it one. */
const plainAgain: Command = (state, dispatch) => {
  const here = blockAt(state);
  const block = here && state.doc.child(here.index);
  if (!block || !state.selection.empty || state.selection.$from.parentOffset > 0 || block.type.name === "table") return false;
  if (block.attrs.indent > 0) return indent(-1)(state, dispatch);
  return block.isTextblock && block.type.name !== "paragraph" ? setKind("paragraph")(state, dispatch) : false;
};

const lineBreak: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.spec.code) return newlineInCode(state, dispatch);
  dispatch?.(state.tr.replaceSelectionWith(type("hardBreak").create()).scrollIntoView());
  return true;
};

const codeTab: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.spec.code) return false;
  dispatch?.(state.tr.insertText("  ").scrollIntoView());
  return true;
};

function cellStep(by: 1 | -1, barred: () => Barred): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type.name !== "tableCell") return false;
    const table = $from.node(1);
    const last = $from.index(1) === table.childCount - 1 && $from.index(2) === $from.node(2).childCount - 1;
    if (by === 1 && last && barred().blocks.has("tableRow")) return true;
    if (by === 1 && last) {
      const row = type("tableRow").create(
        null,
        Array.from({ length: $from.node(2).childCount }, () => type("tableCell").create()),
      );
      const end = $from.after(1) - 1;
      const transaction = state.tr.insert(end, row);
      dispatch?.(transaction.setSelection(TextSelection.near(transaction.doc.resolve(end + 2))).scrollIntoView());
      return true;
    }
    const edge = by === 1 ? $from.after() : $from.before();
    const next = TextSelection.findFrom(state.doc.resolve(edge), by, true);
    if (next) dispatch?.(state.tr.setSelection(next).scrollIntoView());
    return true;
  };
}

/** Adds a row below, or a column to the right of, the caret's cell; or takes its row or column away. */
export function changeTable(change: "row" | "column" | "-row" | "-column"): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type.name !== "tableCell") return false;
    const table = $from.node(1);
    const [row, column] = [$from.index(1), $from.index(2)];
    const rows = table.content.content.map((each) => ({ id: each.attrs.id as string | null, cells: [...each.content.content] }));
    let columns = [...(table.attrs.columns as string[])];
    const cell = () => type("tableCell").create();
    if (change === "row") rows.splice(row + 1, 0, { id: null, cells: columns.map(cell) });
    if (change === "column") {
      columns.splice(column + 1, 0, blockId());
      rows.forEach((each) => each.cells.splice(column + 1, 0, cell()));
    }
    if (change === "-row") rows.splice(row, 1);
    if (change === "-column") {
      columns = columns.filter((_, at) => at !== column);
      rows.forEach((each) => each.cells.splice(column, 1));
    }
    const transaction = state.tr;
    const at = $from.before(1);
    if (rows.length === 0 || columns.length === 0) transaction.delete(at, at + table.nodeSize);
    else {
      const made = rows.map(({ id, cells }) => type("tableRow").create({ id }, cells));
      const changed = table.type.create({ ...table.attrs, columns }, made);
      transaction.replaceWith(at, at + table.nodeSize, changed);
      const cell = cellPlace(changed, Math.min(row, rows.length - 1), Math.min(column, columns.length - 1));
      transaction.setSelection(TextSelection.near(transaction.doc.resolve(at + cell + 1)));
    }
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

export const mark = (name: string, attrs?: Record<string, unknown>): Command => {
  const found = schema.marks[name];
  if (!found) throw new Error(`there is no mark ${name}`);
  return toggleMark(found, attrs);
};

/** `undo` and `redo` are the document's: they know whose is what. */
export function keys(undo: () => boolean, redo: () => boolean, barred: () => Barred = () => NOTHING_BARRED): Plugin[] {
  const backspace = chainCommands(deleteSelection, plainAgain, joinBackward, selectNodeBackward);
  const remove = chainCommands(deleteSelection, joinForward, selectNodeForward);
  return [
    keymap({
      Enter: chainCommands(
        enterCell,
        enterBeyond,
        newlineInCode,
        enterSign(barred),
        enter(barred),
        createParagraphNear,
        liftEmptyBlock,
        splitBlock,
      ),
      "Shift-Enter": lineBreak,
      "Mod-Enter": chainCommands(exitCode, createParagraphNear),
      Backspace: backspace,
      "Mod-Backspace": backspace,
      Delete: remove,
      "Mod-Delete": remove,
      "Mod-a": selectAll,
      Tab: chainCommands(cellStep(1, barred), codeTab, indent(1)),
      "Shift-Tab": chainCommands(cellStep(-1, barred), indent(-1)),
      ArrowUp: chainCommands(cellAcross(-1), arrowBeyond(-1)),
      ArrowDown: chainCommands(cellAcross(1), arrowBeyond(1)),
      "Alt-ArrowUp": moveBlock(-1),
      "Alt-ArrowDown": moveBlock(1),
      "Mod-z": undo,
      "Mod-y": redo,
      "Mod-Shift-z": redo,
      "Mod-b": mark("bold"),
      "Mod-i": mark("italic"),
      "Mod-u": mark("underline"),
      "Mod-Shift-x": mark("strike"),
      "Mod-e": (state, dispatch) => !barred().marks.has("code") && mark("code")(state, dispatch),
      "Mod-Alt-0": setKind("paragraph"),
      "Mod-Alt-1": setKind("heading", { level: 1 }),
      "Mod-Alt-2": setKind("heading", { level: 2 }),
      "Mod-Alt-3": setKind("heading", { level: 3 }),
    }),
  ];
}
