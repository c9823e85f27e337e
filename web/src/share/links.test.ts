import { expect, it } from "vitest";
import type { Link } from "../api/schema";
import type { Page } from "../api/types";
import { describeLink, limitsOf, offeredRights, stateOf, stateOfPerson } from "./links";

const page: Page = { id: "pg_a", name: "Plans", kind: "canvas", tier: "internal", position: 1 };
const link: Link = {
  id: "l",
  label: "Ann",
  subject: "person:ann",
  ops: ["read"],
  project: [],
  pages: null,
  tiers: null,
  tools: null,
  region: null,
  paths: null,
  expiresAt: null,
  createdAt: 0,
  revoked: false,
};

it("nobody is offered to hand on what they may not do", () => {
  expect(offeredRights(["read"])).toEqual(["read"]);
  expect(offeredRights(["read", "comment", "suggest"])).toEqual(["read", "comment", "suggest"]);
  expect(offeredRights(["read", "command"])).toEqual(["read"]);
  expect(offeredRights(["read", "comment", "edit", "command"])).toEqual(["read", "comment", "suggest", "edit", "command"]);
});

it("where a link leads becomes the limit that the server holds", () => {
  expect([limitsOf("all", page), limitsOf("here", page), limitsOf("tier:public", page)]).toEqual([
    {},
    { pages: ["pg_a"] },
    { tiers: ["public"] },
  ]);
});

it("a link is alive until it is taken back or its time is over", () => {
  expect([
    stateOf(link, 5),
    stateOf({ ...link, expiresAt: 6 }, 5),
    stateOf({ ...link, expiresAt: 5 }, 5),
    stateOf({ ...link, expiresAt: 9, revoked: true }, 5),
  ]).toEqual(["alive", "alive", "expired", "revoked"]);
});

it("a person is in as long as one of their links is alive; of others nothing is known", () => {
  const dead = { ...link, revoked: true };
  expect([
    stateOfPerson([dead], "person:ann", 5),
    stateOfPerson([dead, link], "person:ann", 5),
    stateOfPerson([dead], "person:ben", 5),
  ]).toEqual(["revoked", "alive", "alive"]);
});

it("a link's limits are all told", () => {
  const limited: Link = {
    ...link,
    ops: ["read", "edit"],
    project: ["read"],
    pages: ["pg_a", "pg_gone"],
    tiers: ["public"],
    region: { x: 0, y: 10, w: 100, h: 200 },
    paths: ["src"],
    tools: ["create"],
  };
  expect(describeLink(limited, [page])).toBe(
    "draw · code: look · only Plans, pg_gone · only pages seen by: public · changes only from 0, 10 on, 100 wide and 200 high · only files in src · fairies may only: create",
  );
});
