import { expect, test } from "vitest";
import { nameOf, setNames } from "./names";
import type { Person } from "./types";

test("somebody who calls themselves Owner is shown under the name that the server gives them", () => {
  setNames([{ subject: "person:guest_a", name: "Owner (2)" } as Person]);
  expect(nameOf({ subject: "person:guest_a", name: "Owner" })).toBe("Owner (2)");
  expect(nameOf({ subject: "person:new", name: "New" })).toBe("New");
});
