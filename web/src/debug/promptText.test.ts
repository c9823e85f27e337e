import { expect, it } from "vitest";
import { pictureIn, promptText } from "./promptText";

const PROMPT = {
  system: "Be brief.",
  messages: [
    { role: "user", content: "Draw" },
    { role: "user", content: [{ text: "this" }] },
  ],
  temperature: 0,
};

it("reads as system words, messages by role, and the rest", () => {
  expect(promptText(PROMPT)).toBe('Be brief.\n\n[user]\nDraw\n\n[user]\n[\n  {\n    "text": "this"\n  }\n]\n\n{\n  "temperature": 0\n}');
  expect(promptText("as it is")).toBe("as it is");
  expect(promptText(null)).toBe("");
});

it("shows a picture that a prompt brings along, and does not spell out its bytes", () => {
  const prompt = {
    system: "Look.",
    messages: [],
    picture: { area: { x: 0, y: 0, w: 1, h: 1 }, sha256: "ab12", data: "data:image/jpeg;base64,AAAA" },
  };
  expect(pictureIn(prompt)).toBe("data:image/jpeg;base64,AAAA");
  expect(promptText(prompt)).toBe(
    'Look.\n\n{\n  "picture": {\n    "area": {\n      "x": 0,\n      "y": 0,\n      "w": 1,\n      "h": 1\n    },\n    "sha256": "ab12"\n  }\n}',
  );
});

it("knows where the picture of a prompt is kept, if it had one", () => {
  expect(pictureIn({ ...PROMPT, picture: { area: { x: 0, y: 0, w: 1, h: 1 }, sha256: "ab12" } })).toBe("/api/blobs/ab12");
  expect(pictureIn({ ...PROMPT, picture: null })).toBe(null);
  expect(pictureIn("as it is")).toBe(null);
});
