import { LoroDoc } from "loro-crdt";
import type { Node } from "prosemirror-model";
import { EditorState, NodeSelection, TextSelection, type Command, type Plugin } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { blockMap, prepare } from "./blocksDoc";
import { beforeTyped, changesKey, changesPlugin, wordChanges, type WordChange } from "./changes";
import { flatten } from "./colored";
import { deleteBlock, duplicateBlock, keys, moveBlockAt, setKind } from "./commands";
import { inlineFormulas } from "./inlineFormulas";
import { encode, inner } from "./places";
import { schema } from "./schema";
import { ownIds } from "./TextBinding";
import { mentionAt, slashAt } from "./typed";
import type { Barred } from "./useBarred";

const node = (kind: string, id: string, words = "", attrs: Record<string, unknown> = {}) =>
  schema.nodes[kind]!.create({ id, ...attrs }, words ? schema.text(words) : null);
const cell = (words: string) => schema.nodes.tableCell!.create(null, words ? schema.text(words) : null);
const table = schema.nodes.table!.create({ id: "t", columns: ["c1", "c2"] }, [
  schema.nodes.tableRow!.create({ id: "r1" }, [cell("a"), cell("b")]),
  schema.nodes.tableRow!.create({ id: "r2" }, [cell("c"), cell("d")]),
]);

function page(blocks: Node[], plugins: Plugin[] = [ownIds()]): EditorState {
  return EditorState.create({ doc: schema.nodes.doc!.create(null, blocks), plugins });
}

const caret = (state: EditorState, at: number) => state.apply(state.tr.setSelection(TextSelection.near(state.doc.resolve(at))));
const run = (state: EditorState, command: Command) => {
  let next = state;
  command(state, (transaction) => (next = state.applyTransaction(transaction).state));
  return next;
};
const press = (state: EditorState, key: string, barred?: () => Barred) => {
  const [{ props }] = keys(
    () => true,
    () => true,
    barred,
  ) as [Plugin];
  let next = state;
  const view = { state, dispatch: (transaction: never) => (next = state.applyTransaction(transaction).state), endOfTextblock: () => false };
  props.handleKeyDown?.call(undefined as never, view as never, { key, keyCode: 0 } as never);
  return next;
};
const words = (state: EditorState) => state.doc.content.content.map(({ type, textContent }) => `${type.name}: ${textContent}`);

describe("signs that open a menu", () => {
  const typed = (text: string) => {
    const state = page([node("paragraph", "p", text)]);
    return caret(state, text.length + 1);
  };
  it("are a slash at the beginning of a line and an at at that of a word", () => {
    expect(slashAt(typed("/head"))).toEqual({ from: 1, to: 6, query: "head" });
    expect(slashAt(typed("and/or"))).toBeNull();
    expect(mentionAt(typed("ask @Fe"))).toEqual({ from: 5, to: 8, query: "fe" });
    expect(mentionAt(typed("a@b.org"))).toBeNull();
  });

  it("are none in code", () => {
    expect(slashAt(caret(page([node("codeBlock", "p", "/usr")]), 5))).toBeNull();
  });
});

describe("another kind of block", () => {
  const bold = schema.marks.bold!.create();
  const lines = schema.nodes.paragraph!.create({ id: "p", quote: 1 }, [
    schema.text("one", [bold]),
    schema.nodes.hardBreak!.create(),
    schema.text("two"),
  ]);

  it("has the same words in the same place, without what it cannot hold", () => {
    const state = run(caret(page([lines]), 2), setKind("codeBlock", { lang: "c" }));
    expect(state.doc.firstChild!.toJSON()).toEqual({
      type: "codeBlock",
      attrs: { id: "p", lang: "c", indent: 0, quote: 1 },
      content: [{ type: "text", text: "one\ntwo" }],
    });
    const again = run(state, setKind("paragraph"));
    expect(words(again)).toEqual(["paragraph: onetwo"]);
    expect(again.doc.firstChild!.childCount).toBe(3);
  });

  it("is not begun by Enter where its plugin is off", () => {
    const off = () => ({ blocks: new Set(["listItem", "tableRow"]), marks: new Set<string>() });
    const item = node("listItem", "i", "one");
    expect(words(press(caret(page([item]), 4), "Enter"))).toEqual(["listItem: one", "listItem: "]);
    expect(words(press(caret(page([item]), 4), "Enter", off))).toEqual(["listItem: one", "paragraph: "]);
  });
});

describe("formulas among words", () => {
  it("are found by their places, and one that is partly bold is one", () => {
    const [formula, bold] = [schema.marks.tex!.create(), schema.marks.bold!.create()];
    const line = schema.nodes.paragraph!.create({ id: "p" }, [
      schema.text("so "),
      schema.text("a^", [formula]),
      schema.text("2", [bold, formula]),
      schema.text(" and "),
      schema.text("b", [formula]),
    ]);
    expect(inlineFormulas(page([node("paragraph", "q", "none"), line]).doc)).toEqual([
      { from: 10, to: 13, tex: "a^2" },
      { from: 18, to: 19, tex: "b" },
    ]);
  });
});

describe("in a table", () => {
  const at = (words: string) => {
    let found = 0;
    page([table]).doc.descendants((each, pos) => {
      if (each.isText && each.text === words) found = pos;
    });
    return found;
  };
  it("Tab goes to the next cell, and after the last to a new row with the caret in it", () => {
    const next = press(caret(page([table]), at("a")), "Tab");
    expect(next.selection.$from.parent.textContent).toBe("b");
    const more = press(caret(page([table]), at("d")), "Tab");
    expect(more.doc.child(0).childCount).toBe(3);
    expect(more.selection.$from.index(1)).toBe(2);
    expect(more.selection.$from.index(2)).toBe(0);
    expect(more.doc.child(0).child(2).attrs.id).toMatch(/^bk_/);
  });

  it("Enter goes down, and out of the last row", () => {
    expect(press(caret(page([table]), at("b")), "Enter").selection.$from.parent.textContent).toBe("d");
    const out = press(caret(page([table]), at("d")), "Enter");
    expect(words(out)).toEqual(["table: abcd", "paragraph: "]);
    expect(out.selection.$from.parent.type.name).toBe("paragraph");
  });

  it("a block's ids are its own, its columns', rows' and cells'", () => {
    expect(inner(table)).toEqual(["t", "c1", "c2", "r1", "r1.c1", "r1.c2", "r2", "r2.c1", "r2.c2"]);
    expect(inner(node("paragraph", "p"))).toEqual(["p"]);
  });
});

describe("a block", () => {
  const start = page([node("paragraph", "a", "one"), node("heading", "b", "two"), table]);
  it("is moved under its own id, doubled under another, and deleted", () => {
    expect(run(start, moveBlockAt("b", -1)).doc.content.content.map(({ attrs }) => attrs.id)).toEqual(["b", "a", "t"]);
    const twice = run(start, duplicateBlock("t"));
    expect(words(twice)).toEqual(["paragraph: one", "heading: two", "table: abcd", "table: abcd"]);
    const [first, second] = [inner(twice.doc.child(2)), inner(twice.doc.child(3))];
    expect(first.filter((id) => second.includes(id))).toEqual([]);
    expect(words(run(start, deleteBlock("a")))).toEqual(["heading: two", "table: abcd"]);
  });

  it("leaves a line to write in when it was the last", () => {
    const alone = page([node("divider", "d")]);
    const picked = alone.apply(alone.tr.setSelection(NodeSelection.create(alone.doc, 0)));
    expect(words(run(picked, deleteBlock("d")))).toEqual(["paragraph: "]);
  });
});

it("a highlighter's tree becomes parts in a row, the innermost name counting", () => {
  const text = (value: string) => ({ type: "text", value });
  const tree = {
    type: "root",
    children: [
      text("a "),
      {
        type: "element",
        properties: { className: ["x"] },
        children: [text("b"), { type: "element", properties: { className: ["y"] }, children: [text("cd")] }],
      },
    ],
  };
  expect(flatten(tree)).toEqual([
    { from: 2, to: 3, className: "x" },
    { from: 3, to: 5, className: "y" },
  ]);
});

it("changes stand where their characters are, and move with what is typed", () => {
  const doc = new LoroDoc();
  doc.setPeerId(4n);
  prepare(doc);
  const text = blockMap(doc, "p").ensureMergeableText("originalText");
  text.insert(0, "The hue of");
  doc.commit();
  const at = (offset: number) => encode(text.getCursor(offset)!.encode());
  const change = {
    action: 3,
    element: "p",
    property: "originalText",
    created: false,
    derived: false,
    words: { typed: [{ from: at(4), to: at(6) }], removed: [{ text: "colour", after: at(3) }, { text: "Lo. " }] },
  };
  text.insert(0, "So: ");
  doc.commit();
  const state = page([node("paragraph", "p", "So: The hue of")], [changesPlugin(() => {})]);
  const found = wordChanges("run_1", [change], doc, state.doc);
  const expected: WordChange[] = [
    {
      run: "run_1",
      action: 3,
      block: "p",
      typed: [{ from: 9, to: 12 }],
      removed: [
        { at: 9, text: "colour" },
        { at: 1, text: "Lo. " },
      ],
    },
  ];
  expect(found).toEqual(expected);
  const shown = state.apply(state.tr.setMeta(changesKey, found));
  const later = shown.apply(shown.tr.insertText("And ", 5));
  expect(changesKey.getState(later)?.[0]?.typed).toEqual([{ from: 13, to: 16 }]);
});

it("what was taken out stands before the words that came instead", () => {
  const typed = [
    { from: 5, to: 8 },
    { from: 8, to: 10 },
    { from: 20, to: 22 },
  ];
  expect([10, 8, 5, 15, 22].map((at) => beforeTyped(at, typed))).toEqual([5, 5, 5, 15, 20]);
});
