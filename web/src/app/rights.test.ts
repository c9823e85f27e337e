import { expect, it } from "vitest";
import type { Run, Session } from "../api/types";
import { maySettle, rightsOf } from "./rights";

const session: Session = { subject: "person:ann", name: "Ann", permission: "write", ops: [], project: [], limits: [] };

it("a key says all that its person may do", () => {
  expect(rightsOf({ ...session, ops: ["read", "comment"], permission: "read" }, undefined)).toMatchObject({
    owner: false,
    readOnly: true,
    ask: false,
    comment: true,
    suggest: false,
    askCode: false,
    settleCode: false,
  });
  expect(rightsOf({ ...session, ops: ["read", "edit"] }, undefined)).toMatchObject({
    owner: false,
    readOnly: false,
    ask: false,
    comment: true,
    suggest: false,
    askCode: false,
    settleCode: false,
  });
  expect(rightsOf({ ...session, ops: ["read", "edit", "command"] }, undefined)).toMatchObject({
    owner: false,
    readOnly: false,
    ask: true,
    comment: true,
    suggest: false,
    askCode: false,
    settleCode: false,
  });
});

it("a page may allow less than the workspace", () => {
  const status = { state: "saved" as const, waiting: 0, permission: "read" as const };
  expect(rightsOf({ ...session, ops: ["read", "edit", "command"] }, status).readOnly).toBe(true);
});

it("who may only suggest draws, and nothing else", () => {
  const key: Session = { ...session, permission: "read", ops: ["read", "comment", "suggest"] };
  expect(rightsOf(key, undefined)).toMatchObject({
    owner: false,
    readOnly: true,
    ask: false,
    comment: true,
    suggest: true,
    askCode: false,
    settleCode: false,
  });
});

it("the code project is a right of its own", () => {
  const code = (project: Session["project"]) => {
    const { askCode, settleCode } = rightsOf({ ...session, ops: ["read", "edit", "command"], project }, undefined);
    return [askCode, settleCode];
  };
  expect([code([]), code(["read"])]).toEqual([
    [false, false],
    [false, false],
  ]);
  expect(code(["read", "command"])).toEqual([true, false]);
  expect(code(["read", "edit", "command"])).toEqual([true, true]);
});

it("a token with limits is offered nothing that its limits refuse", () => {
  const key: Session = { ...session, ops: ["read", "comment", "edit", "command"] };
  const offered = (limits: string[]) => {
    const { wholePages, newPages, manageFairies, inspectFairies } = rightsOf({ ...key, limits }, undefined);
    return { wholePages, newPages, manageFairies, inspectFairies };
  };
  expect(offered([])).toEqual({ wholePages: true, newPages: true, manageFairies: true, inspectFairies: true });
  expect(offered(["pages"])).toEqual({ wholePages: true, newPages: false, manageFairies: false, inspectFairies: false });
  expect(offered(["region"])).toEqual({ wholePages: false, newPages: false, manageFairies: false, inspectFairies: false });
  expect(offered(["tools"])).toEqual({ wholePages: true, newPages: true, manageFairies: false, inspectFairies: false });
});

it("a suggestion is settled by who may draw, what a fairy did by who may also ask", () => {
  const settles = (ops: Session["ops"], permission: "read" | "write") => {
    const rights = rightsOf({ ...session, permission, ops }, undefined);
    return ["", "fy_a"].map((fairy) => maySettle(rights, { fairy } as Run));
  };
  expect(settles(["read", "edit"], "write")).toEqual([true, false]);
  expect(settles(["read", "edit", "command"], "write")).toEqual([true, true]);
  expect(settles(["read", "command"], "read")).toEqual([false, false]);
});
