import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, type EditorState } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { flatten, type Colored, type Tree } from "./colored";

type Highlighter = typeof import("./languages").lowlight;

/** What people choose from; the names are the highlighter's. */
export const LANGUAGES = [
  "bash",
  "c",
  "cpp",
  "css",
  "go",
  "java",
  "javascript",
  "json",
  "markdown",
  "python",
  "rust",
  "sql",
  "typescript",
  "xml",
  "yaml",
];

/** Longer code is shown plain: colouring it would be felt with every key. */
const LONGEST = 20_000;

const key = new PluginKey<DecorationSet>("glade:code");
const known = new WeakMap<Node, readonly Colored[]>();
let highlighter: Highlighter | null = null;

function colorsOf(node: Node, light: Highlighter): readonly Colored[] {
  const found = known.get(node);
  if (found) return found;
  const lang = String(node.attrs.lang).toLowerCase();
  const text = node.textContent;
  const parts = text.length <= LONGEST && light.registered(lang) ? flatten(light.highlight(lang, text) as Tree) : [];
  known.set(node, parts);
  return parts;
}

function decorate(state: EditorState): DecorationSet {
  const light = highlighter;
  if (!light) return DecorationSet.empty;
  const all: Decoration[] = [];
  state.doc.forEach((node, at) => {
    if (node.type.name !== "codeBlock" || !node.attrs.lang) return;
    for (const { from, to, className } of colorsOf(node, light))
      all.push(Decoration.inline(at + 1 + from, at + 1 + to, { class: className }));
  });
  return DecorationSet.create(state.doc, all);
}

function hasCode(doc: Node): boolean {
  for (const node of doc.content.content) if (node.type.name === "codeBlock" && node.attrs.lang) return true;
  return false;
}

/** Colours code that says its language; the highlighter is fetched with the first of it. */
export function codeColors(): Plugin<DecorationSet> {
  let loading = false;
  const load = (view: EditorView) => {
    if (highlighter || loading || !hasCode(view.state.doc)) return;
    loading = true;
    void import("./languages").then(({ lowlight }) => {
      highlighter = lowlight;
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true));
    });
  };
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, state) => decorate(state),
      apply: (transaction, was, _, state) =>
        transaction.docChanged || transaction.getMeta(key) ? (hasCode(state.doc) ? decorate(state) : DecorationSet.empty) : was,
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => {
      load(view);
      return { update: load };
    },
  });
}
