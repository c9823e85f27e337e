import type { EditorState } from "prosemirror-state";

/** A sign and what was typed after it, up to the caret. */
export interface Typed {
  from: number;
  to: number;
  query: string;
}

/** `pattern` ends at the caret; its first group is what was typed after the sign. */
function typed(state: EditorState, pattern: RegExp): Typed | null {
  const { selection } = state;
  const { $from } = selection;
  if (!selection.empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  const text = $from.parent.textBetween(0, $from.parentOffset, "\n", "\n");
  const found = pattern.exec(text);
  if (!found) return null;
  const query = found[1] ?? "";
  return { from: $from.pos - query.length - 1, to: $from.pos, query: query.toLowerCase() };
}

/** A "/" at the beginning of a line. */
export const slashAt = (state: EditorState): Typed | null =>
  state.selection.$from.depth === 1 ? typed(state, /^\/([\p{L}\p{N} ]{0,20})$/u) : null;

/** An "@" at the beginning of a word. */
export const mentionAt = (state: EditorState): Typed | null => typed(state, /(?:^|[\s(])@([\p{L}\p{N}_-]{0,30})$/u);

export const sameTyped = (a: Typed | null, b: Typed | null): boolean =>
  a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to && a.query === b.query);
