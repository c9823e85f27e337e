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
    Fern: "draw a cat.",
    Wisp: "make sticky notes: one, two",
  });
  expect(told("A garden, please.\n@Pip: the pond\nWisp and Fern, the beds. Pip, a bench too!")).toEqual({
    Pip: "A garden, please. @Pip: the pond Pip, a bench too!",
    Wisp: "A garden, please. Wisp and Fern, the beds.",
    Fern: "A garden, please. Wisp and Fern, the beds.",
  });
});

it("tells everyone it is for the same where it does not", () => {
  const told = (text: string) => Object.fromEntries([...shares(text, FAIRIES)].map(([{ name }, words]) => [name, words]));
  expect(told("Wisp, draw what Fern drew")).toEqual({ Wisp: "draw what Fern drew", Fern: "draw what Fern drew" });
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

it("says a question before the first answer to it, whenever each fairy heard it", () => {
  const lines = groupLines(
    new Map([
      ["fy_a", [message("1", "user", "Draw", 3000), message("2", "assistant", "Here", 4000)]],
      ["fy_b", [message("3", "user", "Draw", 1000), message("4", "assistant", "There", 2000)]],
    ]),
  );
  expect(lines.map(({ text }) => text)).toEqual(["Draw", "There", "Here"]);
});

it("leaves out the names that words begin with, and no others", () => {
  const told = (text: string) => [...new Set(shares(text, FAIRIES).values())];
  const circle = "add a green circle called Moon";
  for (const names of [
    "Fern, ",
    "Fern: ",
    "@Fern ",
    "Wisp and Fern, ",
    "Wisp, Fern, and Pip: ",
    "@Wisp @Pip ",
    "hello Fern, ",
    "@Wisp and @Fern ",
  ])
    expect(told(names + circle)).toEqual([circle]);
  for (const words of ["Fern leaves, three of them", "Fernando, draw", "draw Fern, the plant", "Moon, Fern: sticky notes", "Fern"])
    expect(told(words)).toEqual([words]);
});

it("has an answer after its question, whichever was written down first", () => {
  const chat = [
    message("q1", "user", "One", 1005),
    message("q2", "user", "Two", 5000),
    message("a1", "assistant", "First", 1000),
    message("a2", "assistant", "Second", 9000),
  ];
  expect(groupLines(new Map([["fy_a", chat]])).map(({ text }) => text)).toEqual(["One", "First", "Two", "Second"]);
});

it("tells the words of two people apart, and those of a project", () => {
  const by = (id: string, subject: string): FairyMessage => ({
    ...message(id, "user", "Draw", 1000),
    metadata: { createdAt: 1000, asker: { subject, name: subject } },
  });
  const ordered: FairyMessage = { ...by("3", "person:ann"), metadata: { ...by("3", "person:ann").metadata, source: "other-agent" } };
  const lines = groupLines(
    new Map([
      ["fy_a", [by("1", "person:ann")]],
      ["fy_b", [by("2", "person:ben")]],
      ["fy_c", [ordered]],
    ]),
  );
  expect(lines).toHaveLength(3);
});

it("counts what is on the page, not what was done", () => {
  const action = (name: string, elements: string[]) =>
    ({ type: "data-action", data: { action: 1, name, state: "done", label: name, elements } }) as FairyMessage["parts"][number];
  const answer: FairyMessage = {
    ...message("1", "assistant", "", 1000),
    parts: [action("create", ["a"]), action("move", ["a"]), action("mark-my-task-done", [])],
  };
  const lines = groupLines(new Map([["fy_a", [answer]]]));
  expect(lines.map((line) => line.kind === "said" && line.elements)).toEqual([["a"]]);
  const talk: FairyMessage = { ...answer, parts: [action("mark-my-task-done", [])] };
  expect(groupLines(new Map([["fy_a", [talk]]]))).toEqual([]);
});
