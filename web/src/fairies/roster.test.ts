import { describe, expect, it } from "vitest";
import type { Fairy } from "../api/types";
import type { Presence } from "../sync";
import { paint } from "./paint";
import { apart, appearance, describeMode, fairiesOnPage, inPlaces } from "./roster";

const row: Fairy = {
  id: "fy_a",
  name: "Puck",
  mode: "idling",
  page: "pg_a",
  model: "sketch",
  modelLabel: "sketch: built-in, rule-based",
  hat: "top",
  hatColor: "violet",
  color: "#7048e8",
  position: { x: 10, y: 20 },
  todos: [],
  tasks: [],
  runs: [],
  sign: "",
  personality: "",
  planFirst: false,
  keepAtOnce: false,
  scope: {},
  limits: {},
};

const seen: Presence = {
  subject: "fairy:fy_a",
  name: "Puck",
  kind: "fairy",
  color: "#c2255c",
  cursor: null,
  selection: [],
  viewport: null,
  activity: "generating",
  fairy: "fy_a",
  mode: "one-shotting",
  position: { x: 300, y: 40 },
  pose: "working",
  flip: true,
  hat: "ears",
  hatColor: "#2f9e44",
  doing: "drawing Order",
};

describe("a fairy's appearance", () => {
  it("follows its presence", () => {
    expect(appearance(row, seen)).toEqual({
      id: "fy_a",
      name: "Puck",
      hat: "ears",
      hatColor: "#2f9e44",
      color: "#c2255c",
      position: { x: 300, y: 40 },
      pose: "working",
      flip: true,
      expression: "neutral",
      view: { x: -200, y: -460, w: 1000, h: 1000 },
      asleep: false,
      doing: "drawing Order",
    });
  });

  it("falls back on its row when it is not present", () => {
    expect(appearance(row, undefined)).toEqual({
      id: "fy_a",
      name: "Puck",
      hat: "top",
      hatColor: "violet",
      color: "#7048e8",
      position: { x: 10, y: 20 },
      pose: "idle",
      flip: false,
      expression: "neutral",
      view: { x: -490, y: -480, w: 1000, h: 1000 },
      asleep: false,
      doing: null,
    });
  });

  it("does not trust a place or a pose that makes no sense", () => {
    const odd = { ...seen, position: { x: Number.NaN, y: 0 }, pose: "moonwalking" } as unknown as Presence;
    expect(appearance(row, odd)).toMatchObject({ position: { x: 10, y: 20 }, pose: "working" });
  });
});

describe("the fairies on a page", () => {
  it("are those whose page it is and those who are seen there", () => {
    const visitor = { ...row, id: "fy_b", page: "pg_b" };
    const stranger = { ...row, id: "fy_c", page: "pg_c" };
    const here = fairiesOnPage([row, visitor, stranger], "pg_a", [{ ...seen, fairy: "fy_b" }]);
    expect(here.map(({ id }) => id)).toEqual(["fy_a", "fy_b"]);
  });
});

describe("what a fairy is said to be doing", () => {
  it("is what it says, else thinking, else how it is", () => {
    expect(describeMode(row, seen, true)).toBe("drawing Order");
    expect(describeMode(row, { ...seen, doing: undefined, pose: "thinking" }, true)).toBe("thinking");
    expect(describeMode(row, undefined, true)).toBe("thinking");
    expect(describeMode(row, undefined, false)).toBe("idle");
    expect(describeMode({ ...row, mode: "day-dreaming" }, undefined, false)).toBe("day dreaming");
  });
});

describe("paint", () => {
  it("takes names and hex colours and nothing else", () => {
    expect(paint("violet", "#000000")).toBe("#7048e8");
    expect(paint("#AbC", "#000000")).toBe("#AbC");
    expect(paint("url(https://elsewhere.example/x)", "#000000")).toBe("#000000");
    expect(paint(null, "#000000")).toBe("#000000");
  });
});

it("shows nobody behind another, and leaves alone who has room", () => {
  const at = (id: string, x: number, y: number) => ({ ...appearance({ ...row, id }, undefined), position: { x, y } });
  const places = apart([at("a", 100, 100), at("b", 110, 105), at("c", 105, 100), at("d", 400, 100)]).map(({ position }) => position);
  expect(places).toEqual([
    { x: 100, y: 100 },
    { x: 154, y: 105 },
    { x: 193, y: 100 },
    { x: 400, y: 100 },
  ]);
});

describe("fairies under a moving view", () => {
  it("are where they are now and look as they did", () => {
    const now: Presence = { ...seen, position: { x: 900, y: 90 }, flip: false, pose: "thinking", doing: "reading" };
    expect(inPlaces([seen], [now])).toEqual([{ ...seen, position: { x: 900, y: 90 }, flip: false }]);
  });

  it("come and go at once", () => {
    expect(inPlaces([], [seen])).toEqual([seen]);
    expect(inPlaces([seen], [])).toEqual([]);
  });
});
