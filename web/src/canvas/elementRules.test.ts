import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultOf } from "./elementRules";
import type { Props } from "./schema";

/** What the server is tested against too. */
const cases = JSON.parse(readFileSync(new URL("../../../vectors/element-rules.json", import.meta.url), "utf8")) as {
  element: Props;
  fault: string | null;
}[];

describe("the rules for elements", () => {
  test("judge as the shared cases say", () => {
    expect(cases.length).toBeGreaterThan(60);
    for (const { element, fault } of cases) {
      expect(faultOf(element)?.property ?? null, JSON.stringify(element)).toBe(fault);
    }
  });

  test("hold what is long and many to their limits", () => {
    const points = (count: number) => ({ points: Array.from({ length: count }, () => [0, 0]) });
    expect(faultOf({ originalText: "a".repeat(200_000) })).toBeUndefined();
    expect(faultOf({ originalText: "a".repeat(200_001) })).toEqual({ property: "originalText", kind: "large" });
    expect(faultOf({ link: "é".repeat(8192) })).toBeUndefined();
    expect(faultOf({ link: "é".repeat(8193) })?.property).toBe("link");
    expect(faultOf({ ...points(1_000), elbowed: true })).toEqual(undefined);
    expect(faultOf({ ...points(1_001), elbowed: true })?.kind).toBe("strokes");
    expect(faultOf({ points: Array.from({ length: 20_001 }, () => [0, 0]), type: "freedraw" })?.kind).toBe("strokes");
    expect(faultOf({ points: Array.from({ length: 80_000 }, () => [0, 0]) })).toBeUndefined();
    expect(faultOf({ points: Array.from({ length: 80_001 }, () => [0, 0]) })).toEqual({ property: "points", kind: "strokes" });
    expect(faultOf(points(100_001))).toEqual({ property: "points", kind: "large" });
    let deep: unknown = null;
    for (let level = 1; level < 30; level++) deep = [deep];
    expect(faultOf({ customData: deep })).toBeUndefined();
    expect(faultOf({ customData: [deep] })?.property).toBe("customData");
  });

  test("let a label be no longer than the narrowest container can wrap", () => {
    const label = (length: number): Props => ({ type: "text", containerId: "box", fontSize: 20, originalText: "x".repeat(length) });
    expect(faultOf(label(85_000))).toBeUndefined();
    expect(faultOf(label(90_000))).toEqual({ property: "autoResize", kind: "strokes" });
    expect(faultOf({ ...label(90_000), containerId: null })).toBeUndefined();
  });

  test("take numbers that are none for what they are", () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY]) expect(faultOf({ x })?.property).toBe("x");
    expect(faultOf({ customData: { n: Number.NaN } })?.property).toBe("customData");
  });

  test("see a prototype that came with the document", () => {
    const element: Props = {};
    Reflect.set(element, "__proto__", { type: "rectangle" });
    expect(faultOf(element)).toEqual({ property: "__proto__", kind: "name" });
  });
});
