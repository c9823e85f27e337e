import { nameOf } from "../api/names";
import type { LoroDoc } from "loro-crdt";
import { Plugin, PluginKey, type EditorState } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { Presence } from "../sync";
import { findText } from "./blocksDoc";
import { encode, offsetOf, places } from "./places";

/** A place in a block's words that moves with them. */
export interface CaretPlace {
  block: string;
  /** A Loro cursor, in base64; absent in a block without words. */
  at?: string;
}

export interface CaretRange {
  anchor: CaretPlace;
  head: CaretPlace;
}

export interface OtherCaret {
  peer: string;
  name: string;
  color: string;
  fairy: boolean;
  doing: string;
  from: number;
  to: number;
  head: number;
}

export const caretsKey = new PluginKey<OtherCaret[]>("glade:carets");

/** The editor's selection in terms of the document. */
export function selectionPlaces(state: EditorState, doc: LoroDoc): CaretRange | null {
  const blocks = [...places(state.doc)];
  const place = (pos: number): CaretPlace | null => {
    const found = blocks
      .filter(([, at]) => at < pos)
      .reduce<[string, number] | null>((best, one) => (!best || one[1] > best[1] ? one : best), null);
    if (!found) return null;
    const cursor = findText(doc, found[0])?.getCursor(pos - found[1] - 1);
    return { block: found[0], ...(cursor ? { at: encode(cursor.encode()) } : {}) };
  };
  const { $anchor, $head } = state.selection;
  if (!$anchor.parent.isTextblock || !$head.parent.isTextblock) return null;
  const [anchor, head] = [place($anchor.pos), place($head.pos)];
  return anchor && head ? { anchor, head } : null;
}

function position({ block, at }: CaretPlace, doc: LoroDoc, blocks: Map<string, number>): number | null {
  const start = blocks.get(block);
  if (start === undefined) return null;
  const offset = at ? offsetOf(doc, at) : 0;
  return offset === null ? null : start + 1 + offset;
}

/** Where a range of the document is in the editor now; null if a block of it is gone. */
export function rangeOf(range: CaretRange, doc: LoroDoc, state: EditorState): { from: number; to: number } | null {
  const blocks = places(state.doc);
  const [anchor, head] = [position(range.anchor, doc, blocks), position(range.head, doc, blocks)];
  return anchor === null || head === null ? null : { from: Math.min(anchor, head), to: Math.max(anchor, head) };
}

/** Where others are on the page now. */
export function otherCarets(all: ReadonlyMap<string, Presence>, me: string, doc: LoroDoc, state: EditorState): OtherCaret[] {
  const blocks = places(state.doc);
  const found: OtherCaret[] = [];
  for (const [peer, presence] of all) {
    if (peer === me || !presence.caret) continue;
    const [anchor, head] = [position(presence.caret.anchor, doc, blocks), position(presence.caret.head, doc, blocks)];
    if (anchor === null || head === null) continue;
    const size = state.doc.content.size;
    const clamp = (pos: number) => Math.min(Math.max(0, pos), size);
    found.push({
      peer,
      name: nameOf(presence),
      color: presence.color,
      fairy: presence.kind === "fairy",
      doing: presence.doing ?? "",
      from: clamp(Math.min(anchor, head)),
      to: clamp(Math.max(anchor, head)),
      head: clamp(head),
    });
  }
  return found;
}

/** Draws the carets and names of others; what they have selected, and what a fairy is writing, is tinted. */
export function caretsPlugin(): Plugin<OtherCaret[]> {
  return new Plugin<OtherCaret[]>({
    key: caretsKey,
    state: {
      init: () => [],
      apply: (transaction, carets) => {
        const next = transaction.getMeta(caretsKey) as OtherCaret[] | undefined;
        if (next) return next;
        const map = (pos: number) => transaction.mapping.map(pos);
        return transaction.docChanged
          ? carets.map((caret) => ({ ...caret, from: map(caret.from), to: map(caret.to), head: map(caret.head) }))
          : carets;
      },
    },
    props: {
      decorations: (state) => {
        const carets = caretsKey.getState(state) ?? [];
        const drawn = carets.flatMap((caret) => [
          Decoration.widget(caret.head, () => caretElement(caret), { key: `${caret.peer} ${caret.name} ${caret.color}`, side: 10 }),
          ...busyBlock(caret, state),
          ...(caret.from < caret.to && (caret.doing || !caret.fairy)
            ? [Decoration.inline(caret.from, caret.to, { class: "text-theirs", style: `background-color:${caret.color}26` })]
            : []),
        ]);
        return DecorationSet.create(state.doc, drawn);
      },
    },
  });
}

/** The block in which a fairy is at work. */
function busyBlock({ fairy, doing, head, color }: OtherCaret, state: EditorState): Decoration[] {
  if (!fairy || !doing) return [];
  const $head = state.doc.resolve(Math.min(head, state.doc.content.size));
  return $head.depth > 0 ? [Decoration.node($head.before(1), $head.after(1), { class: "text-busy", style: `--run-color:${color}` })] : [];
}

function caretElement({ name, color }: OtherCaret): HTMLElement {
  const caret = document.createElement("span");
  caret.className = "text-caret";
  caret.style.borderColor = color;
  caret.dataset.name = name;
  caret.setAttribute("aria-hidden", "true");
  const label = document.createElement("span");
  label.className = "text-caret-name";
  label.style.backgroundColor = color;
  label.textContent = name;
  caret.append(label);
  return caret;
}
