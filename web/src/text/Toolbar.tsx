import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { strings } from "../strings";
import { changeTable, mark, setKind } from "./commands";
import { safeLink, schema } from "./schema";

interface ToolbarProps {
  view: EditorView;
  state: EditorState;
  run(command: Command): void;
  onComment?(block: string, text: string): string | null;
}

const MARKS = ["bold", "italic", "underline", "strike", "code", "highlight"] as const;
const FACES: Record<string, string> = { bold: "B", italic: "I", underline: "U", strike: "S", code: "<>", highlight: "🖍" };
const KINDS: [string, string, Record<string, unknown>?][] = [
  ["paragraph", "paragraph"],
  ["heading1", "heading", { level: 1 }],
  ["heading2", "heading", { level: 2 }],
  ["bullet", "listItem", { list: "bullet" }],
  ["ordered", "listItem", { list: "ordered" }],
  ["task", "listItem", { list: "task" }],
  ["quote", "blockquote"],
  ["code", "codeBlock"],
];

/** Above selected words: how they look, what their block is, a link, a comment. */
export function Toolbar({ view, state, run, onComment }: ToolbarProps) {
  const { from, to, $from } = state.selection;
  const above = view.coordsAtPos(from);
  const inTable = $from.parent.type.name === "tableCell";
  const has = (name: string) => state.doc.rangeHasMark(from, to, schema.marks[name]!);
  const link = () => {
    if (has("link")) return run(mark("link"));
    const href = prompt(strings.text.linkTo, "https://");
    if (href && safeLink(href)) run(mark("link", { value: href }));
  };
  const comment = () => {
    const block = $from.node(1)?.attrs.id as string | undefined;
    const text = block && prompt(strings.text.say)?.trim();
    const id = block && text ? onComment?.(block, text) : null;
    if (id) run((now, dispatch) => (dispatch?.(now.tr.addMark(from, to, schema.marks["comment-anchor"]!.create({ value: id }))), true));
  };
  return (
    <div
      className="text-toolbar"
      role="toolbar"
      aria-label={strings.text.toolbar}
      style={{ left: Math.max(8, above.left - 40), top: Math.max(8, above.top - 48) }}
      onMouseDown={(event) => event.preventDefault()}
    >
      {MARKS.map((name) => (
        <button key={name} type="button" className="text-tool" data-mark={name} aria-label={strings.text.marks[name]} aria-pressed={has(name)} onClick={() => run(mark(name))}>
          {FACES[name]}
        </button>
      ))}
      <button type="button" className="text-tool" aria-label={strings.text.link} aria-pressed={has("link")} onClick={link}>
        🔗
      </button>
      {onComment && (
        <button type="button" className="text-tool" aria-label={strings.text.comment} onClick={comment}>
          💬
        </button>
      )}
      {inTable
        ? (["row", "column", "-row", "-column"] as const).map((change) => (
            <button key={change} type="button" className="text-tool" onClick={() => run(changeTable(change))}>
              {strings.text.table[change]}
            </button>
          ))
        : KINDS.map(([name, kind, attrs]) => (
            <button key={name} type="button" className="text-tool" onClick={() => run(setKind(kind, attrs))}>
              {strings.text.kinds[name]}
            </button>
          ))}
    </div>
  );
}
