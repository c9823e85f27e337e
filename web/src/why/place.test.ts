import { expect, it } from "vitest";
import { cardPlace, markPlace } from "./place";

const screen = { w: 800, h: 600 };
const mark = { w: 60, h: 28 };
const card = { w: 280, h: 200 };

it("puts the mark beside the shape's top right corner", () => {
  expect(markPlace({ x: 100, y: 100, w: 50, h: 50 }, screen, mark)).toEqual({ x: 164, y: 86 });
});

it("keeps the mark on screen while any of the shape is, and hides it with the shape", () => {
  expect(markPlace({ x: 700, y: -40, w: 500, h: 50 }, screen, mark)).toEqual({ x: 732, y: 8 });
  expect(markPlace({ x: 900, y: 100, w: 50, h: 50 }, screen, mark)).toBeNull();
});

it("puts the card under the mark, or over it near the bottom, never over the edge", () => {
  expect(cardPlace({ x: 164, y: 86, ...mark }, screen, card)).toEqual({ x: 164, y: 122 });
  expect(cardPlace({ x: 732, y: 550, ...mark }, screen, card)).toEqual({ x: 512, y: 342 });
  expect(cardPlace({ x: 20, y: 20, ...mark }, { w: 200, h: 150 }, card)).toEqual({ x: 8, y: 8 });
});
