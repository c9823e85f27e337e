import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { signIn } from "../api/signIn";
import { remember, saidHere } from "./asked";
import type { AnyMessage } from "./message";

const message = (text: string, createdAt: number): AnyMessage => ({
  id: "m",
  role: "user",
  parts: [{ type: "text", text }],
  metadata: { createdAt },
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  signIn.begin({ session: "s", subject: "person:ann", name: "Ann" });
});
afterEach(() => vi.unstubAllGlobals());

it("words are one's own only if they were said here, about then, by the same person", () => {
  remember("Draw a cat", 1_000_000);
  expect([
    saidHere(message("Draw a cat", 1_050_000)),
    saidHere(message("Draw a dog", 1_000_000)),
    saidHere(message("Draw a cat", 2_000_000)),
  ]).toEqual([true, false, false]);
  signIn.begin({ session: "t", subject: "person:ben", name: "Ben" });
  expect(saidHere(message("Draw a cat", 1_000_000))).toBe(false);
});
