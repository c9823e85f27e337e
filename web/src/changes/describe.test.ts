import { expect, it } from "vitest";
import type { RunChange } from "../api/types";
import { describeChanges, sceneBefore } from "./describe";

const change = (element: string, property: string, more: Partial<RunChange> = {}): RunChange => ({
  action: 1,
  element,
  property,
  created: false,
  derived: false,
  ...more,
});

const CHANGES = [
  change("pay", "backgroundColor", { before: "#a5d8ff" }),
  change("pay", "x", { before: 10 }),
  change("pay", "y", { before: 20 }),
  change("ship", "", { created: true }),
  change("label", "", { created: true }),
  change("arrow", "points", { derived: true, before: [] }),
];

const look = (id: string) => ({
  name: { pay: "Pay", ship: "Ship", label: "Ship" }[id] ?? "an arrow",
  props: { backgroundColor: "#ffc9c9" } as Record<string, unknown>,
  shape: id === "label" ? "ship" : id,
});

it("tells what a run did, shape by shape, without what only followed", () => {
  expect(describeChanges(CHANGES, look)).toEqual([
    { element: "pay", name: "Pay", what: "fill", before: "#a5d8ff", after: "#ffc9c9" },
    { element: "pay", name: "Pay", what: "moved" },
    { element: "ship", name: "Ship", what: "new" },
  ]);
});

it("puts the scene back to what it was, the oldest value first", () => {
  const scene = [
    { id: "pay", x: 99, y: 99, backgroundColor: "#ffc9c9" },
    { id: "ship", x: 0, y: 0, backgroundColor: "" },
    { id: "old", x: 1, y: 1, backgroundColor: "" },
  ];
  const twice = [...CHANGES, change("pay", "x", { action: 2, before: 50 })];
  expect(sceneBefore(scene, twice)).toEqual([{ id: "pay", x: 10, y: 20, backgroundColor: "#a5d8ff" }, scene[2]]);
});
