import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useRef, useState } from "react";
import { strings } from "../strings";
import { insertBlock, setKind } from "./commands";

/** A "/" at the beginning of a line, and what was typed after it. */
export interface Slash {
  from: number;
  to: number;
  query: string;
}

const CHOICES: { name: string; kind: string; attrs?: Record<string, unknown>; atom?: boolean }[] = [
  { name: "paragraph", kind: "paragraph" },
  { name: "heading1", kind: "heading", attrs: { level: 1 } },
  { name: "heading2", kind: "heading", attrs: { level: 2 } },
  { name: "heading3", kind: "heading", attrs: { level: 3 } },
  { name: "bullet", kind: "listItem", attrs: { list: "bullet" } },
  { name: "ordered", kind: "listItem", attrs: { list: "ordered" } },
  { name: "task", kind: "listItem", attrs: { list: "task" } },
  { name: "quote", kind: "blockquote" },
  { name: "callout", kind: "callout" },
  { name: "code", kind: "codeBlock" },
  { name: "formula", kind: "formula" },
  { name: "table", kind: "table", atom: true },
  { name: "divider", kind: "divider", atom: true },
];

export function slashAt(view: EditorView): Slash | null {
  const { selection }: EditorState = view.state;
  const { $from } = selection;
  if (!selection.empty || $from.depth !== 1 || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  const typed = $from.parent.textBetween(0, $from.parentOffset, "\n", "\n");
  const found = /^\/(\w{0,20})$/.exec(typed);
  return found ? { from: $from.start(), to: $from.pos, query: (found[1] ?? "").toLowerCase() } : null;
}

/** What a line can become, chosen by typing. */
export function SlashMenu({ view, slash, onClose }: { view: EditorView; slash: Slash; onClose(): void }) {
  const fits = CHOICES.filter(({ name }) => (strings.text.kinds[name] ?? name).toLowerCase().includes(slash.query));
  const [at, setAt] = useState(0);
  const chosen = useRef(0);
  chosen.current = Math.min(at, Math.max(0, fits.length - 1));
  const where = view.coordsAtPos(slash.to);

  const take = (choice: (typeof CHOICES)[number]) => {
    view.dispatch(view.state.tr.delete(slash.from, slash.to));
    const command = choice.atom ? insertBlock(choice.kind, choice.attrs) : setKind(choice.kind, choice.attrs);
    command(view.state, view.dispatch, view);
    view.focus();
    onClose();
  };
  const latest = useRef({ fits, take });
  latest.current = { fits, take };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { fits, take } = latest.current;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const choice = fits[chosen.current];
      if (event.key === "Escape") onClose();
      else if (step && fits.length > 0) setAt((chosen.current + step + fits.length) % fits.length);
      else if (event.key === "Enter" && choice) take(choice);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    view.dom.addEventListener("keydown", onKey, true);
    return () => view.dom.removeEventListener("keydown", onKey, true);
  }, [view, onClose]);

  if (fits.length === 0) return null;
  return (
    <ul className="text-slash" role="listbox" aria-label={strings.text.slash} style={{ left: where.left, top: where.bottom + 4 }} onMouseDown={(event) => event.preventDefault()}>
      {fits.map((choice, index) => (
        <li key={choice.name} role="option" aria-selected={index === chosen.current} onClick={() => take(choice)}>
          {strings.text.kinds[choice.name]}
        </li>
      ))}
    </ul>
  );
}
