import { afterEach, beforeEach, expect, it } from "vitest";
import { setNames } from "../api/names";
import { signIn } from "../api/signIn";
import type { Person } from "../api/types";
import { askedBy, asker } from "./asked";
import type { AnyMessage, Asker } from "./message";

const message = (asker?: Asker): AnyMessage => ({
  id: "m",
  role: "user",
  parts: [],
  metadata: { createdAt: 1, ...(asker ? { asker } : {}) },
});
const ann = { subject: "person:ann", name: "Ann" };
const ben = { subject: "person:ben", name: "Ben" };

beforeEach(() => signIn.begin({ session: "s", ...ann }));
afterEach(() => setNames([]));

it("one's own words are one's own, whichever browser they were said in", () => {
  expect(askedBy(message(ann))).toBe("You");
  expect(askedBy(message(asker().asker))).toBe("You");
});

it("others are called what they are called now, or what they were called then", () => {
  expect(askedBy(message(ben))).toBe("Ben");
  setNames([{ ...ben, name: "Benedict" } as Person]);
  expect(askedBy(message(ben))).toBe("Benedict");
});

it("only of words that nobody is known to have said it is somebody", () => {
  expect(askedBy(message())).toBe("Somebody");
});

it("what a project tells its fairies are not the words of whoever started it", () => {
  const told = message(ann);
  expect(askedBy({ ...told, metadata: { ...told.metadata, source: "other-agent" } })).toBe("The project");
});
