import type { Node } from "prosemirror-model";
import { describe, expect, it } from "vitest";
import { blocksOfMarkdown, pastedText } from "./markdown";
import { schema } from "./schema";
import { NOTHING_BARRED } from "./useBarred";

/** Pasted into a paragraph, or into a cell. */
function pasted(text: string, { literally = false, barred = NOTHING_BARRED, cell = false } = {}) {
  const { doc, paragraph, table, tableRow, tableCell } = schema.nodes;
  const page = doc!.create(null, cell ? table!.create(null, tableRow!.create(null, tableCell!.create())) : paragraph!.create());
  return pastedText(text, page.resolve(cell ? 3 : 1), literally, barred);
}

/** Each block with its kind, what it says of itself, and its words with what they wear. */
function shown(text: string): string[] | null {
  return blocksOfMarkdown(text)?.map((block) => `${block.type.name}${said(block)}: ${words(block)}`) ?? null;
}

function said(block: Node): string {
  const { id: _id, columns: _columns, ...attrs } = block.attrs;
  const fresh = schema.nodes[block.type.name]!.create(null, block.content).attrs;
  const told = Object.entries(attrs).filter(([name, value]) => value !== fresh[name]);
  return told.length > 0 ? `(${told.map(([name, value]) => `${name} ${String(value)}`).join(", ")})` : "";
}

function words(node: Node): string {
  if (!node.isTextblock) return node.content.content.map(words).join("|");
  return node.content.content
    .map((child) => (child.isText ? `${child.marks.map(({ type }) => `<${type.name}>`).join("")}${child.text}` : "⏎"))
    .join("");
}

describe("Markdown that is pasted", () => {
  it("becomes headings, lists, code and quotes", () => {
    const text =
      "# Plan\n\nWe *meet*\non **Monday**.\n\n- one\n  - deeper `x`\n- two\n\n4. four\n5. five\n\n> said\n>\n> twice\n\n```rust\nfn main() {}\n```\n\n---\n\n- [ ] open\n- [x] done\n";
    expect(shown(text)).toEqual([
      "heading: Plan",
      "paragraph: We <italic>meet on <bold>Monday.",
      "listItem: one",
      "listItem(indent 1): deeper <code>x",
      "listItem: two",
      "listItem(list ordered, start 4): four",
      "listItem(list ordered): five",
      "blockquote: said",
      "blockquote: twice",
      "codeBlock(lang rust): fn main() {}",
      "divider: ",
      "listItem(list task): open",
      "listItem(list task, checked true): done",
    ]);
  });

  it("becomes tables, with the sides of their columns", () => {
    const [table] = blocksOfMarkdown("| Name | Age |\n|---|--:|\n| Ann | 31 |\n") ?? [];
    expect(words(table!)).toBe("Name|Age|Ann|31");
    expect(table!.child(1).content.content.map(({ attrs }) => attrs.align)).toEqual([null, "right"]);
  });

  it("keeps links that may be followed, and of others their words", () => {
    const [heading] = blocksOfMarkdown("# [a](https://example.org) [b](javascript:alert(1)) ![c](d.png)") ?? [];
    expect(words(heading!)).toBe("<link>a b <link>c");
  });

  it("fits the page as it is", () => {
    const text = "# A\n\n> - one\n> - two\n>\n>   three\n\n1. `code` [a `b` c](https://example.org)\n2. <b>x</b>\n";
    const page = schema.nodes.doc!.create(null, blocksOfMarkdown(text)!);
    expect(() => page.check()).not.toThrow();
    expect(pasted(text)?.content.eq(page.content)).toBe(true);
  });

  it("stays text where a plugin that it needs is off", () => {
    const barred = { ...NOTHING_BARRED, marks: new Set(["strike"]) };
    expect(pasted("# A ~~b~~", { barred })).toBeNull();
    expect(pasted("# A b", { barred })).not.toBeNull();
    expect(pasted("| a |\n|---|\n", { barred: { ...NOTHING_BARRED, blocks: new Set(["tableCell"]) } })).toBeNull();
  });

  it("stays text when that is asked for, and in a cell", () => {
    expect([pasted("# A", { literally: true }), pasted("# A", { cell: true })]).toEqual([null, null]);
  });
});

it.each([
  "Plain prose, of one line.",
  "Several lines\nof *prose*, 2 * 3 * 4,\nwith_signs_in it.",
  "- one line with a dash",
  "1990. It was a good year.",
  "Dear all,\n\n    indented by a mail program\n\nYours",
  "> quoted in a mail\n\nmy answer",
  "Title\n-----\n",
  "#hashtag and #another",
])("prose stays prose: %j", (text) => {
  expect(blocksOfMarkdown(text)).toBeNull();
});
