import { chainCommands, createParagraphNear, deleteSelection, exitCode, joinBackward, joinForward, liftEmptyBlock, newlineInCode, selectAll, selectNodeBackward, selectNodeForward, splitBlock, toggleMark } from "prosemirror-commands";
import { InputRule, inputRules, textblockTypeInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { NodeType } from "prosemirror-model";
import { TextSelection, type Command, type EditorState, type Plugin, type Transaction } from "prosemirror-state";
import { schema } from "./schema";

const type = (name: string): NodeType => {
  const found = schema.nodes[name];
  if (!found) throw new Error(`there is no block ${name}`);
  return found;
};

/** The block on the page that the caret is in, and where. */
export function blockAt(state: EditorState): { at: number; index: number } | null {
  const { $from } = state.selection;
  return $from.depth > 0 ? { at: $from.before(1), index: $from.index(0) } : null;
}

/** Makes the selected blocks another kind, in place: words, marks and comments stay. */
export function setKind(name: string, attrs: Record<string, unknown> = {}): Command {
  return (state, dispatch) => {
    const { from, to } = state.selection;
    const transaction = state.tr;
    state.doc.nodesBetween(from, to, (node, at, parent) => {
      if (parent === state.doc && node.isTextblock) {
        transaction.setNodeMarkup(at, type(name), { id: node.attrs.id, indent: node.attrs.indent ?? 0, ...attrs });
      }
      return false;
    });
    if (!transaction.docChanged) return false;
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Puts a block that is no text after the caret's, and a paragraph after it to go on in. */
export function insertBlock(name: string, attrs: Record<string, unknown> = {}): Command {
  return (state, dispatch) => {
    const here = blockAt(state);
    if (!here) return false;
    const made = name === "table" ? newTable(3, 3) : type(name).create(attrs);
    const block = state.doc.child(here.index);
    const after = here.at + block.nodeSize;
    const empty = block.isTextblock && block.content.size === 0;
    const transaction = state.tr;
    if (empty && here.index < state.doc.childCount - 1) transaction.replaceWith(here.at, after, made);
    else transaction.insert(empty ? here.at : after, empty ? [made] : [made, type("paragraph").create()]);
    if (name === "table") {
      const at = transaction.mapping.map(empty ? here.at : after, -1);
      transaction.setSelection(TextSelection.near(transaction.doc.resolve(at + 3)));
    }
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

function newTable(rows: number, columns: number) {
  const row = () => type("tableRow").create(null, Array.from({ length: columns }, () => type("tableCell").create()));
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
    if (!here) return false;
    const other = here.index + by;
    if (other < 0 || other >= state.doc.childCount) return false;
    const [node, neighbour] = [state.doc.child(here.index), state.doc.child(other)];
    const to = by === 1 ? here.at + neighbour.nodeSize : here.at - neighbour.nodeSize;
    const offset = state.selection.from - here.at;
    const transaction = state.tr.delete(here.at, here.at + node.nodeSize).insert(to, node);
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(to + offset)));
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Enter in an empty list item or quote ends it; elsewhere a new block of the same kind, after a heading a paragraph. */
const enter: Command = (state, dispatch) => {
  const here = blockAt(state);
  const block = here && state.doc.child(here.index);
  if (!here || !block?.isTextblock || !state.selection.empty) return false;
  if (["listItem", "blockquote", "callout"].includes(block.type.name) && block.content.size === 0) return setKind("paragraph")(state, dispatch);
  if (block.type.name === "listItem" || block.type.name === "blockquote") {
    const transaction = state.tr.split(state.selection.from, 1, [{ type: block.type, attrs: { ...block.attrs, checked: false } }]);
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

function cellStep(by: 1 | -1): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type.name !== "tableCell") return false;
    const edge = by === 1 ? $from.after() : $from.before();
    const next = TextSelection.findFrom(state.doc.resolve(edge), by, true);
    if (next) dispatch?.(state.tr.setSelection(next));
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
      columns.splice(column + 1, 0, `bk_${Math.random().toString(36).slice(2, 14).padEnd(12, "0")}`);
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
      transaction.replaceWith(at, at + table.nodeSize, table.type.create({ ...table.attrs, columns }, made));
      transaction.setSelection(TextSelection.near(transaction.doc.resolve(Math.min(state.selection.from, at + table.nodeSize - 2))));
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
export function keys(undo: () => boolean, redo: () => boolean): Plugin[] {
  const backspace = chainCommands(deleteSelection, plainAgain, joinBackward, selectNodeBackward);
  const remove = chainCommands(deleteSelection, joinForward, selectNodeForward);
  return [
    keymap({
      Enter: chainCommands(newlineInCode, enter, createParagraphNear, liftEmptyBlock, splitBlock),
      "Shift-Enter": lineBreak,
      "Mod-Enter": chainCommands(exitCode, createParagraphNear),
      Backspace: backspace,
      "Mod-Backspace": backspace,
      Delete: remove,
      "Mod-Delete": remove,
      "Mod-a": selectAll,
      Tab: chainCommands(cellStep(1), indent(1)),
      "Shift-Tab": chainCommands(cellStep(-1), indent(-1)),
      "Alt-ArrowUp": moveBlock(-1),
      "Alt-ArrowDown": moveBlock(1),
      "Mod-z": undo,
      "Mod-y": redo,
      "Mod-Shift-z": redo,
      "Mod-b": mark("bold"),
      "Mod-i": mark("italic"),
      "Mod-u": mark("underline"),
      "Mod-Shift-x": mark("strike"),
      "Mod-e": mark("code"),
      "Mod-Alt-0": setKind("paragraph"),
      "Mod-Alt-1": setKind("heading", { level: 1 }),
      "Mod-Alt-2": setKind("heading", { level: 2 }),
      "Mod-Alt-3": setKind("heading", { level: 3 }),
    }),
  ];
}

const own = (attrs: Record<string, unknown>) => attrs;

/** What one types at the beginning of a line, or around words, as in Markdown. */
export function shortcuts(): Plugin {
  const kind = (pattern: RegExp, name: string, attrs: (match: RegExpMatchArray) => Record<string, unknown> = () => ({})) =>
    new InputRule(pattern, (state, match, start, end) => {
      const $start = state.doc.resolve(start);
      const block = $start.parent;
      if ($start.depth !== 1 || block.type.spec.code || block.type.name === name) return null;
      return state.tr.delete(start, end).setNodeMarkup($start.before(), type(name), own({ id: block.attrs.id, indent: block.attrs.indent ?? 0, ...attrs(match) }));
    });
  const style = (pattern: RegExp, name: string) =>
    new InputRule(pattern, (state, match, start, end) => {
      const words = match[2];
      const found = schema.marks[name];
      if (!words || !found || state.doc.resolve(start).parent.type.spec.code) return null;
      const from = start + (match[1]?.length ?? 0);
      const transaction: Transaction = state.tr.replaceWith(from, end, schema.text(words, [found.create()]));
      return transaction.removeStoredMark(found);
    });
  return inputRules({
    rules: [
      kind(/^(#{1,6})\s$/, "heading", (match) => ({ level: match[1]?.length ?? 1 })),
      kind(/^\[( |x)?\]\s$/i, "listItem", (match) => ({ list: "task", checked: match[1]?.toLowerCase() === "x" })),
      kind(/^[-*+]\s$/, "listItem", () => ({ list: "bullet" })),
      kind(/^\d+[.)]\s$/, "listItem", () => ({ list: "ordered" })),
      kind(/^>\s$/, "blockquote"),
      kind(/^!!\s$/, "callout"),
      kind(/^\$\$\s$/, "formula"),
      textblockTypeInputRule(/^```([a-z+#]*)\s$/, type("codeBlock"), (match) => ({ lang: match[1] ?? "" })),
      new InputRule(/^(---|\*\*\*)$/, (state, _, start) => {
        const $start = state.doc.resolve(start);
        if ($start.depth !== 1 || $start.parent.type.name !== "paragraph") return null;
        return state.tr.replaceWith($start.before(), $start.after(), [type("divider").create(), type("paragraph").create({ id: $start.parent.attrs.id })]);
      }),
      style(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "bold"),
      style(/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "italic"),
      style(/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, "italic"),
      style(/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike"),
      style(/(^|[^`])`([^`]+)`$/, "code"),
      style(/(^|[^=])==([^=\s](?:[^=]*[^=\s])?)==$/, "highlight"),
    ],
  });
}
