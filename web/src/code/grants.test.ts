import { expect, it } from "vitest";
import { standing } from "./grants";

it("each standing yes is told once, by kind, what holds everywhere first", () => {
  const run = "run_1";
  expect(
    standing([
      { kind: "edit", scope: "paths", paths: ["src/**", "docs/**"], run },
      { kind: "delete", scope: "chat", run },
      { kind: "edit", scope: "paths", paths: ["src/**"], run: "run_2", within: ["src"] },
    ]),
  ).toEqual([
    { kind: "delete", reach: { scope: "chat" } },
    { kind: "edit", path: "src/**", reach: { scope: "paths", paths: ["src/**"] } },
    { kind: "edit", path: "docs/**", reach: { scope: "paths", paths: ["docs/**"] } },
  ]);
});
