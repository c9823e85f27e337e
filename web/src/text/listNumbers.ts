import type { Node } from "prosemirror-model";
import { Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

/**
 * The numbers of numbered lists, by the places of their items: a list goes on through what stands in its items, and
 * one in an item counts for itself. As the Markdown of a page has them (`crates/glade-text/src/markdown/writer.rs`).
 */
export function numbersOf(doc: Node): { at: number; number: number }[] {
  const found: { at: number; number: number }[] = [];
  // The number of the last item at each level.
  let levels: number[] = [];
  let around = 0;
  doc.forEach(({ type, attrs }, at) => {
    const { indent = 0, quote = 0 } = attrs as { indent?: number; quote?: number };
    if (quote !== around) levels = [];
    around = quote;
    const depth = Math.min(indent, levels.length);
    const last = levels[depth] ?? 0;
    levels.length = depth;
    if (type.name !== "listItem") return;
    const number = attrs.list !== "ordered" ? 0 : typeof attrs.start === "number" ? attrs.start : attrs.anew ? 1 : last + 1;
    levels.push(number);
    if (attrs.list === "ordered") found.push({ at, number });
  });
  return found;
}

/** Whether the same blocks stand in the same order, whatever they say. */
function sameBlocks(before: Node, after: Node): boolean {
  if (before.childCount !== after.childCount) return false;
  for (let at = 0; at < after.childCount; at++) {
    const [old, now] = [before.child(at), after.child(at)];
    if (old !== now && !old.sameMarkup(now)) return false;
  }
  return true;
}

const key = new PluginKey<DecorationSet>("glade:numbers");

const drawn = (doc: Node) =>
  DecorationSet.create(
    doc,
    numbersOf(doc).map(({ at, number }) => Decoration.node(at, at + doc.nodeAt(at)!.nodeSize, { "data-number": String(number) })),
  );

/** Shows numbered items their numbers. */
export function listNumbers(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, state) => drawn(state.doc),
      apply: (transaction, shown, before, after) => {
        if (!transaction.docChanged) return shown;
        return sameBlocks(before.doc, after.doc) ? shown.map(transaction.mapping, transaction.doc) : drawn(after.doc);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}
