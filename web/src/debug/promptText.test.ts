import { expect, it } from "vitest";
import { pictureIn, promptText } from "./promptText";

const PROMPT = { system: "Be brief.", messages: [{ role: "user", content: "Draw" }, { role: "user", content: [{ text: "this" }] }], temperature: 0 };

it("reads as system words, messages by role, and the rest", () => {
  expect(promptText(PROMPT)).toBe('Be brief.\n\n[user]\nDraw\n\n[user]\n[\n  {\n    "text": "this"\n  }\n]\n\n{\n  "temperature": 0\n}');
  expect(promptText("as it is")).toBe("as it is");
  expect(promptText(null)).toBe("");
});

it("knows where the picture of a prompt is kept, if it had one", () => {
  expect(pictureIn({ ...PROMPT, picture: { area: { x: 0, y: 0, w: 1, h: 1 }, sha256: "ab12" } })).toBe("/api/blobs/ab12");
  expect(pictureIn({ ...PROMPT, picture: null })).toBe(null);
  expect(pictureIn("as it is")).toBe(null);
});
