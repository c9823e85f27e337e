import { syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** By the end of a file's name; each comes when it is first needed. */
const LANGUAGES: [RegExp, () => Promise<Extension>][] = [
  [/\.([cm]?[jt]s|[jt]sx)$/i, () => import("@codemirror/lang-javascript").then((it) => it.javascript({ jsx: true, typescript: true }))],
  [/\.rs$/i, () => import("@codemirror/lang-rust").then((it) => it.rust())],
  [/\.pyi?$/i, () => import("@codemirror/lang-python").then((it) => it.python())],
  [/\.(json|jsonc|webmanifest)$/i, () => import("@codemirror/lang-json").then((it) => it.json())],
  [/\.(css|scss|less)$/i, () => import("@codemirror/lang-css").then((it) => it.css())],
  [/\.(html?|svg|xml|vue|svelte)$/i, () => import("@codemirror/lang-html").then((it) => it.html())],
  [/\.(md|markdown)$/i, () => import("@codemirror/lang-markdown").then((it) => it.markdown())],
];

/** Lines longer than this are data: colouring them would only make the page slow. */
const LONGEST_LINE = 5000;

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "12.5px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 9%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
});

export interface ReaderOptions {
  parent: HTMLElement;
  text: string;
  path: string;
  label: string;
  extensions?: Extension;
}

/** A text to be read: the caret goes through it, nothing can be typed. */
export function reader({ parent, text, path, label, extensions = [] }: ReaderOptions): EditorView {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.readOnly.of(true),
        // A screen's keyboard has nothing to type here.
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", inputmode: "none", spellcheck: "false" }),
        lineNumbers(),
        drawSelection(),
        highlightActiveLine(),
        syntaxHighlighting(classHighlighter),
        looks,
        language.of([]),
        extensions,
      ],
    }),
  });
  const speaks = LANGUAGES.find(([names]) => names.test(path));
  if (speaks && !text.split("\n", 200).some((line) => line.length > LONGEST_LINE)) {
    // Without colours the text is still there.
    void speaks[1]().then(
      (it) => view.dispatch({ effects: language.reconfigure(it) }),
      () => {},
    );
  }
  return view;
}
