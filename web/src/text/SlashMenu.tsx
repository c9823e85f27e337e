import type { EditorView } from "prosemirror-view";
import { strings } from "../strings";
import { insertBlock, setKind } from "./commands";
import { ListMenu } from "./ListMenu";
import type { Typed } from "./typed";
import type { Barred } from "./useBarred";

type Way = { name: string; kind: string; attrs?: Record<string, unknown> } & { how: "turn" | "insert" | "ask" };

const WAYS: readonly Way[] = [
  { name: "paragraph", kind: "paragraph", how: "turn" },
  { name: "heading1", kind: "heading", attrs: { level: 1 }, how: "turn" },
  { name: "heading2", kind: "heading", attrs: { level: 2 }, how: "turn" },
  { name: "heading3", kind: "heading", attrs: { level: 3 }, how: "turn" },
  { name: "bullet", kind: "listItem", attrs: { list: "bullet" }, how: "turn" },
  { name: "ordered", kind: "listItem", attrs: { list: "ordered" }, how: "turn" },
  { name: "task", kind: "listItem", attrs: { list: "task" }, how: "turn" },
  { name: "quote", kind: "blockquote", how: "turn" },
  { name: "callout", kind: "callout", how: "turn" },
  { name: "code", kind: "codeBlock", how: "turn" },
  { name: "formula", kind: "formula", how: "turn" },
  { name: "table", kind: "table", how: "insert" },
  { name: "divider", kind: "divider", how: "insert" },
  { name: "image", kind: "image", how: "ask" },
  { name: "embed", kind: "embed", how: "ask" },
];

interface SlashMenuProps {
  view: EditorView;
  slash: Typed;
  barred: Barred;
  /** A block that needs an answer first: which picture, which address. */
  onAsk(kind: string): void;
  onClose(): void;
}

/** What a line can become, chosen by typing. */
export function SlashMenu({ view, slash, barred, onAsk, onClose }: SlashMenuProps) {
  const take = ({ how, kind, attrs }: Way) => {
    onClose();
    view.dispatch(view.state.tr.delete(slash.from, slash.to));
    view.focus();
    if (how === "ask") onAsk(kind);
    else (how === "insert" ? insertBlock(kind, attrs) : setKind(kind, attrs))(view.state, view.dispatch, view);
  };
  const choices = WAYS.filter(
    ({ name, kind }) => !barred.blocks.has(kind) && (strings.text.kinds[name] ?? name).toLowerCase().includes(slash.query),
  ).map((way) => ({
    key: way.name,
    label: strings.text.kinds[way.name] ?? way.name,
    hint: strings.text.signs[way.name],
    take: () => take(way),
  }));
  return <ListMenu view={view} at={slash.to} label={strings.text.slash} choices={choices} onClose={onClose} />;
}
