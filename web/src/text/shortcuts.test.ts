import { EditorState, TextSelection, type Plugin, type Transaction } from "prosemirror-state";
import type { Node } from "prosemirror-model";
import { expect, it } from "vitest";
import { keys } from "./commands";
import { schema } from "./schema";
import { shortcuts } from "./shortcuts";
import { ownIds } from "./TextBinding";
import { NOTHING_BARRED, type Barred } from "./useBarred";

/** An empty page on which this is typed letter by letter; "⏎" is Enter. */
function typed(text: string, barred: Barred = NOTHING_BARRED): string[] {
  const [signs, [bindings]] = [
    shortcuts(() => barred),
    keys(
      () => true,
      () => true,
      () => barred,
    ) as [Plugin],
  ];
  const first = schema.nodes.paragraph!.create({ id: "p" });
  const view = {
    state: EditorState.create({ doc: schema.nodes.doc!.create(null, [first]), plugins: [signs, ownIds()], selection: undefined }),
    composing: false,
    dispatch(transaction: Transaction) {
      view.state = view.state.applyTransaction(transaction).state;
    },
  };
  view.dispatch(view.state.tr.setSelection(TextSelection.atEnd(view.state.doc)));
  for (const letter of text) {
    const { from, to } = view.state.selection;
    if (letter === "⏎") bindings.props.handleKeyDown?.call(bindings, view as never, { key: "Enter", keyCode: 13 } as never);
    else if (!signs.props.handleTextInput?.call(signs, view as never, from, to, letter, () => view.state.tr))
      view.dispatch(view.state.tr.insertText(letter, from, to));
  }
  return view.state.doc.content.content.map(said);
}

function said(node: Node): string {
  const attrs = Object.entries({
    list: node.attrs.list,
    checked: node.attrs.checked,
    start: node.attrs.start,
    level: node.attrs.level,
    lang: node.attrs.lang,
  });
  const told = attrs.filter(([, value]) => value).map(([name, value]) => `${name}=${value}`);
  const words = node.content.content.map(
    (child) =>
      `${child.marks.map(({ type, attrs }) => `<${type.name}${attrs.value && attrs.value !== true ? ` ${attrs.value}` : ""}>`).join("")}${child.text}`,
  );
  return `${[node.type.name, ...told].join(" ")}: ${words.join("|")}`;
}

it("begin blocks at the beginning of a line", () => {
  const cases: [string, string[]][] = [
    ["### deep", ["heading level=3: deep"]],
    ["- [ ] open⏎next", ["listItem list=task: open", "listItem list=task: next"]],
    ["- [x] done⏎next", ["listItem list=task checked=true: done", "listItem list=task: next"]],
    ["- a⏎1. b", ["listItem list=bullet: a", "listItem list=ordered: b"]],
    ["4. four⏎five", ["listItem list=ordered start=4: four", "listItem list=ordered: five"]],
    ["1) one", ["listItem list=ordered: one"]],
    ["# # two", ["heading level=1: # two"]],
    ["```js⏎let a⏎b", ["codeBlock lang=js: let a\nb"]],
    ["```⏎plain", ["codeBlock: plain"]],
    ["```c++ x", ["codeBlock lang=c++: x"]],
    ["---after", ["divider: ", "paragraph: after"]],
    ["***⏎after", ["divider: ", "paragraph: after"]],
    ["a⏎```", ["paragraph: a", "paragraph: ```"]],
  ];
  for (const [text, blocks] of cases) expect(typed(text), text).toEqual(blocks);
  expect(typed("```js⏎x", { blocks: new Set(["codeBlock"]), marks: new Set() })).toEqual(["paragraph: ```js", "paragraph: x"]);
});

it("mark words, which keep the marks that they wear", () => {
  const cases: [string, string][] = [
    ["*see **bold** now* on", "<italic>see |<bold><italic>bold|<italic> now| on"],
    ["__strong__ and ***both***.", "<bold>strong| and |<bold><italic>both|."],
    ["***both*** first", "<bold><italic>both| first"],
    ["2*3*4 and a * b * c", "2*3*4 and a * b * c"],
    ["`c*d*e` and `a **b** c`", "<code>c*d*e| and |<code>a **b** c"],
    ["`2*3` and 4*", "<code>2*3| and 4*"],
    ["snake_case_name", "snake_case_name"],
    ["~~no~~ ==yes== $x^2$ $5", "<strike>no| |<highlight>yes| |<tex>x^2| $5"],
    ["see [the plan](https://example.org/a) now", "see |<link https://example.org/a>the plan| now"],
    ["[**the** plan](#page=pg_a)", "<link #page=pg_a><bold>the|<link #page=pg_a> plan"],
    ["[x](javascript:alert)", "[x](javascript:alert)"],
  ];
  for (const [text, words] of cases) expect(typed(text), text).toEqual([`paragraph: ${words}`]);
});
