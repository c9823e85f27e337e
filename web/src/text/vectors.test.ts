import type { Node } from "prosemirror-model";
import { expect, test } from "vitest";
import blocks from "../../../vectors/blocks.json";
import markdown from "../../../vectors/markdown.json";
import keys from "../../../vectors/order-keys.json";
import { STYLES } from "./blocksDoc";
import { blocksOfFile } from "./markdown";
import { keyBetween } from "./order";
import { ATTRIBUTES, WORDY } from "./schema";

test("kinds of blocks, what they keep and how marks end are the server's", () => {
  expect(ATTRIBUTES).toEqual(Object.fromEntries(blocks.kinds.map(({ name, attributes }) => [name, attributes])));
  expect([...WORDY].sort()).toEqual(blocks.kinds.flatMap(({ name, wordy }) => (wordy ? [name] : [])).sort());
  expect(STYLES).toEqual(Object.fromEntries(blocks.marks.map(({ name, expand }) => [name, { expand }])));
});

test.each(keys.text)("the key between $left and $right is the server's", ({ left, right, key }) => {
  expect(keyBetween(left, right)).toBe(key);
});

/** Words with what they wear, in turn. */
function pieces(node: Node) {
  const all: [string, string[]][] = [];
  node.forEach((child) => {
    const worn = child.marks.map(({ type }) => type.name).sort();
    const [words, last] = all.at(-1) ?? ["", null];
    const said = child.isText ? (child.text ?? "") : "\n";
    if (last?.join() === worn.join()) all[all.length - 1] = [words + said, worn];
    else all.push([said, worn]);
  });
  return all;
}

/** Markdown as blocks: each with its kind, what it says of itself beyond what it is anyway, and its words. */
function shown(markdown: string) {
  return blocksOfFile(markdown).map((block) => {
    const { id: _id, columns: _columns, ...attrs } = block.attrs;
    const bare = block.type.create(null, block.content).attrs;
    const said = Object.fromEntries(Object.entries(attrs).filter(([name, value]) => value !== bare[name]));
    const rows = block.type.name === "table" ? block.content.content.map((row) => row.content.content.map(pieces)) : null;
    return { kind: block.type.name, attributes: said, ...(rows ? { rows } : { words: pieces(block) }) };
  });
}

test.each(markdown)("Markdown becomes the server's blocks: $markdown", ({ markdown, blocks }) => {
  expect(shown(markdown)).toEqual(blocks);
});
