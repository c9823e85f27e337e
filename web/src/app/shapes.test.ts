import { expect, it } from "vitest";
import { clearOfTools } from "./shapes";

const view = (w: number, h: number, zoom: number) => ({ viewport: () => ({ x: 100, y: 200, w: w / zoom, h: h / zoom }), zoom: () => zoom });

it("what one sees between the editor's bars, at any zoom", () => {
  expect(clearOfTools(view(936, 756, 1))).toEqual({ x: 124, y: 330, w: 888, h: 554 });
  expect(clearOfTools(view(936, 756, 0.5))).toEqual({ x: 148, y: 460, w: 1776, h: 1108 });
});

it("on a small screen, all of it", () => {
  expect(clearOfTools(view(390, 300, 1))).toEqual({ x: 100, y: 200, w: 390, h: 300 });
});
