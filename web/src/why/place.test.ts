import { describe, expect, it } from "vitest";
import type { Rect } from "../sync";
import { cardPlace, markPlace } from "./place";

const screen = { w: 800, h: 600 };
const mark = { w: 60, h: 28 };
const card = { w: 280, h: 200 };

it("puts the mark beside the shape's top right corner", () => {
  expect(markPlace({ x: 100, y: 100, w: 50, h: 50 }, screen, mark)).toEqual({ x: 164, y: 86 });
});

it("keeps the mark on screen while any of the shape is, and hides it with the shape", () => {
  expect(markPlace({ x: 700, y: -40, w: 500, h: 50 }, screen, mark)).toEqual({ x: 732, y: 68 });
  expect(markPlace({ x: 900, y: 100, w: 50, h: 50 }, screen, mark)).toBeNull();
});

describe("the card", () => {
  const cardAt = (shape: Rect, on = screen) => {
    const at = markPlace(shape, on, mark);
    return cardPlace(shape, { ...at!, ...mark }, on, card);
  };

  it("stands beside its shape, under the mark, or over it near the bottom", () => {
    expect(cardAt({ x: 100, y: 100, w: 50, h: 50 })).toEqual({ x: 164, y: 122 });
    expect(cardAt({ x: 100, y: 500, w: 50, h: 50 })).toEqual({ x: 164, y: 278 });
  });

  it("goes over or to the other side of a shape at the right edge, and under or over one that is as wide as the screen", () => {
    expect(cardAt({ x: 640, y: 300, w: 100, h: 60 })).toEqual({ x: 512, y: 78 });
    expect(cardAt({ x: 640, y: 80, w: 100, h: 480 })).toEqual({ x: 346, y: 80 });
    expect(cardAt({ x: 20, y: 100, w: 760, h: 60 })).toEqual({ x: 20, y: 174 });
    expect(cardAt({ x: 20, y: 400, w: 760, h: 160 })).toEqual({ x: 512, y: 178 });
  });

  it("keeps clear of the editor's bars", () => {
    expect(cardAt({ x: 820, y: 10, w: 100, h: 60 }, { w: 1000, h: 700 })).toEqual({ x: 712, y: 104 });
    expect(cardAt({ x: 20, y: 10, w: 100, h: 60 }, { w: 1000, h: 700 })).toEqual({ x: 232, y: 104 });
  });

  it("covers a shape only where there is no room at any side, and never leaves the screen", () => {
    expect(cardAt({ x: 0, y: 0, w: 800, h: 600 })).toEqual({ x: 512, y: 104 });
    expect(cardPlace({ x: 10, y: 10, w: 20, h: 20 }, { x: 20, y: 20, ...mark }, { w: 200, h: 150 }, card)).toEqual({ x: 8, y: 8 });
  });

  it("never covers what it can stand beside", () => {
    for (let x = 0; x < 800; x += 40) {
      for (let y = 0; y < 600; y += 40) {
        const shape = { x, y, w: 80, h: 60 };
        const at = cardAt(shape);
        const apart = at.x >= x + 80 || at.x + card.w <= x || at.y >= y + 60 || at.y + card.h <= y;
        expect({ shape, apart, on: at.x >= 8 && at.x + card.w <= 792 && at.y >= 8 && at.y + card.h <= 592 }).toEqual({
          shape,
          apart: true,
          on: true,
        });
      }
    }
  });
});
