import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LoroDoc } from "loro-crdt";
import { splitBlock, joinBackward, selectAll, deleteSelection } from "prosemirror-commands";
import type { Node } from "prosemirror-model";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { describe, expect, it } from "vitest";
import type { SetAside } from "../canvas/SceneShadow";
import { carryOut } from "./autoformat";
import { blockMap, blockText, prepare } from "./blocksDoc";
import { changeTable, duplicateBlock } from "./commands";
import { hits, replaceHits } from "./find";
import { inlineFormulas } from "./inlineFormulas";
import { keyBetween, outOfOrder } from "./order";
import { blockId, safeLink, schema } from "./schema";
import { shortcuts } from "./shortcuts";
import { isRemote, ownIds, TextBinding } from "./TextBinding";
import { OwnSteps } from "./undoing";

/** An editor without a screen, on a document of its own. */
class Desk {
  state = EditorState.create({ schema, plugins: [shortcuts(() => ({ blocks: new Set(), marks: new Set() })), ownIds()] });
  readonly doc = new LoroDoc();
  aside: SetAside[] = [];
  private readonly binding: TextBinding;

  constructor(peer: bigint, from?: LoroDoc) {
    this.doc.setPeerId(peer);
    const self = this;
    const editor = {
      get state() {
        return self.state;
      },
      show: (tr: Transaction) => void (self.state = self.state.apply(tr)),
    };
    this.binding = new TextBinding(this.doc, editor, (aside) => (this.aside = aside));
    if (from) this.doc.import(from.export({ mode: "snapshot" }));
    this.binding.attach(this.doc);
  }

  deleteSetAside(ids: readonly string[]) {
    this.binding.deleteSetAside(ids);
  }

  steps?: OwnSteps;

  dispatch = (tr: Transaction) => {
    carryOut(tr, this.state, {
      show: (state) => (this.state = state),
      wrote: (before, after) => !isRemote(tr) && this.binding.wrote(before, after),
      apart: (write) => (this.steps ? this.steps.apart(write) : write()),
    });
  };

  run(command: (state: EditorState, dispatch: (tr: Transaction) => void) => boolean) {
    return command(this.state, this.dispatch);
  }

  /** The caret goes to an offset of a block. */
  caret(block: number, offset: number) {
    let at = 1;
    for (let before = 0; before < block; before++) at += this.state.doc.child(before).nodeSize;
    this.dispatch(
      this.state.tr.setSelection(TextSelection.near(this.state.doc.resolve(Math.min(at + offset, this.state.doc.content.size)))),
    );
  }

  type(words: string) {
    this.dispatch(this.state.tr.insertText(words));
  }

  /** Key by key, as the browser tells of them. */
  press(words: string) {
    for (const key of words) {
      const { from, to } = this.state.selection;
      const view = { state: this.state, dispatch: this.dispatch, composing: false } as unknown as EditorView;
      const taken = this.state.plugins.some((plugin) =>
        plugin.props.handleTextInput?.call(plugin, view, from, to, key, () => this.state.tr.insertText(key)),
      );
      if (!taken) this.type(key);
    }
  }

  /** What the screen shows. */
  shows(): string[] {
    const lines: string[] = [];
    this.state.doc.forEach((node) => lines.push(`${node.type.name}: ${inner(node)}`));
    return lines;
  }

  /** What a fresh editor would show of the same document. */
  truth(): string[] {
    return new Desk(999n, this.doc).shows();
  }
}

function inner(node: Node): string {
  if (!node.isTextblock) return node.content.content.map(inner).join("|");
  return node.content.content
    .map((child) => (child.isText ? `${child.marks.map((mark) => `<${mark.type.name}>`).join("")}${child.text}` : "⏎"))
    .join("");
}

function skeleton(): LoroDoc {
  const doc = new LoroDoc();
  doc.setPeerId(1n);
  prepare(doc);
  const map = blockMap(doc, blockId());
  map.set("nodeName", "paragraph");
  map.set("index", "V");
  map.set("parent", null);
  map.ensureMergeableText("originalText");
  doc.commit();
  return doc;
}

async function sync(...desks: { doc: LoroDoc }[]) {
  for (let round = 0; round < 2; round++) {
    for (const from of desks) {
      for (const to of desks) {
        if (from !== to) to.doc.import(from.doc.export({ mode: "update", from: to.doc.oplogVersion() }));
      }
    }
  }
  await Promise.resolve();
}

const pair = async () => {
  const base = skeleton();
  return [new Desk(2n, base), new Desk(3n, base)] as const;
};

describe("two editors", () => {
  it("show what each other types, each caret staying in its words", async () => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type("Hello");
    await sync(ann, ben);
    ben.caret(0, 5);
    ben.type(" world");
    ann.caret(0, 0);
    ann.type("Oh! ");
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: Oh! Hello world"]);
    expect(ben.shows()).toEqual(ann.shows());
    ben.type("!");
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: Oh! Hello world!"]);
  });

  it("change the kind of a block while the other types in it", async () => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type("Plan");
    await sync(ann, ben);
    ben.caret(0, 4);
    ben.type(" B");
    ann.dispatch(ann.state.tr.setNodeMarkup(0, schema.nodes.heading, { ...ann.state.doc.child(0).attrs, level: 2 }));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["heading: Plan B"]);
    expect(ben.shows()).toEqual(["heading: Plan B"]);
  });

  it("split and join blocks, and move them, without losing what the other typed", async () => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type("onetwo");
    ann.caret(0, 3);
    ann.run(splitBlock);
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["paragraph: one", "paragraph: two"]);
    // Ann moves the second block up while Ben types in it.
    ben.caret(1, 3);
    ben.type("!");
    const second = ann.state.doc.child(1);
    const from = ann.state.doc.child(0).nodeSize;
    ann.dispatch(ann.state.tr.delete(from, from + second.nodeSize).insert(0, second));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: two!", "paragraph: one"]);
    expect(ben.shows()).toEqual(ann.shows());
    ben.caret(1, 0);
    ben.run(joinBackward);
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: two!one"]);
  });

  it("split at the beginning, and the words keep their block", async () => {
    const [ann] = await pair();
    ann.caret(0, 0);
    ann.type("words");
    const id = ann.state.doc.child(0).attrs.id;
    ann.caret(0, 0);
    ann.run(splitBlock);
    expect(ann.shows()).toEqual(["paragraph: ", "paragraph: words"]);
    expect(ann.state.doc.child(1).attrs.id).toBe(id);
  });

  it("bring marks over, and code is no link", async () => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type("see the docs");
    ann.dispatch(ann.state.tr.addMark(5, 8, schema.marks.bold!.create()));
    ann.dispatch(ann.state.tr.addMark(9, 13, schema.marks.link!.create({ value: "https://example.org/" })));
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["paragraph: see <bold>the <link>docs"]);
    ben.dispatch(ben.state.tr.addMark(9, 13, schema.marks.code!.create()));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: see <bold>the <code>docs"]);
    ben.dispatch(ben.state.tr.removeMark(1, 13));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: see the docs"]);
  });

  it("add a row and a column to one table at once, and both are there", async () => {
    const [ann, ben] = await pair();
    const cell = (text: string) => schema.nodes.tableCell!.create(null, text ? schema.text(text) : null);
    const row = (...cells: string[]) => schema.nodes.tableRow!.create(null, cells.map(cell));
    ann.dispatch(ann.state.tr.insert(0, schema.nodes.table!.create(null, [row("a", "b"), row("c", "d")])));
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["table: a|b|c|d", "paragraph: "]);
    const table = ann.state.doc.child(0);
    ann.dispatch(ann.state.tr.insert(table.nodeSize - 1, row("e", "f")));
    const wider = ben.state.doc.child(0);
    const rows = wider.content.content.map((each, at) => each.copy(each.content.addToEnd(cell(`x${at}`))));
    ben.dispatch(ben.state.tr.replaceWith(1, wider.nodeSize - 1, rows));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["table: a|b|x0|c|d|x1|e|f|", "paragraph: "]);
    expect(ben.shows()).toEqual(ann.shows());
  });

  it("show the words of a column on its side, and leave it there", async () => {
    const [ann, ben] = await pair();
    const cell = (text: string) => schema.nodes.tableCell!.create(null, schema.text(text));
    ann.dispatch(ann.state.tr.insert(0, schema.nodes.table!.create(null, [schema.nodes.tableRow!.create(null, [cell("a"), cell("1")])])));
    await sync(ann, ben);
    const column: string = ann.state.doc.child(0).attrs.columns[1];
    const other = { doc: new LoroDoc() };
    other.doc.import(ann.doc.export({ mode: "snapshot" }));
    blockMap(other.doc, column).set("align", "right");
    other.doc.commit();
    await sync(other, ann, ben);
    const sides = (desk: Desk) =>
      desk.state.doc
        .child(0)
        .child(0)
        .content.content.map(({ attrs }) => attrs.align);
    expect(sides(ann)).toEqual([null, "right"]);
    ann.dispatch(ann.state.tr.insertText("2", 6));
    await sync(ann, ben);
    expect([sides(ann), sides(ben), blockMap(ann.doc, column).get("align")]).toEqual([[null, "right"], [null, "right"], "right"]);
    ann.run(duplicateBlock(ann.state.doc.child(0).attrs.id));
    await sync(ann, ben);
    const copy = (desk: Desk) =>
      desk.state.doc
        .child(1)
        .child(0)
        .content.content.map(({ attrs }) => attrs.align);
    expect([copy(ann), copy(ben), copy(new Desk(9n, ann.doc))]).toEqual([
      [null, "right"],
      [null, "right"],
      [null, "right"],
    ]);
  });

  it("show a third peer's writing without writing it back", async () => {
    const base = skeleton();
    const [ann, ben] = [new Desk(2n, base), new Desk(3n, base)];
    const id = ann.state.doc.child(0).attrs.id;
    const fairy = new LoroDoc();
    fairy.setPeerId(7n);
    prepare(fairy);
    fairy.import(base.export({ mode: "snapshot" }));
    const text = blockText(fairy, id);
    text.insert(0, "The fairy writes.");
    text.mark({ start: 0, end: 17 }, "agent-pending", "run_1");
    fairy.commit();
    await sync({ doc: fairy }, ann, ben);
    expect(ann.shows()).toEqual(["paragraph: <agent-pending>The fairy writes."]);
    expect([...ann.doc.oplogVersion().toJSON().keys()].sort()).toEqual(["1", "7"]);
    ann.caret(0, 9);
    ann.type(" (Ann)");
    await sync({ doc: fairy }, ann, ben);
    expect(text.toString()).toBe("The fairy (Ann) writes.");
    expect(ben.shows()).toEqual(ben.truth());
    expect(ann.shows()).toEqual(ann.truth());
  });

  it("leave a fairy its words when a person replaces others around them at once", async () => {
    const base = skeleton();
    const ann = new Desk(2n, base);
    const id = ann.state.doc.child(0).attrs.id;
    ann.caret(0, 0);
    ann.type("colour  colour");
    const fairy = new LoroDoc();
    fairy.setPeerId(7n);
    prepare(fairy);
    fairy.import(ann.doc.export({ mode: "snapshot" }));
    const text = blockText(fairy, id);
    text.insert(7, "the fairy's");
    text.mark({ start: 7, end: 18 }, "agent-pending", "run_1");
    fairy.commit();
    await sync({ doc: fairy }, ann);
    ann.dispatch(replaceHits(ann.state, hits(ann.state.doc, "colour"), "hue"));
    await sync({ doc: fairy }, ann);
    expect(ann.truth()).toEqual(["paragraph: hue |<agent-pending>the fairy's| hue".replaceAll("|", "")]);
    expect(ann.shows()).toEqual(ann.truth());
  });

  it("delete everything", async () => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type("one");
    ann.run(splitBlock);
    ann.type("two");
    ann.run(selectAll);
    ann.run(deleteSelection);
    await sync(ann, ben);
    expect(ann.shows()).toEqual(ann.truth());
    expect(ben.shows()).toEqual(ann.shows());
  });
});

describe("a page that was spoilt", () => {
  const spoilt = () => {
    const doc = new LoroDoc();
    prepare(doc);
    for (const [id, index] of [
      ["good", "a0"],
      ["bad", "a1"],
    ] as const) {
      blockMap(doc, id).set("nodeName", "paragraph");
      blockMap(doc, id).set("index", index);
      blockText(doc, id).insert(0, `${id} words`);
    }
    return doc;
  };

  it("opens without the blocks that would spoil it, and says which", () => {
    const doc = spoilt();
    for (const name of ["hasOwnProperty", "__proto__"]) blockMap(doc, "bad").set(name, { nodeName: "heading" });
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.shows()).toEqual(["paragraph: good words"]);
    expect(desk.aside.map(({ id, type, fault }) => [id, type, fault.kind])).toEqual([["bad", "paragraph", "name"]]);
    desk.deleteSetAside(["good", "bad"]);
    expect(desk.aside).toEqual([]);
    expect(desk.shows()).toEqual(["paragraph: good words"]);
  });

  it("opens with blocks that lie in each other, and goes on", () => {
    const doc = spoilt();
    blockMap(doc, "good").set("parent", "bad");
    blockMap(doc, "bad").set("parent", "good");
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.shows()).toEqual([]);
    blockMap(doc, "bad").set("indent", 1);
    blockMap(doc, "good").set("parent", null);
    doc.commit();
    desk.doc.import(doc.export({ mode: "snapshot" }));
    expect(desk.shows()).toEqual(["paragraph: good words"]);
  });

  it("takes values of other types for those that are meant", () => {
    const doc = spoilt();
    blockMap(doc, "bad").set("nodeName", "image");
    for (const name of ["fileId", "src", "href"]) blockMap(doc, "bad").set(name, { length: 5 });
    blockText(doc, "good").mark({ start: 0, end: 4 }, "comment-anchor", { a: 1 } as never);
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.state.doc.child(1).attrs).toMatchObject({ fileId: null, src: null, href: null });
    expect(desk.state.doc.child(0).firstChild?.marks).toEqual([]);
  });

  const addTable = (doc: LoroDoc, name: string, columns: number, rows: number) => {
    blockMap(doc, name).set("nodeName", "table");
    blockMap(doc, name).set("index", name);
    for (const [kind, count] of [
      ["tableColumn", columns],
      ["tableRow", rows],
    ] as const) {
      for (let at = 0; at < count; at++) {
        const part = blockMap(doc, `${name}-${kind}${String(at).padStart(5, "0")}`);
        for (const [key, value] of Object.entries({ nodeName: kind, parent: name, index: `a${String(at).padStart(5, "0")}1` }))
          part.set(key, value);
      }
    }
  };

  it("shows a table of endless cells as far as a table goes, and names the rest", () => {
    const doc = spoilt();
    addTable(doc, "t", 1_000, 1_000);
    doc.commit();
    const desk = new Desk(1n, doc);
    const table = desk.state.doc.child(2);
    expect([table.childCount, table.firstChild?.childCount]).toEqual([100, 100]);
    expect(desk.aside.length).toBe(1_800);
    expect(desk.aside[0]).toEqual({ id: "t-tableColumn00100", type: "tableColumn", fault: { property: "parent", kind: "table" } });
    desk.caret(2, 4);
    desk.type("words");
    expect(desk.aside.length, "what is not shown stays").toBe(1_800);
    desk.deleteSetAside(desk.aside.map(({ id }) => id));
    expect(desk.aside).toEqual([]);
    expect(desk.state.doc.child(2).childCount).toBe(100);
  });

  it("shares what a page shows among its tables", () => {
    const doc = spoilt();
    for (const name of ["t1", "t2", "t3"]) addTable(doc, name, 50, 200);
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.state.doc.childCount).toBe(4);
    expect(desk.aside.length).toBe(200);
    blockMap(desk.doc, "t1").set("isDeleted", true);
    desk.doc.commit();
    expect(new Desk(2n, desk.doc).aside).toEqual([]);
  });

  it("lets no table grow beyond what a table may have", () => {
    const doc = spoilt();
    addTable(doc, "t", 100, 100);
    doc.commit();
    const desk = new Desk(1n, doc);
    desk.caret(2, 4);
    for (const change of ["row", "column"] as const) desk.run(changeTable(change));
    expect([desk.state.doc.child(2).childCount, desk.state.doc.child(2).firstChild?.childCount]).toEqual([100, 100]);
    desk.run(changeTable("-row"));
    desk.run(changeTable("row"));
    expect(desk.state.doc.child(2).childCount).toBe(100);
  });

  it("takes attributes that are out of all bounds for those that are meant", () => {
    for (const indent of [-1e15, 0.5, 1e9, Number.NaN]) {
      const doc = spoilt();
      blockMap(doc, "bad").set("indent", indent);
      blockMap(doc, "bad").set("quote", indent);
      doc.commit();
      const { attrs } = new Desk(1n, doc).state.doc.child(1);
      expect([attrs.indent, attrs.quote], String(indent)).toEqual([0, 0]);
    }
  });

  it("sets words of endless lines aside, but not code", () => {
    const doc = spoilt();
    blockText(doc, "bad").insert(0, "a\n".repeat(5_001));
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.shows()).toEqual(["paragraph: good words"]);
    expect(desk.aside).toEqual([{ id: "bad", type: "paragraph", fault: { property: "originalText", kind: "large" } }]);
    blockMap(doc, "bad").set("nodeName", "codeBlock");
    doc.commit();
    expect(new Desk(2n, doc).aside).toEqual([]);
  });

  it("sets a block of endless styled stretches aside, and leaves formulas beyond the limits as words", () => {
    const doc = spoilt();
    const among = (id: string, mark: string, count: number) => {
      const text = blockText(doc, id);
      text.delete(0, text.length);
      text.insert(0, "a ".repeat(count));
      for (let at = 0; at < count; at++) text.mark({ start: at * 2, end: at * 2 + 1 }, mark, true);
    };
    among("bad", "bold", 5_001);
    among("good", "tex", 1_200);
    doc.commit();
    const desk = new Desk(1n, doc);
    expect(desk.aside).toEqual([{ id: "bad", type: "paragraph", fault: { property: "originalText", kind: "large" } }]);
    expect(desk.state.doc.child(0).textContent.length).toBe(2_400);
    expect(inlineFormulas(desk.state.doc).length).toBe(1_000);
  });

  it("has no blocks of kinds that every object knows", () => {
    const doc = spoilt();
    blockMap(doc, "bad").set("nodeName", "constructor");
    doc.commit();
    expect(new Desk(1n, doc).shows()).toEqual(["paragraph: good words"]);
  });
});

describe("random people and a fairy", () => {
  for (let seed = 1; seed <= 20; seed++) {
    it(`end the same and show what the document says (${seed})`, async () => {
      const random = mulberry(seed);
      const pick = (n: number) => Math.floor(random() * n);
      const base = skeleton();
      const desks = [new Desk(2n, base), new Desk(3n, base)];
      const fairy = { doc: new LoroDoc() };
      fairy.doc.setPeerId(7n);
      prepare(fairy.doc);
      fairy.doc.import(base.export({ mode: "snapshot" }));
      let typed = 0;
      for (let step = 0; step < 60; step++) {
        const desk = desks[pick(2)]!;
        const count = desk.state.doc.childCount;
        if (count > 0) desk.caret(pick(count), pick(8));
        switch (pick(9)) {
          case 0:
          case 1:
          case 2:
            if (count > 0) desk.type(String.fromCodePoint(0x4e00 + typed++));
            break;
          case 3:
            desk.run(splitBlock);
            break;
          case 4:
            if (count > 1) {
              const at = desk.state.doc.child(0).nodeSize;
              const second = desk.state.doc.child(1);
              desk.dispatch(desk.state.tr.delete(at, at + second.nodeSize).insert(0, second));
            }
            break;
          case 5:
            if (desk.state.doc.firstChild?.isTextblock) {
              const to = Math.min(4, desk.state.doc.firstChild.content.size + 1);
              if (to > 1) desk.dispatch(desk.state.tr.addMark(1, to, schema.marks[["bold", "italic", "code"][pick(3)]!]!.create()));
            }
            break;
          case 6:
            if (count > 0) {
              const kind = ["heading", "listItem", "blockquote", "paragraph"][pick(4)]!;
              desk.dispatch(desk.state.tr.setNodeMarkup(0, schema.nodes[kind], { id: desk.state.doc.child(0).attrs.id }));
            }
            break;
          case 7: {
            const ids = fairy.doc.getMap("doc").keys();
            const id = ids[pick(ids.length)]!;
            const text = blockText(fairy.doc, id);
            const at = pick(text.length + 1);
            text.insert(at, "fairy ");
            text.mark({ start: at, end: at + 6 }, "agent-pending", "run_1");
            fairy.doc.commit();
            break;
          }
          default:
            await sync(...desks, fairy);
        }
        await Promise.resolve();
        if (step % 12 === 11) expect(desk.shows()).toEqual(desk.truth());
      }
      await sync(...desks, fairy);
      expect(desks[0]!.shows()).toEqual(desks[1]!.shows());
      expect(desks[0]!.shows()).toEqual(desks[0]!.truth());
    });
  }
});

/** Keys that anything took out of a map: the room refuses every one. */
function removals(doc: LoroDoc): string[] {
  const ops = doc.exportJsonUpdates().changes.flatMap((change) => change.ops);
  return ops.flatMap(({ content }) => ("key" in content && content.type === "delete" ? [content.key] : []));
}

describe("undo", () => {
  it("gives the signs back that became something", async () => {
    const [ann] = await pair();
    ann.steps = new OwnSteps(ann.doc);
    ann.caret(0, 0);
    ann.press("# Plan **now**");
    expect(ann.shows()).toEqual(["heading: Plan <bold>now"]);
    await new Promise((go) => setTimeout(go, 620));
    ann.steps.undo();
    await Promise.resolve();
    expect(ann.shows()).toEqual(["heading: Plan **now**"]);
  });

  it("brings back what was deleted, takes back what was made, and removes no key", async () => {
    const base = skeleton();
    const ann = new Desk(2n, base);
    const steps = new OwnSteps(ann.doc);
    // Each is a step of its own.
    const step = async (what: () => void) => {
      what();
      await new Promise((go) => setTimeout(go, 620));
    };
    ann.caret(0, 0);
    await step(() => ann.type("onetwo"));
    ann.caret(0, 3);
    await step(() => ann.run(splitBlock));
    await step(() => ann.dispatch(ann.state.tr.setNodeMarkup(0, schema.nodes.heading, { ...ann.state.doc.child(0).attrs, level: 2 })));
    const cell = (text: string) => schema.nodes.tableCell!.create(null, text ? schema.text(text) : null);
    const row = (...cells: string[]) => schema.nodes.tableRow!.create(null, cells.map(cell));
    await step(() => ann.dispatch(ann.state.tr.insert(0, schema.nodes.table!.create(null, [row("a", ""), row("c", "d")]))));
    await step(() => ann.run(selectAll) && ann.run(deleteSelection));
    const seen = [
      ["paragraph: "],
      ["table: a||c|d", "heading: one", "paragraph: two"],
      ["heading: one", "paragraph: two"],
      ["paragraph: one", "paragraph: two"],
      ["paragraph: onetwo"],
      ["paragraph: "],
    ];
    for (const shown of seen) {
      expect(ann.shows()).toEqual(shown);
      expect(ann.truth()).toEqual(shown);
      steps.undo();
      await Promise.resolve();
    }
    for (const shown of seen.reverse()) {
      expect(ann.shows()).toEqual(shown);
      steps.redo();
      await Promise.resolve();
    }
    expect(removals(ann.doc)).toEqual([]);
  }, 10_000);

  it("leaves a table that one made and another wrote in, with what they wrote", async () => {
    const [ann, ben] = await pair();
    const steps = new OwnSteps(ann.doc);
    const cell = (text: string) => schema.nodes.tableCell!.create(null, text ? schema.text(text) : null);
    const row = (...cells: string[]) => schema.nodes.tableRow!.create(null, cells.map(cell));
    ann.dispatch(ann.state.tr.insert(0, schema.nodes.table!.create(null, [row("a", "b"), row("c", "d")])));
    await sync(ann, ben);
    ben.dispatch(ben.state.tr.insertText("Ben", 4));
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["table: aBen|b|c|d", "paragraph: "]);
    steps.undo();
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["table: Ben", "paragraph: "]);
    expect(ben.shows()).toEqual(ann.shows());
  });

  for (let seed = 1; seed <= 10; seed++) {
    it(`takes back all that one did and nothing that another did (${seed})`, async () => {
      const random = mulberry(seed);
      const pick = (n: number) => Math.floor(random() * n);
      const base = skeleton();
      const [ann, ben] = [new Desk(2n, base), new Desk(3n, base)];
      ann.caret(0, 0);
      ann.type("the first line");
      ann.run(splitBlock);
      ann.type("the second");
      await sync(ann, ben);
      const steps = new OwnSteps(ann.doc);
      let typed = 0;
      for (let step = 0; step < 30; step++) {
        ann.caret(pick(ann.state.doc.childCount), pick(12));
        const block = ann.state.doc.child(0);
        const does = [
          () => ann.type(String.fromCodePoint(0x4e00 + step)),
          () => ann.run(splitBlock),
          () => ann.run(joinBackward),
          () => block.content.size > 2 && ann.dispatch(ann.state.tr.delete(1, 3)),
          () => ann.dispatch(ann.state.tr.setNodeMarkup(0, schema.nodes.listItem, { ...block.attrs })),
          () => ann.state.doc.childCount > 1 && ann.dispatch(ann.state.tr.delete(0, block.nodeSize)),
        ];
        does[pick(does.length)]!();
        if (pick(4) === 0) {
          ben.caret(pick(ben.state.doc.childCount), pick(12));
          ben.type(String.fromCodePoint(0x0410 + typed++));
        }
        await sync(ann, ben);
      }
      const theirs = (desk: Desk) => [...desk.shows().join("")].filter((letter) => /[\u0410-\u045f]/.test(letter)).sort();
      const before = theirs(ann);
      while (steps.canUndo()) steps.undo();
      await sync(ann, ben);
      expect(ann.shows()).toEqual(ann.truth());
      expect(ben.shows()).toEqual(ann.shows());
      expect(removals(ann.doc)).toEqual([]);
      expect(theirs(ann)).toEqual(expect.arrayContaining(before));
      const mine = ann.shows().map((line) => line.replace(/[\u0410-\u045f]/g, ""));
      expect(mine.filter((line) => !line.endsWith(": "))).toEqual(["paragraph: the first line", "paragraph: the second"]);
    });
  }
});

describe("order keys", () => {
  it("lie between their neighbours, however often", () => {
    let left: string | null = null;
    const right = "V";
    for (let n = 0; n < 300; n++) {
      const key: string = keyBetween(left, right);
      expect(key < right && (left === null || key > left)).toBe(true);
      left = key;
    }
    let low = "V";
    for (let n = 0; n < 300; n++) {
      const key = keyBetween(null, low);
      expect(key < low).toBe(true);
      low = key;
    }
    let end = "V";
    for (let n = 0; n < 300; n++) {
      const key = keyBetween(end, null);
      expect(key > end).toBe(true);
      end = key;
    }
    expect(end.length).toBeLessThan(40);
  });

  it("are renewed for as few as possible", () => {
    expect(outOfOrder(["a", "b", "c"])).toEqual(new Set());
    expect(outOfOrder(["c", "a", "b"])).toEqual(new Set([0]));
    expect(outOfOrder(["a", "a"]).size).toBe(1);
  });
});

it("follows only links that are safe to follow", () => {
  expect(["https://x.org", "/page", "#a", "mailto:a@b.c", "foo):"].map(safeLink)).not.toContain(null);
  expect(
    ["javascript:alert(1)", " javascript:x", "data:text/html,x", "java\nscript:x", "a+b.c:d", "JavaScript :x", 3].map(safeLink),
  ).toEqual([null, null, null, null, null, null, null]);
});

it("has one copy of each part of the editor", () => {
  const root = join(import.meta.dirname, "../../node_modules");
  const own = readdirSync(root).filter((name) => name.startsWith("prosemirror-"));
  expect(own.length).toBeGreaterThan(5);
  const nested = readdirSync(root)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => {
      try {
        return readdirSync(join(root, name, "node_modules")).filter((inner) => inner.startsWith("prosemirror-"));
      } catch {
        return [];
      }
    });
  expect(nested).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(root, "../package.json"), "utf8"));
  for (const name of own.filter((name) => name in dependencies)) {
    expect(JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")).version).toBe(dependencies[name]);
  }
});

function mulberry(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

describe("the caret, while others write", () => {
  const written = async (words: string) => {
    const [ann, ben] = await pair();
    ann.caret(0, 0);
    ann.type(words);
    await sync(ann, ben);
    return [ann, ben] as const;
  };

  it("stays with its letter when its paragraph is split, joined or moved", async () => {
    const [ann, ben] = await written("one two three");
    ben.caret(0, 9);
    ann.caret(0, 4);
    ann.run(splitBlock);
    await sync(ann, ben);
    ben.type("T");
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["paragraph: one ", "paragraph: two tThree"]);
    // Ann puts them together again, from the second block into the first.
    ann.caret(1, 0);
    ann.run(joinBackward);
    await sync(ann, ben);
    ben.type("!");
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["paragraph: one two tT!hree"]);
    ann.caret(0, 4);
    ann.run(splitBlock);
    await sync(ann, ben);
    const second = ann.state.doc.child(1);
    const from = ann.state.doc.child(0).nodeSize;
    ann.dispatch(ann.state.tr.delete(from, from + second.nodeSize).insert(0, second));
    await sync(ann, ben);
    ben.type("?");
    await sync(ann, ben);
    expect(ben.shows()).toEqual(["paragraph: two tT!?hree", "paragraph: one "]);
    expect(ann.shows()).toEqual(ben.shows());
  });

  it("keeps two people's words whole who type at one spot", async () => {
    const [ann, ben] = await written("Dear , hello");
    for (const desk of [ann, ben]) desk.caret(0, 5);
    for (const letters of ["AB", "ne", "nn"]) {
      ann.type(letters.charAt(0));
      await sync(ann, ben);
      ben.type(letters.charAt(1));
      await sync(ann, ben);
    }
    expect(ann.shows()).toEqual(ben.shows());
    expect(ann.shows()[0]).toMatch(/^paragraph: Dear (AnnBen|BenAnn), hello$/);
  });

  it("stays where it is when words around it are marked, or the same letters come before it", async () => {
    const [ann, ben] = await written("the the end");
    ben.caret(0, 7);
    ann.dispatch(ann.state.tr.addMark(1, 12, schema.marks.bold!.create()));
    await sync(ann, ben);
    ann.caret(0, 0);
    ann.type("the ");
    await sync(ann, ben);
    ben.type("!");
    expect(ben.shows().join().replaceAll("<bold>", "")).toBe("paragraph: the the the! end");
  });

  it("has what others type right there behind it, and what is selected stays selected", async () => {
    const [ann, ben] = await written("one two");
    ben.caret(0, 7);
    ann.caret(0, 7);
    ann.type(" three");
    await sync(ann, ben);
    ben.type(",");
    await sync(ann, ben);
    expect(ann.shows()).toEqual(["paragraph: one two, three"]);
    ben.dispatch(ben.state.tr.setSelection(TextSelection.create(ben.state.doc, 5, 8)));
    ann.caret(0, 4);
    ann.type("x ");
    ann.caret(0, 9);
    ann.type(" y");
    await sync(ann, ben);
    const { from, to } = ben.state.selection;
    expect(ben.state.doc.textBetween(from, to)).toBe("two");
  });
});
