import { describe, expect, it } from "vitest";
import type { Presence, SyncStatus } from "../sync";
import { colorOf, PALETTE } from "./identity";
import { suggestPageName } from "./pageName";
import { peopleHere } from "./people";
import { fragmentWithoutKey, readFragment } from "./session";
import { syncText } from "./syncText";

describe("the address", () => {
  it("holds a key and a page, and keeps only the page", () => {
    expect(readFragment("#key=abc%3D&page=pg_a")).toEqual({ key: "abc=", page: "pg_a" });
    expect(readFragment("")).toEqual({ key: null, page: null });
    expect(fragmentWithoutKey("#key=abc&page=pg_a")).toBe("#page=pg_a");
    expect(fragmentWithoutKey("#key=abc")).toBe("");
  });
});

describe("the sync status", () => {
  const say = (change: Partial<SyncStatus>) => syncText({ state: "saved", waiting: 0, permission: "write", ...change }).text;

  it("says whether the work is safe", () => {
    expect(say({})).toBe("Saved");
    expect(say({ state: "saving", waiting: 2 })).toBe("Saving…");
    expect(say({ state: "connecting" })).toBe("Connecting…");
    expect(say({ state: "offline", waiting: 3 })).toBe("Offline: 3 changes waiting");
    expect(say({ state: "offline", waiting: 1 })).toBe("Offline: 1 change waiting");
    expect(say({ state: "offline" })).toBe("Offline");
    expect(say({ permission: "read" })).toBe("View only");
  });

  it("does not call a dropped line view only", () => {
    expect(say({ state: "offline", permission: "read" })).toBe("Offline");
  });
});

describe("people", () => {
  const person = (subject: string, name: string, kind: Presence["kind"] = "person"): Presence => ({
    subject,
    name,
    kind,
    color: "#1971c2",
    cursor: null,
    selection: [],
    viewport: null,
    activity: "idle",
  });

  it("are here once each, oneself first, fairies not counted", () => {
    const all = new Map([
      ["1", person("person:zoe", "Zoe")],
      ["2", person("person:owner", "Owner")],
      ["3", person("person:owner", "Owner")],
      ["4", person("fairy:fy_a", "Puck", "fairy")],
      ["5", person("person:ada", "ada")],
    ]);
    expect(peopleHere(all, "person:owner").map(({ subject, initial, me }) => [subject, initial, me])).toEqual([
      ["person:owner", "O", true],
      ["person:ada", "A", false],
      ["person:zoe", "Z", false],
    ]);
  });

  it("keep their colour from one visit to the next", () => {
    expect(colorOf("person:owner")).toBe(colorOf("person:owner"));
    expect(PALETTE).toContain(colorOf(""));
    expect(new Set(["a", "b", "c", "d", "e", "f", "g", "h"].map(colorOf)).size).toBeGreaterThan(3);
  });
});

describe("a new page", () => {
  it("is offered a name that no page has", () => {
    expect(suggestPageName(["First page"])).toBe("Page 2");
    expect(suggestPageName(["First page", "page 3 ", "Ideas"])).toBe("Page 4");
    expect(suggestPageName(["Page 3", "Page 4"])).toBe("Page 5");
  });
});
