import type { Mark, Node } from "prosemirror-model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { PENDING, schema } from "./schema";

export interface Hit {
  from: number;
  to: number;
}

export const findKey = new PluginKey<string>("glade:find");

/** Every place where the words stand, capitals aside. */
export function hits(doc: Node, words: string): Hit[] {
  const wanted = fold(words).text;
  const found: Hit[] = [];
  if (!wanted) return found;
  doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const { text, places } = fold(node.textBetween(0, node.content.size, "\n", "\n"));
    for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
      found.push({ from: at + 1 + places[from]!.from, to: at + 1 + places[from + wanted.length - 1]!.to });
    }
    return false;
  });
  return found;
}

/** Words in small letters, and where each unit of them stands in the words: some letters are longer when they are small. */
function fold(words: string): { text: string; places: Hit[] } {
  const places: Hit[] = [];
  let text = "";
  let from = 0;
  for (const letter of words) {
    const small = letter.toLowerCase();
    const to = from + letter.length;
    for (let unit = 0; unit < small.length; unit++) places.push({ from, to });
    text += small;
    from = to;
  }
  return { text, places };
}

/** Other words at these places, wearing what all of the words before them wore. */
export function replaceHits(state: EditorState, found: readonly Hit[], words: string): Transaction {
  const transaction = state.tr;
  for (const { from, to } of [...found].reverse()) {
    if (words) transaction.replaceWith(from, to, schema.text(words, wornBetween(state.doc, from, to)));
    else transaction.delete(from, to);
  }
  return transaction;
}

function wornBetween(doc: Node, from: number, to: number): readonly Mark[] {
  let worn: readonly Mark[] | null = null;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline) worn = (worn ?? node.marks).filter((mark) => mark.type.name !== PENDING && mark.isInSet(node.marks));
  });
  return worn ?? [];
}

/** The place after the selection, or before it, and around the end of the page. */
export function nextHit(found: readonly Hit[], selection: Hit, by: 1 | -1): Hit | undefined {
  if (by === 1) return found.find(({ from }) => from > selection.from) ?? found[0];
  return found.findLast(({ from }) => from < selection.from) ?? found.at(-1);
}

/** Whether a place is the one that is selected. */
export const isHere = (hit: Hit, { from, to }: Hit): boolean => hit.from === from && hit.to === to;

export function findPlugin(): Plugin<string> {
  return new Plugin<string>({
    key: findKey,
    state: { init: () => "", apply: (transaction, words) => (transaction.getMeta(findKey) as string | undefined) ?? words },
    props: {
      decorations: (state) => {
        const words = findKey.getState(state);
        if (!words) return null;
        const shown = hits(state.doc, words).map((hit) =>
          Decoration.inline(hit.from, hit.to, { class: isHere(hit, state.selection) ? "text-hit text-hit-here" : "text-hit" }),
        );
        return DecorationSet.create(state.doc, shown);
      },
    },
  });
}
