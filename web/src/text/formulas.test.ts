import { describe, expect, it } from "vitest";
import { canBeSet, setOrShow } from "./formulas";

describe("a formula", () => {
  it("is set if it is neither too long nor too deep", () => {
    expect(canBeSet("\\frac{1}{".repeat(50) + "1" + "}".repeat(50))).toBe(true);
    expect(canBeSet("\\{".repeat(1_000))).toBe(true);
    expect(canBeSet("{x}".repeat(3_000))).toBe(true);
    expect(canBeSet("\\sqrt{x}".repeat(20_000))).toBe(false);
    expect(canBeSet("{".repeat(101) + "}".repeat(101))).toBe(false);
    expect(canBeSet("\\left(".repeat(101))).toBe(false);
    expect(canBeSet("\\begin{a}".repeat(101))).toBe(false);
  });

  it("shows its source if it cannot be set", () => {
    const into = { textContent: null as string | null };
    setOrShow("x", into, () => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    expect(into.textContent).toBe("x");
    setOrShow("{".repeat(200), into, () => (into.textContent = "set"));
    expect(into.textContent).toBe("{".repeat(200));
    setOrShow("{y}", into, () => (into.textContent = "set"));
    expect(into.textContent).toBe("set");
  });
});
