import { expect, it } from "vitest";
import { onOtherPage, withToast, type Toast } from "./Toast";

const said = (text: string, more: Partial<Toast> = {}): Toast => ({ tone: "calm", text, ...more });

it("news stands below other news, the same words once", () => {
  const shown = ["one", "two", "one"].reduce((all, text) => withToast(all, said(text)), withToast([], said("zero")));
  expect(shown.map(({ id, text }) => [id, text])).toEqual([
    [1, "zero"],
    [3, "two"],
    [4, "one"],
  ]);
});

it("only so much is shown at once, the newest of it", () => {
  const shown = ["a", "b", "c", "d", "e"].reduce((all, text) => withToast(all, said(text)), withToast([], said("first")));
  expect(shown.map(({ text }) => text)).toEqual(["b", "c", "d", "e"]);
});

it("what is about a page goes with it; what can still be done stays", () => {
  const shown = withToast(withToast([], said("of the page")), said("in the trash", { action: { label: "Bring it back", run: () => {} } }));
  expect(onOtherPage(shown).map(({ text }) => text)).toEqual(["in the trash"]);
});
