import { expect, test } from "vitest";
import { authorIn } from "./select";
import type { StudioState } from "./store";

test("a comment is shown under the name that the server knows, whatever it says", () => {
  const people = [{ subject: "person:guest_a", name: "Eve" }];
  const state = { workspace: { people, fairies: [] } } as unknown as StudioState;
  const author = (author: string, authorName: string) => authorIn(state, { author, authorName });
  expect(author("person:guest_a", "Owner")).toBe("Eve");
  expect(author("person:guest_b", "Owner")).toBe("guest_b");
  expect(author("agent:bot", "Owner")).toBe("bot");
  expect(author("fairy:fy_gone", "Brook")).toBe("Brook");
});
