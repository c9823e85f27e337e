import { expect, it } from "vitest";
import { numbersOf } from "./listNumbers";
import { schema } from "./schema";

it("lists count on through what stands in their items, from the number they begin with", () => {
  const item = (list: string, more: Record<string, unknown> = {}) => schema.nodes.listItem!.create({ list, ...more });
  const words = (indent = 0) => schema.nodes.paragraph!.create({ indent });
  const blocks = [
    item("ordered", { start: 4 }),
    words(1),
    item("ordered", { indent: 1 }),
    item("ordered", { indent: 1 }),
    item("ordered"),
    item("bullet", { indent: 1 }),
    item("ordered", { indent: 1 }),
    item("ordered"),
    item("ordered", { anew: true }),
    words(),
    item("ordered"),
    item("ordered", { quote: 1 }),
    item("ordered", { start: 0 }),
  ];
  const doc = schema.nodes.doc!.create(null, blocks);
  expect(numbersOf(doc).map(({ number }) => number)).toEqual([4, 1, 2, 5, 1, 6, 1, 1, 1, 0]);
});
