import { EditorState } from "prosemirror-state";
import { expect, it } from "vitest";
import { hits, nextHit, replaceHits } from "./find";
import { schema } from "./schema";

const line = (words: string) => schema.nodes.paragraph!.create({ id: words }, schema.text(words));
const found = (words: string, ...lines: string[]) => {
  const doc = schema.nodes.doc!.create(null, lines.map(line));
  return hits(doc, words).map(({ from, to }) => doc.textBetween(from, to));
};

it("words are found whatever their capitals, also behind letters that are longer when they are small", () => {
  expect(found("colour", "İ Colour, İİ COLOUR", "no color", "xcoloury")).toEqual(["Colour", "COLOUR", "colour"]);
  expect(found("STRASSE ẞ", "strasse ß")).toEqual(["strasse ß"]);
  expect(found("i", "İ")).toEqual(["İ"]);
});

it("signs stand for themselves", () => {
  expect(found("a.b", "a.b axb")).toEqual(["a.b"]);
  expect(found("\\d+(", "\\d+( 12(")).toEqual(["\\d+("]);
  expect(found("👩‍👧", "a 👩‍👧 b")).toEqual(["👩‍👧"]);
});

it("one goes from place to place, and around the end of the page", () => {
  const all = [
    { from: 1, to: 3 },
    { from: 5, to: 7 },
    { from: 9, to: 11 },
  ];
  const steps = (by: 1 | -1) => [0, 1, 5, 9].map((from) => nextHit(all, { from, to: from }, by)?.from);
  expect(steps(1)).toEqual([1, 5, 9, 1]);
  expect(steps(-1)).toEqual([9, 9, 1, 5]);
});

it("what comes instead wears what all of the words wore", () => {
  const [bold, link] = [schema.marks.bold!.create(), schema.marks.link!.create({ value: "https://example.org" })];
  const block = schema.nodes.paragraph!.create({ id: "p" }, [
    schema.text("a "),
    schema.text("colour", [link]),
    schema.text(" or "),
    schema.text("co", [bold]),
    schema.text("lour"),
  ]);
  const state = EditorState.create({ doc: schema.nodes.doc!.create(null, [block]) });
  const replaced = (words: string) => replaceHits(state, hits(state.doc, "colour"), words).doc.child(0);
  expect(replaced("hue").content.content.map(({ text, marks }) => [text, ...marks.map(({ type }) => type.name)])).toEqual([
    ["a "],
    ["hue", "link"],
    [" or hue"],
  ]);
  expect(replaced("").textContent).toBe("a  or ");
});
