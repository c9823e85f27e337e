import { expect, it } from "vitest";
import { dragged, nudged, SMALLEST } from "./region";

const area = { x: 10, y: 20, w: 300, h: 200 };

it("moves as a whole, to whole units", () => {
  expect(dragged(area, "move", 15.4, -30.2)).toEqual({ x: 25, y: -10, w: 300, h: 200 });
});

it("grows and shrinks at its far corner, and keeps some room", () => {
  expect(dragged(area, "size", 40, 60)).toEqual({ x: 10, y: 20, w: 340, h: 260 });
  expect(dragged(area, "size", -1000, -1000)).toEqual({ x: 10, y: 20, w: SMALLEST, h: SMALLEST });
});

it("follows the arrow keys, farther with shift, and no other key", () => {
  expect(nudged(area, "move", "ArrowLeft", false)).toEqual({ ...area, x: -10 });
  expect(nudged(area, "size", "ArrowDown", true)).toEqual({ ...area, h: 300 });
  expect(nudged(area, "move", "Enter", false)).toBeNull();
});
