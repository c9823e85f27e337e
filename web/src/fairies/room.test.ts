import { expect, it } from "vitest";
import { roomAround } from "./room";

const screen = { w: 900, h: 700 };

it("gives no way in the middle of the screen", () => {
  expect(roomAround({ x: 450, y: 350 }, screen, 60)).toEqual({ top: false, bottom: false, shift: 0 });
});

it("speaks beneath at the upper edge and is spoken to above at the lower one", () => {
  expect(roomAround({ x: 450, y: 100 }, screen, 60)).toEqual({ top: true, bottom: false, shift: 0 });
  expect(roomAround({ x: 450, y: 640 }, screen, 60)).toEqual({ top: false, bottom: true, shift: 0 });
});

it("moves its words in from the sides, no farther than they reach", () => {
  expect(roomAround({ x: 20, y: 350 }, screen, 60).shift).toBe(114);
  expect(roomAround({ x: 890, y: 350 }, screen, 60).shift).toBe(-124);
  expect(roomAround({ x: -400, y: 350 }, screen, 60).shift).toBe(134);
  expect(roomAround({ x: 1300, y: 350 }, screen, 60).shift).toBe(-134);
});

it("puts its words in the middle of a screen that is hardly wider than they are", () => {
  expect(roomAround({ x: 30, y: 350 }, { w: 240, h: 700 }, 60).shift).toBe(90);
});
