import { describe, expect, test } from "vitest";
import { Random } from "./testRandom";
import { apply, compose, diffText, transform, type Delta } from "./textDelta";

const LETTERS = ["a", "b", "c", "🙂", "👩‍🚀", "\n", "é"];
const random = new Random(1);
const randomText = () => Array.from({ length: random.below(12) }, () => random.pick(LETTERS)).join("");

/** Some other text reached from this one by a few edits. */
function randomDelta(text: string): Delta {
  let out: Delta = [];
  let now = text;
  for (let i = 0; i < 3; i++) {
    const units = [...now];
    const at = random.below(units.length + 1);
    const gone = random.below(3);
    const next = [...units.slice(0, at), random.pick(LETTERS), ...units.slice(at + gone)].join("");
    out = compose(out, diffText(now, next));
    now = next;
  }
  return out;
}

describe("text deltas", () => {
  test("a difference, applied, gives the other text, and never cuts a character in two", () => {
    for (let i = 0; i < 3000; i++) {
      const [a, b] = [randomText(), randomText()];
      const delta = diffText(a, b);
      expect(apply(a, delta)).toBe(b);
      for (const op of delta) {
        if ("insert" in op) {
          expect(op.insert.isWellFormed()).toBe(true);
        }
      }
    }
  });

  test("typing is one small splice", () => {
    expect(diffText("hello world", "hello, world")).toEqual([{ retain: 5 }, { insert: "," }]);
    expect(diffText("aab", "ab")).toEqual([{ retain: 1 }, { delete: 1 }]);
    expect(diffText("same", "same")).toEqual([]);
    expect(diffText("x🙂", "x🙃")).toEqual([{ retain: 1 }, { insert: "🙃" }, { delete: 2 }]);
  });

  test("two changes composed are the two changes one after the other", () => {
    for (let i = 0; i < 3000; i++) {
      const text = randomText();
      const first = randomDelta(text);
      const second = randomDelta(apply(text, first));
      expect(apply(text, compose(first, second))).toBe(apply(apply(text, first), second));
    }
  });

  test("two concurrent changes give the same text whichever comes first", () => {
    for (let i = 0; i < 3000; i++) {
      const text = randomText();
      const [mine, theirs] = [randomDelta(text), randomDelta(text)];
      const theirsFirst = apply(apply(text, theirs), transform(mine, theirs, true));
      const mineFirst = apply(apply(text, mine), transform(theirs, mine, false));
      expect(theirsFirst).toBe(mineFirst);
    }
  });
});
