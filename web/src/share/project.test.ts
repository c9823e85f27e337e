import { expect, it } from "vitest";
import { offered, projectRightOf } from "./project";

it("a link is offered no more of the code project than its maker has", () => {
  expect(offered([])).toEqual(["none"]);
  expect(offered(["read"])).toEqual(["none", "read"]);
  expect(offered(["read", "edit", "command"])).toEqual(["none", "read", "command", "edit"]);
});

it("what a link may do in the project is told as one right", () => {
  expect([[], ["read"], ["command", "read"], ["read", "edit", "command"]].map(projectRightOf)).toEqual(["none", "read", "command", "edit"]);
});
