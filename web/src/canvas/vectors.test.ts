import { generateKeyBetween } from "@excalidraw/fractional-indexing";
import { expect, test } from "vitest";
import elements from "../../../vectors/elements.json";
import keys from "../../../vectors/order-keys.json";
import { repairIndices } from "./editorTools";
import { SceneOrder } from "./order";
import { withDefaults, type Props } from "./schema";

test.each(elements)("what element $id leaves out reads as the server reads it", ({ id, raw, full }) => {
  expect(withDefaults(id, raw as Props)).toEqual({ ...full, id });
});

test.each(keys.canvas)("the editor's key between $below and $above is the server's", ({ below, above, key }) => {
  expect(generateKeyBetween(below, above)).toBe(key);
});

test.each(keys.heights)("elements lie in the order that the server has them in: $order", ({ elements, order }) => {
  const registers = new Map(elements as [string, string | null][]);
  const scene = [...registers.keys()].map((id) => ({ id, index: null }));
  expect(new SceneOrder(repairIndices).arrange(scene, (id) => registers.get(id)).map(({ id }) => id)).toEqual(order);
});
