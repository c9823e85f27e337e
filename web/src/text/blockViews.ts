import type { Node } from "prosemirror-model";
import { Plugin, TextSelection } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView, type NodeView, type NodeViewConstructor } from "prosemirror-view";
import { strings } from "../strings";
import { LANGUAGES } from "./codeColors";
import { loadFormulas } from "./formulas";
import { marginOf } from "./schema";

type Place = () => number | undefined;

function stamp(dom: HTMLElement, node: Node): void {
  dom.dataset.block = node.attrs.id ?? "";
  dom.style.marginLeft = marginOf(node);
  if (node.attrs.quote) dom.dataset.quote = String(node.attrs.quote);
  else delete dom.dataset.quote;
}

/** Code with the name of its language, to choose. */
class CodeView implements NodeView {
  readonly dom = document.createElement("div");
  readonly contentDOM = document.createElement("code");
  private readonly select = document.createElement("select");

  constructor(
    private node: Node,
    private readonly view: EditorView,
    private readonly place: Place,
  ) {
    this.dom.className = "text-code";
    this.select.className = "text-lang";
    this.select.contentEditable = "false";
    this.select.setAttribute("aria-label", strings.text.language);
    this.select.addEventListener("change", () => this.choose());
    const pre = document.createElement("pre");
    pre.spellcheck = false;
    pre.append(this.contentDOM);
    this.dom.append(this.select, pre);
    this.show();
  }

  private show(): void {
    stamp(this.dom, this.node);
    const lang = String(this.node.attrs.lang);
    const names = ["", ...new Set([...LANGUAGES, ...(lang ? [lang] : [])])];
    if (this.select.options.length !== names.length)
      this.select.replaceChildren(...names.map((name) => new Option(name || strings.text.plainCode, name)));
    this.select.value = lang;
    this.select.disabled = !this.view.editable;
  }

  private choose(): void {
    const at = this.place();
    if (at !== undefined) this.view.dispatch(this.view.state.tr.setNodeMarkup(at, null, { ...this.node.attrs, lang: this.select.value }));
    this.view.focus();
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.show();
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.select;
  }

  ignoreMutation(mutation: { target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target);
  }
}

/** A formula as it looks; its source shows while the caret is in it. */
class FormulaView implements NodeView {
  readonly dom = document.createElement("div");
  readonly contentDOM = document.createElement("code");
  private readonly shown = document.createElement("div");
  private drawn: string | null = null;

  constructor(
    private node: Node,
    view: EditorView,
    place: Place,
  ) {
    this.dom.className = "text-formula";
    this.shown.className = "text-formula-shown";
    this.shown.contentEditable = "false";
    this.shown.addEventListener("mousedown", (event) => {
      const at = place();
      if (at === undefined || !view.editable) return;
      event.preventDefault();
      const inside = TextSelection.create(view.state.doc, at + 1 + this.node.content.size);
      view.dispatch(view.state.tr.setSelection(inside));
      view.focus();
    });
    const pre = document.createElement("pre");
    pre.spellcheck = false;
    pre.append(this.contentDOM);
    this.dom.append(pre, this.shown);
    this.draw();
  }

  private draw(): void {
    stamp(this.dom, this.node);
    const tex = this.node.textContent;
    if (tex === this.drawn) return;
    this.drawn = tex;
    if (!tex.trim()) {
      this.shown.textContent = strings.text.emptyFormula;
      return;
    }
    void loadFormulas().then((render) => {
      if (this.drawn === tex) render(tex, this.shown, true);
    });
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.draw();
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof globalThis.Node && this.shown.contains(event.target);
  }

  ignoreMutation(mutation: { target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target);
  }
}

export const blockViews: Record<string, NodeViewConstructor> = {
  codeBlock: (node, view, place) => new CodeView(node, view, place),
  formula: (node, view, place) => new FormulaView(node, view, place),
};

/** Says which formula the caret is in. */
export function openFormula(): Plugin {
  return new Plugin({
    props: {
      decorations: (state) => {
        const { $from } = state.selection;
        if ($from.depth !== 1 || $from.parent.type.name !== "formula") return null;
        return DecorationSet.create(state.doc, [Decoration.node($from.before(), $from.after(), { class: "text-editing" })]);
      },
    },
  });
}
