import { expect, it } from "vitest";
import { boundsOf } from "./bounds";

it("is the element's own box when it stands upright", () => {
  expect(boundsOf({ x: 10, y: 20, width: 30, height: 40, angle: 0 })).toEqual({ x: 10, y: 20, w: 30, h: 40 });
});

it("turns with the element, about its middle", () => {
  const { x, y, w, h } = boundsOf({ x: 0, y: 0, width: 100, height: 20, angle: Math.PI / 2 });
  expect([x, y, w, h].map((n) => Math.round(n))).toEqual([40, -40, 20, 100]);
});

it("follows an arrow's points, which may lie left of and above its start", () => {
  const points = [
    { x: 0, y: 0 },
    { x: -50, y: 10 },
    { x: -20, y: -30 },
  ];
  expect(boundsOf({ x: 100, y: 100, width: 50, height: 40, angle: 0, points })).toEqual({ x: 50, y: 70, w: 50, h: 40 });
});
