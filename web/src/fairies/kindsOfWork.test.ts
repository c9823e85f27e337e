import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allows, KINDS_OF_WORK, withKind, type KindOfWork } from "./kindsOfWork";

const kinds = Object.keys(KINDS_OF_WORK) as KindOfWork[];

it("names what the server lets a scope name", () => {
  const vector: unknown = JSON.parse(readFileSync(new URL("../../../vectors/kinds-of-work.json", import.meta.url), "utf8"));
  expect(KINDS_OF_WORK).toEqual(vector);
});

it("switches one kind off and leaves the others as they were", () => {
  for (const off of kinds) {
    const actions = withKind(null, off, false);
    expect(kinds.filter((kind) => !allows(actions, kind))).toEqual([off]);
    expect(withKind(actions, off, true)).toBeNull();
  }
});

it("keeps what was named elsewhere, and of a kind in part", () => {
  const actions = withKind(["create", "move", "an-action-of-their-own"], "comment", true);
  expect(actions).toEqual(["create", "move", "an-action-of-their-own", ...KINDS_OF_WORK.comment]);
  expect(allows(actions, "draw")).toBe(false);
});
