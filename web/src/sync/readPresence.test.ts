import { EphemeralStore, type Value } from "loro-crdt";
import { describe, expect, test } from "vitest";
import { colorOf } from "../app/identity";
import { peopleHere } from "../app/people";
import { collaboratorsFrom } from "../canvas/collaborators";
import { type appearance, fairiesOnPage } from "../fairies/roster";
import { PresenceChannel } from "./presence";
import { readPresence } from "./readPresence";
import type { Presence } from "./types";

const ann = { subject: "person:ann", name: "Ann", kind: "person" as const };
const plain = { ...ann, color: colorOf(ann.subject), cursor: null, selection: [], viewport: null, activity: "idle", caret: null };

describe("what somebody shows", () => {
  test("is read as it was said", () => {
    const caret = { anchor: { block: "b1" }, head: { block: "b2", at: "AAEC" } };
    const said = {
      ...plain,
      cursor: { x: 1, y: -2.5 },
      selection: ["a"],
      viewport: { x: 0, y: 0, w: 8, h: 6 },
      activity: "generating",
      caret,
    };
    expect(readPresence(said)).toEqual(said);
    const fairy = {
      ...plain,
      kind: "fairy",
      color: "#123456",
      fairy: "fy_1",
      mode: "idling",
      position: { x: 1, y: 2 },
      pose: "idle",
      expression: "happy",
      flip: true,
      hat: "cap",
      hatColor: "#abcdef",
      doing: "",
    };
    expect(readPresence(fairy)).toEqual(fairy);
  });

  test("is ignored where it says not who it is of", () => {
    for (const odd of [
      null,
      undefined,
      1,
      "here",
      [],
      true,
      {},
      { ...ann, subject: 7 },
      { ...ann, name: null },
      { ...ann, name: {} },
      { ...ann, kind: "owner" },
      { ...ann, name: "x".repeat(5_000) },
    ]) {
      expect(readPresence(odd)).toBeUndefined();
    }
  });

  test("is left out piece by piece where it has another shape", () => {
    const odd: Record<string, unknown>[] = [
      { cursor: "here" },
      { cursor: { x: Number.NaN, y: 1 } },
      { cursor: { x: 1e300, y: 1 } },
      { viewport: [] },
      { viewport: { x: 1, y: 1, w: -1, h: 1 } },
      { selection: 7 },
      { selection: [null, {}, 1] },
      { activity: { toString: 1 } },
      { caret: {} },
      { caret: { anchor: null, head: { block: {} } } },
      { color: "red" },
      { color: "#000000" },
      { fairy: "fy_1", pose: "working" },
    ];
    for (const said of odd) expect(readPresence({ ...ann, ...said })).toEqual(plain);
    expect(readPresence({ ...ann, selection: Array.from({ length: 5_000 }, () => "a") })?.selection.length).toBe(1_000);
  });

  test("keeps nobody else's page from being shown, whatever it is", () => {
    const channel = new PresenceChannel({ subject: "person:me", name: "Me", session: "s", color: "#000000" }, "1", () => {});
    const others = new EphemeralStore<Record<string, Value>>(30_000);
    const hostile: Value[] = [
      null,
      1,
      "x",
      [],
      { kind: "person" },
      { kind: "fairy", fairy: 1 },
      { ...ann, name: [] },
      { ...ann, selection: "abc", cursor: [], caret: { head: 1 } },
      { ...ann, kind: "fairy", fairy: "fy_1", position: "x", viewport: 3, mode: {}, doing: [] },
    ];
    hostile.forEach((value, at) => others.set(String(at + 2), value));
    channel.apply(others.encodeAll());
    const all = channel.all();
    expect([...all.keys()].sort()).toEqual(["1", "10", "9"]);
    const row = {
      id: "fy_1",
      name: "Fay",
      page: "pg",
      mode: "idling",
      position: { x: 0, y: 0 },
      color: "#123456",
      hat: "cap",
      hatColor: "#123456",
    } as Parameters<typeof appearance>[0];
    expect(peopleHere(all, "person:me").map(({ name }) => name)).toEqual(["Me", "Ann"]);
    expect(collaboratorsFrom(all, "1").size).toBe(1);
    expect(fairiesOnPage([row], "pg", [...all.values()] as Presence[])).toHaveLength(1);
    channel.leave();
  });
});
