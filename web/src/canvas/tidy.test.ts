import type { ExcalidrawElement } from "@excalidraw/element/types";
import { describe, expect, it } from "vitest";
import { isTidyKey, withChanges } from "./tidy";

const element = (id: string, isDeleted = false) =>
  ({ id, x: 0, version: 1, versionNonce: 1, updated: 1, isDeleted }) as unknown as ExcalidrawElement;

describe("tidying", () => {
  it("changes what is named and is there, each as a new version", () => {
    const [a, b, c] = withChanges(
      [element("a"), element("b"), element("c", true)],
      [
        { id: "a", props: { x: 40 } },
        { id: "c", props: { x: 40 } },
        { id: "gone", props: { x: 40 } },
      ],
    );
    expect([a?.x, b?.x, c?.x]).toEqual([40, 0, 0]);
    expect([a?.version, b?.version, c?.version]).toEqual([2, 1, 1]);
  });

  it("goes by the key's place, and by Alt alone", () => {
    const key = { code: "KeyT", altKey: true, ctrlKey: false, metaKey: false, shiftKey: false };
    expect([isTidyKey(key), isTidyKey({ ...key, shiftKey: true }), isTidyKey({ ...key, altKey: false })]).toEqual([true, false, false]);
  });
});
