import { describe, expect, it } from "vitest";
import { askContext, chipText } from "./context";

const view = { x: 1, y: 2, w: 3, h: 4 };
const labels: Record<string, string> = { pay: "Pay\nnow", blank: " " };
const handle = {
  viewport: () => view,
  element: (id: string) => ({ x: 0, y: 0, width: 1, height: 1, angle: 0, type: "rectangle", label: labels[id] ?? "" }),
};
const hand = { page: "pg_a", handle, selection: ["pay", "ship"], leftOut: [], viewAlong: true };

describe("what goes along with the words", () => {
  it("is the page, the view and the selected shapes", () => {
    expect(askContext(hand)()).toEqual({ page: "pg_a", bounds: view, selection: ["pay", "ship"] });
  });

  it("is without what was left out, until something else is selected", () => {
    expect(askContext({ ...hand, leftOut: ["pay", "ship"] })().selection).toEqual([]);
    expect(askContext({ ...hand, leftOut: ["pay"] })().selection).toEqual(["pay", "ship"]);
    expect(askContext({ ...hand, viewAlong: false })()).toEqual({ page: "pg_a", selection: ["pay", "ship"] });
  });

  it("does without a canvas that is still opening", () => {
    expect(askContext({ ...hand, handle: null, selection: [] })()).toEqual({ page: "pg_a", selection: [] });
  });
});

describe("the chip of the selected shapes", () => {
  it("names one that has a name, and counts the rest", () => {
    expect(chipText(handle, ["pay"], [])).toBe("Pay now");
    expect(chipText(handle, ["blank"], [])).toBe("1 shape");
    expect(chipText(handle, ["pay", "ship", "x"], [])).toBe("3 shapes");
  });

  it("is not there for nothing, nor for what was left out", () => {
    expect(chipText(handle, [], [])).toBeNull();
    expect(chipText(handle, ["pay"], ["pay"])).toBeNull();
  });
});

it("takes picked points and areas along", () => {
  const picked = [{ type: "point" as const, point: { x: 1, y: 2 } }];
  const hand = { page: "pg_a", handle: null, selection: [], leftOut: [], viewAlong: true, picked };
  expect(askContext(hand)()).toEqual({ page: "pg_a", selection: [], contextItems: picked });
});
