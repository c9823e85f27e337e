import type { LoroDoc } from "loro-crdt";
import type { Node } from "prosemirror-model";
import { Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { RunChange } from "../api/types";
import { offsetOf, places } from "./places";
import { runProperty } from "./schema";

/** What one action of a run did to the words of one block. */
export interface WordChange {
  run: string;
  action: number;
  block: string;
  typed: { from: number; to: number }[];
  removed: { at: number; text: string }[];
}

/** As an attribute, to find it again by what is pressed. */
export const changeKey = ({ run, action, block }: Pick<WordChange, "run" | "action" | "block">): string => `${run} ${action} ${block}`;

export const changesKey = new PluginKey<WordChange[]>("glade:changes");

/** A word that stands for another is typed before the other goes; read, the other comes first. */
export function beforeTyped(at: number, typed: WordChange["typed"]): number {
  const instead = typed.find(({ from, to }) => from < at && at === to);
  return instead ? beforeTyped(instead.from, typed) : at;
}

/** The changes of a run, where they are on the page now. */
export function wordChanges(run: string, changes: readonly RunChange[], loro: LoroDoc, page: Node): WordChange[] {
  const blocks = places(page);
  return changes.flatMap(({ action, element, words }) => {
    const start = blocks.get(element);
    if (!words || start === undefined) return [];
    const size = page.nodeAt(start)?.content.size ?? 0;
    const place = (cursor: string, after: 0 | 1) => {
      const offset = offsetOf(loro, cursor);
      return offset === null ? null : start + 1 + Math.min(size, offset + after);
    };
    const typed = words.typed.flatMap(({ from, to }) => {
      const [first, last] = [place(from, 0), place(to, 1)];
      return first !== null && last !== null && first < last ? [{ from: first, to: last }] : [];
    });
    const removed = words.removed.flatMap(({ text, after }) => {
      const at = !after ? start + 1 : place(after, 1);
      return at === null ? [] : [{ at: beforeTyped(at, typed), text }];
    });
    return [{ run, action, block: element, typed, removed }];
  });
}

/** Shows what runs took out, struck through where it stood, and which words came instead. */
export function changesPlugin(onPick: (change: WordChange, at: Element) => void): Plugin<WordChange[]> {
  return new Plugin<WordChange[]>({
    key: changesKey,
    state: {
      init: () => [],
      apply: (transaction, was) => {
        const next = transaction.getMeta(changesKey) as WordChange[] | undefined;
        if (next) return next;
        if (!transaction.docChanged) return was;
        const map = (pos: number, side: 1 | -1) => transaction.mapping.map(pos, side);
        return was.map((change) => ({
          ...change,
          typed: change.typed.map(({ from, to }) => ({ from: map(from, 1), to: map(to, -1) })).filter(({ from, to }) => from < to),
          removed: change.removed.map(({ at, text }) => ({ at: map(at, -1), text })),
        }));
      },
    },
    props: {
      decorations: (state) => {
        const changes = changesKey.getState(state) ?? [];
        const all = changes.flatMap((change) => [
          ...change.removed.map(({ at, text }) =>
            Decoration.widget(at, () => removedWords(change, text), { key: `${changeKey(change)} ${at} ${text}`, side: -1 }),
          ),
          ...change.typed.map(({ from, to }) => Decoration.inline(from, to, { class: "text-typed", "data-change": changeKey(change) })),
        ]);
        return all.length > 0 ? DecorationSet.create(state.doc, all) : null;
      },
      handleClick: (view, _pos, event) => {
        const words = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-change]") : null;
        const change = words && changesKey.getState(view.state)?.find((one) => changeKey(one) === words.dataset.change);
        if (change && words) onPick(change, words);
        return false;
      },
    },
  });
}

function removedWords(change: WordChange, text: string): HTMLElement {
  const words = document.createElement("del");
  words.className = "text-removed";
  words.contentEditable = "false";
  words.dataset.change = changeKey(change);
  words.style.setProperty("--run-color", `var(${runProperty(change.run)}, var(--focus))`);
  words.textContent = text;
  return words;
}
