import { expect, it } from "vitest";
import { sortDropped } from "./dropped";

it("Markdown is told by its name or kind, pictures are taken elsewhere, the rest is of no use", () => {
  const file = (name: string, type = "") => new File(["x"], name, { type });
  const names = (files: File[]) => files.map(({ name }) => name);
  const { markdown, others } = sortDropped([
    file("a.MD"),
    file("b", "text/markdown"),
    file("c.txt", "text/plain"),
    file("d.png", "image/png"),
    file("e.pdf", "application/pdf"),
    file("f.excalidraw"),
  ]);
  expect([names(markdown), names(others)]).toEqual([
    ["a.MD", "b", "c.txt"],
    ["e.pdf", "f.excalidraw"],
  ]);
});
