import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { schema } from "./schema";

/** The conversations that are not settled, and the one that is open. */
export interface OpenThreads {
  ids: ReadonlySet<string>;
  open: string | null;
}

export const anchorsKey = new PluginKey<OpenThreads>("glade:anchors");

const places = new WeakMap<Node, readonly { from: number; to: number; id: string }[]>();

/** Where in a block words have a comment; a block that did not change is not looked at again. */
function anchorsIn(block: Node): readonly { from: number; to: number; id: string }[] {
  const known = places.get(block);
  if (known) return known;
  const found: { from: number; to: number; id: string }[] = [];
  block.descendants((node, at) => {
    const mark = node.marks.find(({ type }) => type.name === "comment-anchor");
    if (mark) found.push({ from: at, to: at + node.nodeSize, id: String(mark.attrs.value) });
  });
  places.set(block, found);
  return found;
}

/** Makes words those of a conversation. Words that somebody talks about already stay with what is said of them. */
export function anchorWords(state: EditorState, { from, to }: { from: number; to: number }, comment: string): Transaction {
  const type = schema.marks["comment-anchor"]!;
  const transaction = state.tr;
  state.doc.nodesBetween(from, to, (node, at) => {
    const free = node.isInline && node.marks.every((mark) => mark.type !== type);
    if (free) transaction.addMark(Math.max(from, at), Math.min(to, at + node.nodeSize), type.create({ value: comment }));
  });
  return transaction;
}

/** Tints words that somebody talks about, and opens the conversation when one presses them. */
export function anchorsPlugin(onOpen: (thread: string) => void): Plugin<OpenThreads> {
  return new Plugin<OpenThreads>({
    key: anchorsKey,
    state: {
      init: () => ({ ids: new Set(), open: null }),
      apply: (transaction, was) => (transaction.getMeta(anchorsKey) as OpenThreads | undefined) ?? was,
    },
    props: {
      decorations: (state) => {
        const { ids, open } = anchorsKey.getState(state) ?? { ids: new Set<string>(), open: null };
        if (ids.size === 0) return null;
        const all: Decoration[] = [];
        state.doc.forEach((block, at) => {
          for (const { from, to, id } of anchorsIn(block)) {
            if (ids.has(id))
              all.push(Decoration.inline(at + 1 + from, at + 1 + to, { class: id === open ? "text-about text-about-open" : "text-about" }));
          }
        });
        return DecorationSet.create(state.doc, all);
      },
      handleClick: (view, _pos, event) => {
        const words = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-comment]") : null;
        const id = words?.dataset.comment;
        if (!id || !anchorsKey.getState(view.state)?.ids.has(id) || !view.state.selection.empty) return false;
        onOpen(id);
        return false;
      },
    },
  });
}
