import { type EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Whereabouts } from "./whereabouts";

type Lines = Whereabouts["lines"];

/** Which lines a fairy reads or changes. */
export const showWork = StateEffect.define<Lines>();

const line = Decoration.line({ class: "work-line" });

function marked(state: EditorState, lines: Lines): DecorationSet {
  const made = new RangeSetBuilder<Decoration>();
  const last = Math.min(lines?.to ?? 0, state.doc.lines);
  for (let at = Math.max(lines?.from ?? 1, 1); at <= last; at++) {
    const { from } = state.doc.line(at);
    made.add(from, from, line);
  }
  return made.finish();
}

/** The lines at which a fairy is, marked. */
export const workLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (was, transaction) => {
    const wish = transaction.effects.find((effect) => effect.is(showWork));
    return wish ? marked(transaction.state, wish.value as Lines) : was.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
