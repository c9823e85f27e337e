import { expect, it } from "vitest";
import { besideAll } from "./beside";

const meets = (a: { x: number; y: number; w: number; h: number }, b: typeof a) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

it("leaves what is wanted where it is free", () => {
  const wanted = { x: 5, y: 5, w: 10, h: 10 };
  expect(besideAll([], wanted)).toBe(wanted);
  expect(besideAll([{ x: 1000, y: 0, w: 10, h: 10 }], wanted)).toBe(wanted);
});

it("comes to lie on nothing, however much is there", () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const rect = () => ({ x: next(2000), y: next(800), w: next(300) + 1, h: next(300) + 1 });
    const there = Array.from({ length: next(12) }, rect);
    const place = besideAll(there, rect());
    expect(there.filter((other) => meets(place, other))).toEqual([]);
  }
});
