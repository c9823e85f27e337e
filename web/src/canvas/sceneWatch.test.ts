import { expect, test } from "vitest";
import { SceneWatch } from "./sceneWatch";

const one = { version: 1, versionNonce: 10 };
const two = { version: 4, versionNonce: 7 };

test("only what is different counts as a change, however often one looks", () => {
  const watch = new SceneWatch();
  const steps = [[one, two], [one, two], [two, one], [two, one], [two], [two], [two, { ...one, version: 2 }], [], []];
  expect(steps.map((scene) => watch.changed(scene))).toEqual([true, false, true, false, true, false, true, true, false]);
});

test("an element changed in place is seen", () => {
  const watch = new SceneWatch();
  const mutable = { ...one };
  expect(watch.changed([mutable])).toBe(true);
  mutable.version++;
  mutable.versionNonce = 99;
  expect([watch.changed([mutable]), watch.changed([mutable])]).toEqual([true, false]);
});

test("after forgetting, the same scene is news", () => {
  const watch = new SceneWatch();
  watch.changed([one]);
  watch.forget();
  expect(watch.changed([one])).toBe(true);
});
