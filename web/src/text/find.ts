import type { Node } from "prosemirror-model";
import { Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

export interface Hit {
  from: number;
  to: number;
}

export const findKey = new PluginKey<string>("glade:find");

/** Every place where the words stand, capitals aside. */
export function hits(doc: Node, words: string): Hit[] {
  const wanted = words.toLowerCase();
  const found: Hit[] = [];
  if (!wanted) return found;
  doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size, "\n", "\n").toLowerCase();
    for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
      found.push({ from: at + 1 + from, to: at + 1 + from + wanted.length });
    }
    return false;
  });
  return found;
}

export function findPlugin(): Plugin<string> {
  return new Plugin<string>({
    key: findKey,
    state: { init: () => "", apply: (transaction, words) => (transaction.getMeta(findKey) as string | undefined) ?? words },
    props: {
      decorations: (state) => {
        const words = findKey.getState(state);
        return words ? DecorationSet.create(state.doc, hits(state.doc, words).map(({ from, to }) => Decoration.inline(from, to, { class: "text-hit" }))) : null;
      },
    },
  });
}
