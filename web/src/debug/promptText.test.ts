import { expect, it } from "vitest";
import { picturesIn, promptText } from "./promptText";

const PICTURE = "data:image/jpeg;base64,AAAA";
const PROMPT = { system: "Be brief.", messages: [{ role: "user", content: "Draw" }, { role: "user", content: [{ image: PICTURE }] }], temperature: 0 };

it("reads as system words, messages by role, and the rest", () => {
  expect(promptText(PROMPT)).toBe('Be brief.\n\n[user]\nDraw\n\n[user]\n[\n  {\n    "image": "(picture)"\n  }\n]\n\n{\n  "temperature": 0\n}');
  expect(promptText("as it is")).toBe("as it is");
  expect(promptText(null)).toBe("");
});

it("finds the pictures wherever they are", () => {
  expect(picturesIn(PROMPT)).toEqual([PICTURE]);
});
