import { Plugin, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

/**
 * The caret as it is when a key comes. The browser moves it for End, an arrow or a click, and tells of it a moment
 * later: keys that come faster (a macro, a text expander, a quick hand) would act at the old place, and Enter would
 * take away what was selected before.
 */
export function freshCaret(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (view) => {
          takeOverCaret(view);
          return false;
        },
      },
    },
  });
}

/**
 * Takes over where the browser has the caret. Also before something of others is shown: the editor then puts the caret
 * where it last knew it, which would take back a move that it has not been told of.
 */
export function takeOverCaret(view: EditorView) {
  const { selection, doc } = view.state;
  const shown = view.dom.ownerDocument.getSelection();
  // What is not plain text (a block, cells) has a selection of the editor's own; a composition is the browser's.
  if (
    view.composing ||
    !view.editable ||
    !view.hasFocus() ||
    !(selection instanceof TextSelection) ||
    !shown?.anchorNode ||
    !shown.focusNode
  )
    return;
  if (!view.dom.contains(shown.anchorNode) || !view.dom.contains(shown.focusNode)) return;
  const anchor = view.posAtDOM(shown.anchorNode, shown.anchorOffset, 1);
  const head = view.posAtDOM(shown.focusNode, shown.focusOffset, 1);
  // The screen may be ahead of what the editor has read of it.
  if (Math.max(anchor, head) > doc.content.size) return;
  if (anchor < 0 || head < 0 || (anchor === selection.anchor && head === selection.head)) return;
  const next = TextSelection.between(doc.resolve(anchor), doc.resolve(head));
  if (!next.eq(selection)) view.dispatch(view.state.tr.setSelection(next));
}
