import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, TextSelection, type EditorState } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import rules from "../../../crates/glade-doc/src/element-rules.json";
import { loadFormulas } from "./formulas";

/** A formula among words, by its place on the page, or in its block. */
export interface InlineFormula {
  from: number;
  to: number;
  tex: string;
}

const key = new PluginKey<readonly InlineFormula[]>("glade:formulas");
const known = new WeakMap<Node, readonly InlineFormula[]>();
const NONE: readonly InlineFormula[] = [];

/**
 * The formulas in a block, cells too; places count from the block's own. What a block or a page has beyond its limits
 * stays words.
 */
function inBlock(block: Node): readonly InlineFormula[] {
  const seen = known.get(block);
  if (seen) return seen;
  const found: InlineFormula[] = [];
  block.descendants((node, at) => {
    if (!node.isText || !node.marks.some(({ type }) => type.name === "tex")) return;
    const [from, to] = [at + 1, at + 1 + node.nodeSize];
    const last = found.at(-1);
    // Words that differ in other marks are one formula all the same.
    if (last?.to === from) found[found.length - 1] = { from: last.from, to, tex: last.tex + node.text };
    else found.push({ from, to, tex: node.text ?? "" });
  });
  const all = found.length > 0 ? found.slice(0, rules.page.block.formulas) : NONE;
  known.set(block, all);
  return all;
}

export function inlineFormulas(page: Node): readonly InlineFormula[] {
  const found: InlineFormula[] = [];
  page.forEach((block, at) => inBlock(block).forEach(({ from, to, tex }) => found.push({ from: at + from, to: at + to, tex })));
  return found.length > 0 ? found.slice(0, rules.page.formulas) : NONE;
}

/** Formulas among words as they look; the source of one shows while the caret is at it. */
export function formulasInLine(): Plugin<readonly InlineFormula[]> {
  return new Plugin<readonly InlineFormula[]>({
    key,
    state: {
      init: (_, { doc }) => inlineFormulas(doc),
      apply: (transaction, was) => (transaction.docChanged ? inlineFormulas(transaction.doc) : was),
    },
    props: { decorations },
  });
}

function decorations(state: EditorState): DecorationSet | null {
  const formulas = key.getState(state) ?? NONE;
  if (formulas.length === 0) return null;
  const { from, to } = state.selection;
  const shown = formulas.filter((formula) => to < formula.from || formula.to < from);
  return DecorationSet.create(
    state.doc,
    shown.flatMap((formula) => [
      Decoration.inline(formula.from, formula.to, { class: "text-tex-source" }),
      Decoration.widget(formula.to, (view, place) => formulaElement(formula.tex, view, place), { key: `tex ${formula.tex}`, side: -1 }),
    ]),
  );
}

function formulaElement(tex: string, view: EditorView, place: () => number | undefined): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "text-tex-shown";
  shown.contentEditable = "false";
  shown.textContent = tex;
  shown.addEventListener("mousedown", (event) => {
    const at = place();
    if (at === undefined || !view.editable) return;
    event.preventDefault();
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
    view.focus();
  });
  void loadFormulas().then((set) => set(tex, shown, false));
  return shown;
}
