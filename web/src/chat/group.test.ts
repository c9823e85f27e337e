import { expect, it } from "vitest";
import { addressed, groupLines, shares } from "./group";
import type { FairyMessage } from "./message";

const FAIRIES = ["Wisp", "Fern", "Pip"].map((name) => ({ name }));

it("means those who are named, or everyone", () => {
  const names = (text: string) => addressed(text, FAIRIES).map(({ name }) => name);
  expect(names("Wisp and fern, draw a tree")).toEqual(["Wisp", "Fern"]);
  expect(names("Draw a wispy ferny tree")).toEqual(["Wisp", "Fern", "Pip"]);
  expect(names("@Pip: sticky notes")).toEqual(["Pip"]);
});

it("tells each its own where one turns to them in turn", () => {
  const told = (text: string) => Object.fromEntries([...shares(text, FAIRIES)].map(([{ name }, words]) => [name, words]));
  expect(told("Fern, draw a cat. Wisp, make sticky notes: one, two")).toEqual({
    Fern: "Fern, draw a cat.",
    Wisp: "Wisp, make sticky notes: one, two",
  });
  expect(told("A garden, please.\n@Pip: the pond\nWisp and Fern, the beds. Pip, a bench too!")).toEqual({
    Pip: "A garden, please. @Pip: the pond Pip, a bench too!",
    Wisp: "A garden, please. Wisp and Fern, the beds.",
    Fern: "A garden, please. Wisp and Fern, the beds.",
  });
});

it("tells everyone it is for the same where it does not", () => {
  const told = (text: string) => Object.fromEntries([...shares(text, FAIRIES)].map(([{ name }, words]) => [name, words]));
  expect(told("Wisp, draw what Fern drew")).toEqual({ Wisp: "Wisp, draw what Fern drew", Fern: "Wisp, draw what Fern drew" });
  expect(told("Sun, moon, stars")).toEqual({ Wisp: "Sun, moon, stars", Fern: "Sun, moon, stars", Pip: "Sun, moon, stars" });
});

const message = (id: string, role: "user" | "assistant", text: string, createdAt: number): FairyMessage => ({
  id,
  role,
  metadata: { createdAt },
  parts: [{ type: "text", text }],
});

it("tells the same words to several once, and each answer after them", () => {
  const lines = groupLines(
    new Map([
      ["fy_a", [message("1", "user", "Draw", 1000), message("2", "assistant", "Here", 3000)]],
      ["fy_b", [message("3", "user", "Draw", 1200), message("4", "assistant", "There", 2000)]],
    ]),
  );
  expect(lines.map((line) => (line.kind === "asked" ? `${line.text} → ${line.to.join()}` : `${line.fairy}: ${line.text}`))).toEqual([
    "Draw → fy_a,fy_b",
    "fy_b: There",
    "fy_a: Here",
  ]);
});
