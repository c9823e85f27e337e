import { GapCursor } from "prosemirror-gapcursor";
import type { Node } from "prosemirror-model";
import { NodeSelection, TextSelection, type Command, type EditorState, type Transaction } from "prosemirror-state";
import { type } from "./kinds";

/** In these one can always go on writing; after or before any other block one needs a paragraph for that. */
const PLAIN = new Set(["paragraph", "heading", "listItem", "blockquote", "callout"]);

/** The block at the end of the page, or with -1 at its beginning, if no words can be written beyond it. */
function edge(doc: Node, by: 1 | -1): Node | null {
  const block = by === 1 ? doc.lastChild : doc.firstChild;
  return block && !PLAIN.has(block.type.name) ? block : null;
}

/** A new paragraph at the end of the page, or with -1 at its beginning, with the caret in it. */
function paragraphAt(state: EditorState, by: 1 | -1, from: Transaction = state.tr): Transaction {
  const at = by === 1 ? from.doc.content.size : 0;
  from.insert(at, type("paragraph").create());
  return from.setSelection(TextSelection.create(from.doc, at + 1)).scrollIntoView();
}

/** Whether the caret, or what is selected, is in or at the outermost block of the page. */
function isAtEdge(state: EditorState, by: 1 | -1): boolean {
  const { selection, doc } = state;
  const $at = by === 1 ? selection.$to : selection.$from;
  if ($at.depth === 0) {
    const outermost = by === 1 ? $at.pos === doc.content.size : $at.pos === 0;
    return outermost && (selection instanceof NodeSelection || selection instanceof GapCursor);
  }
  return selection.empty && $at.index(0) === (by === 1 ? doc.childCount - 1 : 0);
}

/** An arrow out of the page, where its outermost block has no place for words after it: makes one. */
export const arrowBeyond =
  (by: 1 | -1): Command =>
  (state, dispatch, view) => {
    if (!edge(state.doc, by) || !isAtEdge(state, by)) return false;
    if (state.selection instanceof TextSelection) {
      const { $from } = state.selection;
      // In a table only its outermost row leads out.
      const row = $from.depth > 1 ? $from.index(1) : 0;
      if ($from.depth > 1 && row !== (by === 1 ? $from.node(1).childCount - 1 : 0)) return false;
      if (view && !view.endOfTextblock(by === 1 ? "down" : "up")) return false;
    }
    dispatch?.(paragraphAt(state, by));
    return true;
  };

/** Enter at the end of a formula, or on an empty last line of code, goes on below it in a paragraph. */
export const enterBeyond: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const block = $from.parent;
  if (!empty || $from.depth !== 1 || $from.parentOffset !== block.content.size || block.content.size === 0) return false;
  const code = block.type.name === "codeBlock" && block.textContent.endsWith("\n");
  if (!code && block.type.name !== "formula") return false;
  const transaction = state.tr;
  if (code) transaction.delete($from.pos - 1, $from.pos);
  const after = transaction.mapping.map($from.after(1));
  transaction.insert(after, type("paragraph").create());
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, after + 1)).scrollIntoView());
  return true;
};

/** A press below all words, or with -1 above them: the caret goes to the nearest place for words, which is made if need be. */
export function pressBeyond(by: 1 | -1): Command {
  return (state, dispatch) => {
    if (state.doc.childCount === 0) return false;
    if (edge(state.doc, by)) {
      dispatch?.(paragraphAt(state, by));
    } else {
      const at = by === 1 ? TextSelection.atEnd(state.doc) : TextSelection.atStart(state.doc);
      dispatch?.(state.tr.setSelection(at).scrollIntoView());
    }
    return true;
  };
}
