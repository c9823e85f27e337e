import { expect, it } from "vitest";
import { partOf } from "./part";

const run = ["a", "a-label", "b", "b-label", "arrow"];
const shapeOf = (id: string) => id.replace(/-label$/, "");

it("takes the labels of the selected boxes along", () => {
  expect(partOf(run, ["a"], shapeOf)).toEqual({ shapes: 1, elements: ["a", "a-label"] });
  expect(partOf(run, ["arrow", "b"], shapeOf)).toEqual({ shapes: 2, elements: ["b", "b-label", "arrow"] });
});

it("leaves out what is selected but not the run's", () => {
  expect(partOf(run, ["mine", "arrow"], shapeOf)).toEqual({ shapes: 1, elements: ["arrow"] });
});

it("takes back a label that a fairy wrote into a person's box", () => {
  expect(partOf(["mine-label", "b"], ["mine"], shapeOf)).toEqual({ shapes: 1, elements: ["mine-label"] });
});

it("is nothing when nothing of the run is selected, or all of it", () => {
  expect(partOf(run, [], shapeOf)).toBeNull();
  expect(partOf(run, ["mine"], shapeOf)).toBeNull();
  expect(partOf(run, ["a", "b", "arrow", "mine"], shapeOf)).toBeNull();
});
