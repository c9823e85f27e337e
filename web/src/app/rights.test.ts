import { expect, it } from "vitest";
import { rightsOf } from "./rights";

const session = { subject: "person:ann", name: "Ann", permission: "write" as const };

it("a key says all that its person may do", () => {
  expect(rightsOf({ ...session, ops: ["read", "comment"], permission: "read" }, undefined)).toMatchObject({ owner: false, readOnly: true, ask: false, comment: true, suggest: false, code: false });
  expect(rightsOf({ ...session, ops: ["read", "edit"] }, undefined)).toMatchObject({ owner: false, readOnly: false, ask: false, comment: true, suggest: false, code: false });
  expect(rightsOf({ ...session, ops: ["read", "edit", "command"] }, undefined)).toMatchObject({ owner: false, readOnly: false, ask: true, comment: true, suggest: false, code: false });
});

it("a server that tells no ops lets writers do everything and readers nothing", () => {
  expect(rightsOf(session, undefined)).toMatchObject({ owner: false, readOnly: false, ask: true, comment: true, suggest: false, code: false });
  expect(rightsOf({ ...session, permission: "read" }, undefined)).toMatchObject({ owner: false, readOnly: true, ask: false, comment: false, suggest: false, code: false });
});

it("a page may allow less than the workspace", () => {
  const status = { state: "saved" as const, waiting: 0, permission: "read" as const };
  expect(rightsOf({ ...session, ops: ["read", "edit", "command"] }, status).readOnly).toBe(true);
});

it("who may only suggest draws, and nothing else", () => {
  const key = { ...session, permission: "read" as const, ops: ["read", "comment", "suggest"] };
  expect(rightsOf(key, undefined)).toMatchObject({ owner: false, readOnly: true, ask: false, comment: true, suggest: true, code: false });
});

it("the code project is a right of its own", () => {
  const code = (project?: string[]) => rightsOf({ ...session, ops: ["read", "edit", "command"], project }, undefined).code;
  expect([code(), code([]), code(["read"]), code(["read", "command"]), code(["read", "edit", "command"])]).toEqual([false, false, false, false, true]);
});

it("a token with limits is offered nothing that its limits refuse", () => {
  const key = { ...session, ops: ["read", "comment", "edit", "command"] };
  const offered = (limits: string[]) => {
    const { wholePages, newPages, manageFairies, inspectFairies } = rightsOf({ ...key, limits }, undefined);
    return { wholePages, newPages, manageFairies, inspectFairies };
  };
  expect(offered([])).toEqual({ wholePages: true, newPages: true, manageFairies: true, inspectFairies: true });
  expect(offered(["pages"])).toEqual({ wholePages: true, newPages: false, manageFairies: false, inspectFairies: false });
  expect(offered(["region"])).toEqual({ wholePages: false, newPages: false, manageFairies: false, inspectFairies: true });
  expect(offered(["tools"])).toEqual({ wholePages: true, newPages: true, manageFairies: false, inspectFairies: true });
});
