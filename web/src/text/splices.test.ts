import { describe, expect, it } from "vitest";
import { splicesBetween, type Splice } from "./splices";

const made = (text: string, changes: readonly Splice[]) =>
  [...changes].reverse().reduce((now, { at, remove, insert }) => now.slice(0, at) + insert + now.slice(at + remove), text);

describe("the changes of a text", () => {
  it("are one place where somebody typed", () => {
    expect(splicesBetween("we met", "we met Ann")).toEqual([{ at: 6, remove: 0, insert: " Ann" }]);
    expect(splicesBetween("we met Ann", "we Ann")).toEqual([{ at: 3, remove: 4, insert: "" }]);
    expect(splicesBetween("the the end", "the the the end", 4)).toEqual([{ at: 0, remove: 0, insert: "the " }]);
    expect(splicesBetween("aaa", "aa", 1)).toEqual([{ at: 1, remove: 1, insert: "" }]);
    expect(splicesBetween("abc", "xbc", 3)).toEqual([{ at: 0, remove: 1, insert: "x" }]);
    expect(splicesBetween("same", "same")).toEqual([]);
  });

  it("are word by word where several were changed at once, and what is between stays", () => {
    expect(splicesBetween("a colour and a colour too", "a hue and a hue too")).toEqual([
      { at: 2, remove: 6, insert: "hue" },
      { at: 15, remove: 6, insert: "hue" },
    ]);
  });

  it("cut no character in two", () => {
    expect(splicesBetween("👍", "👎")).toEqual([{ at: 0, remove: 2, insert: "👎" }]);
    expect(splicesBetween("a👍b 👍", "a👎b 👎").map(({ at }) => at)).toEqual([1, 5]);
  });

  it("make the one of the other, whatever they are", () => {
    const parts = ["one", " ", "two", "👍", "\n", ".", "colour", "ü", "  ", "*"];
    let seed = 7;
    const pick = () => parts[(seed = (seed * 16807) % 2147483647) % parts.length]!;
    for (let round = 0; round < 500; round++) {
      const [before, now] = [0, 1].map(() => Array.from({ length: (seed % 9) + 1 }, pick).join("")) as [string, string];
      expect(made(before, splicesBetween(before, now))).toBe(now);
    }
  });
});
