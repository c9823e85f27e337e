import { describe, expect, test } from "vitest";
import { repairIndices } from "./editorTools";
import { SceneOrder, type Ordered } from "./order";
import { Random } from "./testRandom";

/** Keys as editors make them, some of them the same, and none. */
const KEYS = ["a0", "a1", "a1V", "a2", "a2", "a3", "a4G", "a5", "b00", null, null];

/** The order as it is without any history: everything sorted and repaired at once. */
function afresh(registers: ReadonlyMap<string, string | null>): Ordered[] {
  const scene = [...registers.keys()].map((id) => ({ id, index: null }));
  return new SceneOrder(repairIndices).arrange(scene, (id) => registers.get(id)).map(({ id, index }) => ({ id, index }));
}

describe("the order of a scene", () => {
  test("is by register, then by id; what has none comes last, and every key is made valid", () => {
    const registers = new Map([
      ["d", null],
      ["c", "a1"],
      ["b", "a1"],
      ["a", "a2"],
    ]);
    const order = afresh(registers);
    expect(order.map(({ id }) => id)).toEqual(["b", "c", "a", "d"]);
    expect(order[0]?.index).toBe("a1");
    expect(order[2]?.index).toBe("a2");
    const keys = order.map(({ index }) => index as string);
    expect([...keys].sort()).toEqual(keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(Array.from({ length: 40 }, (_, seed) => seed))("kept through random changes is that of all at once (%i)", (seed) => {
    const random = new Random(seed);
    const registers = new Map<string, string | null>();
    const order = new SceneOrder(repairIndices);
    const kept: Ordered[] = order.arrange([], () => undefined).map((each) => ({ ...each }));
    for (let round = 0; round < 60; round++) {
      for (let change = random.below(4); change >= 0; change--) {
        const id = `e${random.below(25)}`;
        const register = random.pick(KEYS);
        if (registers.has(id)) kept.splice(order.take(id), 1);
        registers.set(id, register);
        kept.splice(order.put(id, register), 0, { id, index: null });
      }
      for (const [at, index] of order.settle() ?? []) (kept[at] as Ordered).index = index;
      expect(kept).toEqual(afresh(registers));
      expect(order.follows(kept)).toBe(true);
    }
  });

  test("is not kept with a key that is none, and says so", () => {
    const order = new SceneOrder(repairIndices);
    order.arrange([{ id: "a", index: null }], () => "a1");
    expect(order.follows([{ id: "a", index: "a1" }])).toBe(true);
    order.put("b", "nonsense!");
    expect(order.settle()).toBeNull();
    expect(
      order.follows([
        { id: "a", index: "a1" },
        { id: "b", index: "a2" },
      ]),
    ).toBe(false);
  });

  test("is not kept with what only the editor knows", () => {
    const order = new SceneOrder(repairIndices);
    const scene = [
      { id: "a", index: "a1" },
      { id: "mine", index: "a0" },
    ];
    const arranged = order.arrange(scene, (id) => (id === "a" ? "a1" : undefined));
    expect(arranged.map(({ id }) => id)).toEqual(["mine", "a"]);
    expect(order.follows(arranged)).toBe(false);
  });
});
