import { GapCursor } from "prosemirror-gapcursor";
import type { Node } from "prosemirror-model";
import { EditorState, NodeSelection, TextSelection, type Command, type Selection } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { arrowBeyond, enterBeyond, pressBeyond } from "./edges";
import { schema } from "./schema";

const node = (kind: string, words = "") => schema.nodes[kind]!.create(null, words ? schema.text(words) : null);
const cell = (words: string) => schema.nodes.tableCell!.create(null, words ? schema.text(words) : null);
const table = schema.nodes.table!.create(
  { columns: ["c"] },
  ["a", "b"].map((words) => schema.nodes.tableRow!.create(null, [cell(words)])),
);
const page = (...blocks: Node[]) => EditorState.create({ doc: schema.nodes.doc!.create(null, blocks) });
const selecting = (state: EditorState, selection: Selection) => state.apply(state.tr.setSelection(selection));
const caret = (state: EditorState, at: number) => selecting(state, TextSelection.create(state.doc, at));

function after(state: EditorState, command: Command): { blocks: string[]; caret: number } | null {
  let next: EditorState | null = null;
  const done = command(state, (transaction) => (next = state.apply(transaction)));
  if (!done || next === null) return null;
  const { doc, selection } = next as EditorState;
  return { blocks: doc.content.content.map(({ type, textContent }) => `${type.name}:${textContent}`), caret: selection.$from.index(0) };
}

describe("an arrow out of the page", () => {
  it.each(["formula", "codeBlock"])("from a %s at the end or the beginning makes a paragraph there", (kind) => {
    const state = caret(page(node(kind, "x")), 2);
    expect(after(state, arrowBeyond(1))).toEqual({ blocks: [`${kind}:x`, "paragraph:"], caret: 1 });
    expect(after(state, arrowBeyond(-1))).toEqual({ blocks: ["paragraph:", `${kind}:x`], caret: 0 });
  });

  it.each(["divider", "image", "embed"])("from a selected %s, or the gap beside it, too", (kind) => {
    const state = page(node(kind));
    const selected = selecting(state, NodeSelection.create(state.doc, 0));
    const gap = selecting(state, new GapCursor(state.doc.resolve(1)));
    for (const each of [selected, gap]) expect(after(each, arrowBeyond(1))).toEqual({ blocks: [`${kind}:`, "paragraph:"], caret: 1 });
    expect(after(gap, arrowBeyond(-1))).toBeNull();
  });

  it("from a table only by its outermost row", () => {
    const state = page(table);
    const [first, last] = [caret(state, 3), caret(state, 8)];
    expect(first.selection.$from.parent.textContent + last.selection.$from.parent.textContent).toBe("ab");
    expect(after(last, arrowBeyond(1))).toEqual({ blocks: ["table:ab", "paragraph:"], caret: 1 });
    expect(after(first, arrowBeyond(1))).toBeNull();
    expect(after(last, arrowBeyond(-1))).toBeNull();
    expect(after(first, arrowBeyond(-1))).toEqual({ blocks: ["paragraph:", "table:ab"], caret: 0 });
  });

  it("makes nothing where words can be written already, nor within the page", () => {
    expect(after(caret(page(node("paragraph", "x")), 2), arrowBeyond(1))).toBeNull();
    expect(after(caret(page(node("formula", "x"), node("paragraph", "y")), 2), arrowBeyond(1))).toBeNull();
  });
});

describe("enter", () => {
  it("at the end of a formula goes on below, in the middle it does not", () => {
    const state = page(node("formula", "xy"), node("heading", "z"));
    expect(after(caret(state, 3), enterBeyond)).toEqual({ blocks: ["formula:xy", "paragraph:", "heading:z"], caret: 1 });
    expect(after(caret(state, 2), enterBeyond)).toBeNull();
  });

  it("on an empty last line of code leaves the code, and takes the line along", () => {
    expect(after(caret(page(node("codeBlock", "a\n")), 3), enterBeyond)).toEqual({ blocks: ["codeBlock:a", "paragraph:"], caret: 1 });
    expect(after(caret(page(node("codeBlock", "a")), 2), enterBeyond)).toBeNull();
  });
});

describe("a press beyond the words", () => {
  it("makes a paragraph where there is no place for words, and else goes to that place", () => {
    expect(after(page(node("formula", "x")), pressBeyond(1))).toEqual({ blocks: ["formula:x", "paragraph:"], caret: 1 });
    expect(after(page(node("image"), node("paragraph", "x")), pressBeyond(-1))).toEqual({
      blocks: ["paragraph:", "image:", "paragraph:x"],
      caret: 0,
    });
    expect(after(page(node("heading", "a"), node("paragraph", "x")), pressBeyond(1))).toEqual({
      blocks: ["heading:a", "paragraph:x"],
      caret: 1,
    });
    expect(after(page(), pressBeyond(1))).toBeNull();
  });
});
