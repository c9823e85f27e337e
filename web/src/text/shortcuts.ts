import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Attrs, Node } from "prosemirror-model";
import { TextSelection, type Command, type EditorState, type Plugin, type Transaction } from "prosemirror-state";
import { place, type } from "./kinds";
import { safeLink, schema } from "./schema";
import type { Barred } from "./useBarred";

type Attributes = (match: RegExpMatchArray) => Record<string, unknown>;

/** Whether a block is this already. */
const isAlready = (block: Node, name: string, attrs: Attrs) =>
  block.type.name === name && Object.entries(attrs).every(([key, value]) => block.attrs[key] === value);

/** At the beginning of a line: what the line becomes. */
function line(barred: () => Barred, pattern: RegExp, name: string, attrs: Attributes = () => ({})): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const $start = state.doc.resolve(start);
    const block = $start.parent;
    const made = attrs(match);
    if ($start.depth !== 1 || block.type.spec.code || isAlready(block, name, made) || barred().blocks.has(name)) return null;
    return state.tr.delete(start, end).setBlockType(start, start, type(name), { ...place(block), ...made });
  });
}

/** Marks in whose words no sign means anything. */
const VERBATIM = ["code", "tex"];

/** Whether a sign that was typed at `at` is one: not in code, nor after a backtick that waits for its other. */
function isSign(state: EditorState, at: number, length: number): boolean {
  const $at = state.doc.resolve(at);
  if ($at.parent.type.spec.code || VERBATIM.some((name) => state.doc.rangeHasMark(at, at + length, schema.marks[name]!))) return false;
  let waiting = false;
  $at.parent.forEach((node, offset) => {
    if (!node.isText || node.marks.some(({ type }) => type.name === "code")) return;
    const before = node.text!.slice(0, Math.max(0, $at.parentOffset - offset));
    for (const letter of before) if (letter === "`") waiting = !waiting;
  });
  return !waiting;
}

/** Signs around words: the signs go, and the words, which stay as they are, wear the marks. */
function around(barred: () => Barred, pattern: RegExp, ...names: string[]): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [whole, before = "", words = ""] = match;
    const sign = (whole.length - before.length - words.length) / 2;
    const from = start + before.length;
    if (!words || names.some((name) => barred().marks.has(name)) || !isSign(state, from, sign)) return null;
    const to = from + words.length;
    // What was typed last is not on the page yet.
    const transaction = state.tr.delete(to + sign, end).delete(from, from + sign);
    return wear(
      transaction,
      from,
      to,
      names.map((name) => ({ name })),
    );
  });
}

function wear(transaction: Transaction, from: number, to: number, marks: readonly { name: string; attrs?: Attrs }[]): Transaction {
  for (const { name, attrs } of marks) transaction.addMark(from, to, schema.marks[name]!.create(attrs));
  // What is typed next is plain again.
  for (const { name } of marks) transaction.removeStoredMark(schema.marks[name]!);
  return transaction;
}

/** `[words](address)`. */
function link(barred: () => Barred): InputRule {
  return new InputRule(/(^|[^!\\])\[([^[\]]+)\]\(([^\s()]+)\)$/, (state, match, start, end) => {
    const [, before = "", words = "", href] = match;
    const from = start + before.length;
    const value = safeLink(href);
    if (value === null || barred().marks.has("link") || !isSign(state, from, 1)) return null;
    const transaction = state.tr.delete(from + 1 + words.length, end).delete(from, from + 1);
    return wear(transaction, from, from + words.length, [{ name: "link", attrs: { value } }]);
  });
}

/** What one types at the beginning of a line, or around words, as in Markdown. */
export function shortcuts(barred: () => Barred): Plugin {
  const kind = (pattern: RegExp, name: string, attrs?: Attributes) => line(barred, pattern, name, attrs);
  const style = (pattern: RegExp, ...names: string[]) => around(barred, pattern, ...names);
  const numbered = (first: number) => ({ list: "ordered", start: first === 1 ? null : first });
  return inputRules({
    rules: [
      kind(/^(#{1,6})\s$/, "heading", (match) => ({ level: match[1]?.length ?? 1 })),
      kind(/^\[( |x)?\]\s$/i, "listItem", (match) => ({ list: "task", checked: match[1]?.toLowerCase() === "x" })),
      kind(/^[-*+]\s$/, "listItem", () => ({ list: "bullet" })),
      kind(/^(\d{1,9})[.)]\s$/, "listItem", (match) => numbered(Number(match[1]))),
      kind(/^>\s$/, "blockquote"),
      kind(/^!!\s$/, "callout"),
      kind(/^\$\$\s$/, "formula"),
      kind(/^```([\w+#-]*)\s$/, "codeBlock", (match) => ({ lang: match[1] ?? "" })),
      new InputRule(/^---$/, (state, _, start) => divide(state, start)),
      style(/(^|[^*])\*\*\*([^*\s](?:[^*]*[^*\s])?)\*\*\*$/, "bold", "italic"),
      style(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "bold"),
      style(/(^|[^_\w])__([^_\s](?:[^_]*[^_\s])?)__$/, "bold"),
      // Within a word a star is a star: 2*3*4.
      style(/(^|[^*\p{L}\p{N}])\*([^*\s](?:[^*]*[^*\s])?)\*$/u, "italic"),
      style(/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, "italic"),
      style(/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike"),
      style(/(^|[^`])`([^`]+)`$/, "code"),
      // Amounts of money are none: a formula has a letter or a sign in it.
      style(/(^|[^$\w\\])\$(?=[^$]*[A-Za-z\\^_=+])([^$\s](?:[^$]*[^$\s])?)\$$/, "tex"),
      style(/(^|[^=])==([^=\s](?:[^=]*[^=\s])?)==$/, "highlight"),
      link(barred),
    ],
  });
}

/** A divider instead of a paragraph, which goes on below it. */
function divide(state: EditorState, at: number): Transaction | null {
  const $at = state.doc.resolve(at);
  if ($at.depth !== 1 || $at.parent.type.name !== "paragraph") return null;
  return state.tr.replaceWith($at.before(), $at.after(), [type("divider").create(), type("paragraph").create({ id: $at.parent.attrs.id })]);
}

/** Enter after a line's sign: "```" and a language begin code, three stars or underscores are a divider. */
export const enterSign =
  (barred: () => Barred): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection;
    const block = $from.parent;
    if (!empty || $from.depth !== 1 || block.type.name !== "paragraph" || $from.parentOffset < block.content.size) return false;
    const fence = /^```([\w+#-]*)$/.exec(block.textContent);
    if (fence && !barred().blocks.has("codeBlock")) {
      const at = $from.start();
      dispatch?.(
        state.tr
          .delete(at, $from.end())
          .setBlockType(at, at, type("codeBlock"), { ...place(block), lang: fence[1] })
          .scrollIntoView(),
      );
      return true;
    }
    const divided = /^(\*\*\*|___)$/.test(block.textContent) ? divide(state, $from.pos) : null;
    if (!divided) return false;
    const below = $from.before() + 2;
    dispatch?.(divided.setSelection(TextSelection.create(divided.doc, below)).scrollIntoView());
    return true;
  };
