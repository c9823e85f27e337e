import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { IconButton } from "../ui/IconButton";
import type { Question } from "./AskLine";
import { changeTable, mark, setKind } from "./commands";
import { Popup } from "../ui/Popup";
import { safeLink, schema } from "./schema";
import type { Barred } from "./useBarred";

interface ToolbarProps {
  view: EditorView;
  state: EditorState;
  barred: Barred;
  run(command: Command): void;
  /** Takes hold of the selected words; answers where they are later. */
  hold(): () => { from: number; to: number } | null;
  onAsk(question: Question): void;
  /** Begins a conversation about the selected words. */
  onComment?(): void;
}

const MARKS = ["bold", "italic", "underline", "strike", "code", "highlight", "tex"] as const;
const FACES: Record<string, string> = { bold: "B", italic: "I", underline: "U", strike: "S", code: "<>", highlight: "H", tex: "∑" };

/** What a block can be turned into, and how to tell what it is. */
const KINDS: Record<string, { kind: string; attrs?: Record<string, unknown> }> = {
  paragraph: { kind: "paragraph" },
  heading1: { kind: "heading", attrs: { level: 1 } },
  heading2: { kind: "heading", attrs: { level: 2 } },
  heading3: { kind: "heading", attrs: { level: 3 } },
  bullet: { kind: "listItem", attrs: { list: "bullet" } },
  ordered: { kind: "listItem", attrs: { list: "ordered" } },
  task: { kind: "listItem", attrs: { list: "task" } },
  quote: { kind: "blockquote" },
  callout: { kind: "callout" },
  code: { kind: "codeBlock" },
};

function kindAt(state: EditorState): string {
  const block = state.selection.$from.node(1);
  const fits = ({ kind, attrs = {} }: { kind: string; attrs?: Record<string, unknown> }) =>
    block?.type.name === kind && Object.entries(attrs).every(([name, value]) => block.attrs[name] === value);
  return Object.keys(KINDS).find((name) => fits(KINDS[name]!)) ?? "";
}

/** Above selected words: how they look, what their block is, a link, a comment. */
export function Toolbar({ view, state, barred, run, hold, onAsk, onComment }: ToolbarProps) {
  const { from, to } = state.selection;
  const at = view.coordsAtPos(from);
  const has = (name: string) => state.doc.rangeHasMark(from, to, schema.marks[name]!);
  const link = () => {
    if (has("link")) return run(mark("link"));
    const words = hold();
    onAsk({
      label: strings.text.linkTo,
      start: "https://",
      at,
      check: (href) => (safeLink(href) && href !== "https://" ? null : strings.text.badLink),
      done: (href) =>
        run((now, dispatch) => {
          const where = words();
          if (where) dispatch?.(now.tr.addMark(where.from, where.to, schema.marks.link!.create({ value: href })));
          return where !== null;
        }),
    });
  };
  const kind = kindAt(state);
  return (
    <Popup at={at} above className="text-toolbar" label={strings.text.toolbar} role="toolbar">
      {kind && (
        <select
          className="text-kind"
          aria-label={strings.text.kind}
          value={kind}
          onChange={(event) => {
            const chosen = KINDS[event.target.value];
            if (chosen) run(setKind(chosen.kind, chosen.attrs));
          }}
        >
          {Object.keys(KINDS)
            .filter((name) => name === kind || !barred.blocks.has(KINDS[name]!.kind))
            .map((name) => (
              <option key={name} value={name}>
                {strings.text.kinds[name]}
              </option>
            ))}
        </select>
      )}
      {MARKS.filter((name) => !barred.marks.has(name)).map((name) => (
        <Tip key={name} says={strings.text.marks[name]}>
          <button
            type="button"
            className="text-tool"
            data-mark={name}
            aria-label={strings.text.marks[name]}
            aria-pressed={has(name)}
            onClick={() => run(mark(name))}
          >
            {FACES[name]}
          </button>
        </Tip>
      ))}
      <IconButton className="text-tool" label={strings.text.link} icon="link" aria-pressed={has("link")} onClick={link} />
      {onComment && <IconButton className="text-tool" label={strings.text.comment} icon="comment" onClick={onComment} />}
    </Popup>
  );
}

/** Above the table that the caret is in: rows and columns, more or fewer. */
export function TableTools({ view, state, run }: Pick<ToolbarProps, "view" | "state" | "run">) {
  const dom = view.nodeDOM(state.selection.$from.before(1));
  if (!(dom instanceof HTMLElement)) return null;
  const { left, top, bottom } = dom.getBoundingClientRect();
  return (
    <Popup at={{ left, top, bottom }} above className="text-toolbar" label={strings.text.tableTools} role="toolbar">
      {(["row", "column", "-row", "-column"] as const).map((change) => (
        <button key={change} type="button" className="text-tool" onClick={() => run(changeTable(change))}>
          {strings.text.table[change]}
        </button>
      ))}
    </Popup>
  );
}
