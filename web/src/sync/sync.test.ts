import { afterEach, describe, expect, test } from "vitest";
import { LoroDoc, type LoroMap } from "loro-crdt";
import { CrdtType, JoinErrorCode, MessageType, UpdateStatusCode, decode } from "loro-protocol";
import { FakeServer } from "./fakeServer";
import type { Liveness } from "./liveness";
import { Outbox } from "./outbox";
import { PageSession } from "./PageSession";
import { MemoryStorage, type OutboxEntry } from "./storage";
import type { Author, RefusedCopy, SyncStatus } from "./types";
import { claimUnsent } from "./unsent";
import { blobSpan } from "./versions";
import { Reassembler, randomBatchId, updateMessages } from "./wire";

const open: PageSession[] = [];
const living = new Set<string>();

/** Tabs of one device: alive until released. */
function liveness(): Liveness & { die(): void } {
  const mine = new Set<string>();
  const release = () => mine.forEach((name) => living.delete(name));
  return {
    claim: (name) => void (mine.add(name), living.add(name)),
    adopt: async (name) => !living.has(name) && (mine.add(name), living.add(name), true),
    release,
    die: release,
  };
}

const owner: Author = { subject: "person:owner", name: "Ann", session: "s1" };

function session(
  server: FakeServer,
  storage = new MemoryStorage(),
  alive = liveness(),
  who: { author?: Author; confirm?: () => Promise<boolean> } = {},
): PageSession {
  const { author = owner, ...confirm } = who;
  const made = new PageSession({
    pageId: "pg_test",
    url: "ws://test/sync",
    identity: { ...author, color: "#ff0000" },
    ...confirm,
    world: { makeSocket: server.makeSocket, storage, liveness: alive },
  });
  open.push(made);
  return made;
}

afterEach(() => {
  open.splice(0).forEach((s) => s.close());
  living.clear();
});

async function until(what: string, holds: () => boolean, ms = 4000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function set(doc: LoroDoc, id: string, key: string, value: unknown): void {
  doc.getMap("elements").ensureMergeableMap(id).set(key, value);
  doc.commit();
}

function write(doc: LoroDoc, id: string, at: number, text: string): void {
  doc.getMap("elements").ensureMergeableMap(id).ensureMergeableText("originalText").insert(at, text);
  doc.commit();
}

/** On a text page. */
function writeBlock(doc: LoroDoc, id: string, text: string) {
  const block = doc.getMap("doc").ensureMergeableMap(id);
  block.set("nodeName", "paragraph");
  block.ensureMergeableText("originalText").insert(0, text);
  doc.commit();
}

const elements = (doc: LoroDoc) => (doc.toJSON() as { elements: unknown }).elements;
const saved = (s: PageSession) => () => s.status.state === "saved" && s.status.waiting === 0;

describe("fragments", () => {
  test("a blob of any size comes back whole, in any order of its fragments", () => {
    for (const size of [0, 1, 9, 10, 11, 20, 95, 1000]) {
      const blob = crypto.getRandomValues(new Uint8Array(size));
      const messages = updateMessages(CrdtType.Loro, "pg", randomBatchId(), blob, 10).map(decode);
      const assembled = new Reassembler();
      const [first, ...rest] = messages;
      if (first?.type === MessageType.DocUpdate) {
        expect(first.updates).toEqual([blob]);
        continue;
      }
      if (first?.type !== MessageType.DocUpdateFragmentHeader) throw new Error("no header");
      assembled.begin(first);
      const whole = rest
        .sort(() => Math.random() - 0.5)
        .map((m) => (m.type === MessageType.DocUpdateFragment ? assembled.add(m) : undefined))
        .filter((b) => b !== undefined);
      expect(whole).toEqual([blob]);
    }
  });

  test("what stays incomplete for too long is forgotten", () => {
    let now = 0;
    const messages = updateMessages(CrdtType.Loro, "pg", randomBatchId(), new Uint8Array(20), 10).map(decode);
    const assembled = new Reassembler(() => now);
    const [header, a, b] = messages;
    if (header?.type !== MessageType.DocUpdateFragmentHeader) throw new Error("no header");
    if (a?.type !== MessageType.DocUpdateFragment || b?.type !== MessageType.DocUpdateFragment) throw new Error("!");
    assembled.begin(header);
    expect(assembled.add(a)).toBeUndefined();
    now = 11_000;
    expect(assembled.add(b)).toBeUndefined();
  });
});

describe("outbox", () => {
  const blobOf = (doc: LoroDoc) => doc.export({ mode: "update" });

  test("an entry is stored before it can be sent and gone after its acknowledgement", async () => {
    const storage = new MemoryStorage();
    const box = new Outbox(storage, "pg", owner);
    const doc = new LoroDoc();
    set(doc, "a", "x", 1);
    const adding = box.add(doc.peerIdStr, blobOf(doc), 0);
    expect(box.unsent()).toEqual([]);
    const entry = await adding;
    expect(await storage.list("pg")).toEqual([entry]);
    const id = randomBatchId();
    box.markSent(id, entry);
    expect(box.unsent()).toEqual([]);
    box.disconnected();
    expect(box.unsent()).toEqual([entry]);
    box.markSent(id, entry);
    await box.acknowledge(id);
    expect([box.waiting, await storage.list("pg")]).toEqual([0, []]);
  });

  test("what the server's version covers is dropped, the rest stays in order", async () => {
    const storage = new MemoryStorage();
    const box = new Outbox(storage, "pg", owner);
    const doc = new LoroDoc();
    const blobs: Uint8Array[] = [];
    doc.subscribeLocalUpdates((blob) => void blobs.push(blob));
    const versions = [0, 1, 2].map((n) => (set(doc, "a", "x", n), new Map<string, number>(doc.oplogVersion().toJSON())));
    const entries: OutboxEntry[] = [];
    for (const blob of blobs) entries.push(await box.add(doc.peerIdStr, blob, 0));
    await box.dropCovered(versions[0]!);
    expect(box.unsent()).toEqual(entries.slice(1));
    expect(await storage.list("pg")).toEqual(entries.slice(1));
  });
});

describe("a page session", () => {
  test("two sessions see each other's changes and presence, and are told what is saved", async () => {
    const server = new FakeServer();
    const [a, b] = [session(server), session(server)];
    await Promise.all([a.ready(), b.ready()]);
    set(a.doc, "r", "x", 1);
    expect(a.status).toEqual({ state: "saving", waiting: 1, permission: "write" });
    set(b.doc, "r", "y", 2);
    await until("both saved", () => saved(a)() && saved(b)());
    await until("merged", () => JSON.stringify(elements(b.doc)).length === JSON.stringify(elements(a.doc)).length);
    expect(elements(a.doc)).toEqual({ r: { x: 1, y: 2 } });
    expect(elements(b.doc)).toEqual({ r: { x: 1, y: 2 } });
    a.setPresence({ cursor: { x: 3, y: 4 } });
    const seen = () => b.presences().get(a.peer)?.cursor;
    await until("cursor seen", () => Boolean(seen()));
    expect(seen()).toEqual({ x: 3, y: 4 });
    a.close();
    await until("left", () => seen() === undefined);
  });

  test("large documents and large changes travel in fragments", async () => {
    const server = new FakeServer();
    server.fragmentSize = 1000;
    set(server.doc, "big", "link", "x".repeat(20_000) + Math.random());
    const a = session(server);
    await a.ready();
    const noise = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join("");
    set(a.doc, "huge", "link", noise);
    await until("saved", saved(a));
    expect(elements(server.doc)).toEqual(elements(a.doc));
  });

  test("edits made while the line is down arrive after it is back, each exactly once", async () => {
    const server = new FakeServer();
    const a = session(server);
    await a.ready();
    write(a.doc, "t", 0, "ab");
    await until("saved", saved(a));
    server.swallowAcks = true;
    write(a.doc, "t", 2, "c");
    await until("received", () => server.updates === 2);
    server.reachable = false;
    server.hangUpAll();
    write(a.doc, "t", 3, "d");
    await until("offline", () => a.status.state === "offline" && a.status.waiting === 2);
    server.swallowAcks = false;
    server.reachable = true;
    await until("saved again", saved(a));
    expect(elements(server.doc)).toEqual({ t: { originalText: "abcd" } });
    expect(server.updates).toBe(3);
  });

  test("a tab that closed before it could send leaves its changes to the next one", async () => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    const alive = liveness();
    const a = session(server, storage, alive);
    await a.ready();
    server.reachable = false;
    server.hangUpAll();
    set(a.doc, "r", "x", 7);
    await until("kept", () => a.status.waiting === 1 && a.status.state === "offline");
    const peer = a.peer;
    a.close();
    await until("released", () => living.size === 0);
    server.reachable = true;
    const b = session(server, storage);
    await until("sent by the next tab", () => JSON.stringify(elements(server.doc)) === '{"r":{"x":7}}');
    await until("saved", saved(b));
    expect(server.doc.oplogVersion().get(peer as `${number}`)).toBe(2);
    expect(await storage.list("pg_test")).toEqual([]);
    expect(elements(b.doc)).toEqual({ r: { x: 7 } });
  });

  /** A tab that drew something while the server was away, and was closed. */
  async function leaves(server: FakeServer, storage: MemoryStorage, author: Author): Promise<OutboxEntry> {
    const a = session(server, storage, liveness(), { author });
    await a.ready();
    server.reachable = false;
    server.hangUpAll();
    set(a.doc, "r", "x", 7);
    await until("kept", () => a.status.waiting === 1 && a.status.state === "offline");
    a.close();
    await until("released", () => living.size === 0);
    server.reachable = true;
    const [entry] = await storage.list();
    if (!entry) throw new Error("nothing was kept");
    return entry;
  }

  const ben: Author = { subject: "person:ben", name: "Ben", session: "s2" };

  test.each([
    ["somebody else", ben],
    ["another sign-in of the same person, whose link may have other rights", { ...owner, session: "s9" }],
  ])("what one person left is never sent by %s", async (_who, author) => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    const entry = await leaves(server, storage, owner);
    expect(entry.by).toEqual(owner);
    const b = session(server, storage, liveness(), { author });
    await b.ready();
    set(b.doc, "mine", "x", 1);
    await until("saved", saved(b));
    expect(elements(server.doc)).toEqual({ mine: { x: 1 } });
    expect(await storage.list()).toEqual([entry]);
    b.close();
    // Back again, its person sends it.
    const back = session(server, storage);
    await until("sent", () => JSON.stringify(elements(server.doc)).includes("7"));
    await until("saved", saved(back));
    expect(await storage.list()).toEqual([]);
  });

  test("what was left without a name is sent by nobody", async () => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    const { by: _, ...nobodys } = await leaves(server, storage, owner);
    await storage.put(nobodys);
    const b = session(server, storage);
    await b.ready();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([server.updates, await storage.list()]).toEqual([0, [nobodys]]);
  });

  test("what its person takes over from an earlier sign-in is sent on the open page", async () => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    const entry = await leaves(server, storage, owner);
    const again = { ...owner, session: "s9" };
    const b = session(server, storage, liveness(), { author: again });
    await b.ready();
    await claimUnsent(storage, { by: owner, entries: [entry] }, again);
    b.sendLeftBehind();
    await until("sent", () => JSON.stringify(elements(server.doc)) === '{"r":{"x":7}}');
    await until("forgotten", saved(b));
    expect(await storage.list()).toEqual([]);
  });

  test("on a new line nothing is said before it is known to be the same person's", async () => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    const answers: ((same: boolean) => void)[] = [];
    const confirm = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const a = session(server, storage, liveness(), { confirm });
    await until("asked", () => answers.length === 1);
    answers[0]!(true);
    await a.ready();
    server.hangUpAll();
    await until("offline", () => a.status.state === "offline");
    set(a.doc, "r", "x", 7);
    await until("asked again", () => answers.length === 2);
    // The line is lost once more meanwhile: that answer counts no more.
    server.hangUpAll();
    await until("asked a third time", () => answers.length === 3);
    answers[1]!(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([server.updates, [...server.sockets].some(({ rooms }) => rooms.size > 0)]).toEqual([0, false]);
    answers[2]!(false);
    await until("ended", () => a.status.state === "closed");
    expect([server.updates, (await storage.list()).length]).toEqual([0, 1]);
  });

  test("who cannot be asked is asked again, and nothing is sent meanwhile", async () => {
    const server = new FakeServer();
    let away = true;
    const confirm = async () => {
      if (away) throw new Error("away");
      return true;
    };
    const a = session(server, new MemoryStorage(), liveness(), { confirm });
    set(a.doc, "r", "x", 7);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(server.updates).toBe(0);
    away = false;
    await until("saved", saved(a));
    expect(elements(server.doc)).toEqual({ r: { x: 7 } });
  });

  test("a living tab's changes are left to it", async () => {
    const server = new FakeServer();
    const storage = new MemoryStorage();
    server.judge = () => UpdateStatusCode.Ok;
    const a = session(server, storage);
    await a.ready();
    server.swallowAcks = true;
    set(a.doc, "r", "x", 7);
    await until("sent", () => server.updates === 1);
    const b = session(server, storage);
    await b.ready();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([server.updates, b.status.waiting]).toEqual([1, 0]);
  });

  test("after a refusal the difference is made anew on the server's state under a new id", async () => {
    const server = new FakeServer();
    write(server.doc, "t", 0, "hello");
    const a = session(server);
    const b = session(server);
    await Promise.all([a.ready(), b.ready()]);
    const refused = a.peer;
    server.judge = (blob) => (blobSpan(blob).end.has(refused) ? UpdateStatusCode.InvalidUpdate : UpdateStatusCode.Ok);
    let replaced = 0;
    a.onDocReplaced(() => replaced++);
    write(a.doc, "t", 5, " you");
    set(a.doc, "n", "x", 1);
    write(b.doc, "t", 0, "Oh ");
    await until("replaced", () => replaced === 1);
    await until("saved", () => saved(a)() && saved(b)());
    expect([replaced, a.peer === refused]).toEqual([1, false]);
    expect(elements(server.doc)).toEqual({ t: { originalText: "Oh hello you" }, n: { x: 1 } });
    await until("the other has it", () => JSON.stringify(elements(b.doc)).includes("you"));
    expect(elements(a.doc)).toEqual(elements(server.doc));
    expect(server.doc.oplogVersion().get(refused as `${number}`)).toBeUndefined();
    expect(server.received.filter((blob) => blobSpan(blob).end.has(refused)).length).toBe(1);
    set(a.doc, "n", "x", 2);
    await until("goes on", () => saved(a)() && JSON.stringify(elements(server.doc)).includes('{"x":2}'));
  });

  test("what is refused twice becomes a copy for the person, and work goes on", async () => {
    const server = new FakeServer();
    set(server.doc, "r", "x", 1);
    const storage = new MemoryStorage();
    const a = session(server, storage);
    await a.ready();
    const copies: RefusedCopy[] = [];
    a.onRefusedCopy((copy) => copies.push(copy));
    server.judge = () => UpdateStatusCode.PermissionDenied;
    server.reason = "the element r lies outside of the region";
    writeBlock(a.doc, "b", "words");
    set(a.doc, "r", "x", 9);
    await until("copy", () => copies.length === 1);
    server.judge = () => UpdateStatusCode.Ok;
    await until("saved", saved(a));
    expect(copies[0]!.reason).toBe("The server refused a change: the element r lies outside of the region.");
    expect(copies[0]!.elements).toEqual({ r: { x: 9 }, b: { nodeName: "paragraph", originalText: "words" } });
    expect(elements(a.doc)).toEqual({ r: { x: 1 } });
    expect(a.status.message).toContain("copy");
    expect(await storage.list("pg_test")).toEqual([]);
    set(a.doc, "r", "x", 2);
    await until("goes on", () => JSON.stringify(elements(server.doc)) === '{"r":{"x":2}}');
  });

  test("a tab behind the server's history takes its state and keeps its own changes", async () => {
    const server = new FakeServer();
    set(server.doc, "r", "x", 1);
    const a = session(server);
    await a.ready();
    const before = a.peer;
    server.reachable = false;
    server.hangUpAll();
    set(a.doc, "r", "y", 2);
    await until("offline", () => a.status.state === "offline");
    server.judgeJoin = (version) => (version.length > 1 ? JoinErrorCode.VersionUnknown : undefined);
    server.reachable = true;
    await until("saved", saved(a));
    expect(elements(server.doc)).toEqual({ r: { x: 1, y: 2 } });
    expect(a.peer).not.toBe(before);
  });

  test("a tab from before the page let go of its past makes its changes anew on the present state", async () => {
    const server = new FakeServer();
    set(server.doc, "r", "x", 1);
    const copies: RefusedCopy[] = [];
    const a = session(server);
    a.onRefusedCopy((copy) => copies.push(copy));
    await a.ready();
    server.reachable = false;
    server.hangUpAll();
    set(a.doc, "r", "y", 2);
    await until("offline", () => a.status.state === "offline");
    set(server.doc, "r", "x", 5);
    const state = server.doc.export({ mode: "shallow-snapshot", frontiers: server.doc.frontiers() });
    server.doc = LoroDoc.fromSnapshot(state);
    server.judgeJoin = (version) => (version.length > 1 ? JoinErrorCode.VersionUnknown : undefined);
    server.reachable = true;
    await until("saved", saved(a));
    expect(elements(server.doc)).toEqual({ r: { x: 5, y: 2 } });
    expect(elements(a.doc)).toEqual({ r: { x: 5, y: 2 } });
    expect(copies).toEqual([]);
  });

  test("a tab that was told something without what it needs takes the page anew, even one without a past", async () => {
    const server = new FakeServer();
    const a = session(server);
    await a.ready();
    const other = new LoroDoc();
    set(other, "r", "x", 1);
    const first = other.oplogVersion();
    set(other, "r", "x", 2);
    const state = other.export({ mode: "shallow-snapshot", frontiers: other.frontiers() });
    server.doc = LoroDoc.fromSnapshot(state);
    const second = other.export({ mode: "update", from: first });
    for (const socket of server.sockets) {
      updateMessages(CrdtType.Loro, "pg_test", randomBatchId(), second).forEach((bytes) => socket.deliver(bytes));
    }
    await until("the page", () => JSON.stringify(elements(a.doc)) === JSON.stringify({ r: { x: 2 } }));
    expect(elements(a.doc)).toEqual({ r: { x: 2 } });
  });

  test("what a closed tab left from before the page let go of its past is made anew on the present state", async () => {
    const server = new FakeServer();
    set(server.doc, "r", "x", 1);
    write(server.doc, "t", 0, "hello");
    const storage = new MemoryStorage();
    const a = session(server, storage);
    await a.ready();
    server.reachable = false;
    server.hangUpAll();
    await until("offline", () => a.status.state === "offline");
    set(a.doc, "r", "y", 2);
    set(a.doc, "new", "x", 7);
    write(a.doc, "t", 5, " you");
    write(a.doc, "n", 0, "fresh");
    writeBlock(a.doc, "b", "words");
    await until("kept", () => a.status.waiting === 1);
    a.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    set(server.doc, "r", "x", 5);
    const state = server.doc.export({ mode: "shallow-snapshot", frontiers: server.doc.frontiers() });
    server.doc = LoroDoc.fromSnapshot(state);
    server.reachable = true;
    const b = session(server, storage);
    await until("saved", saved(b));
    expect(await storage.list("pg_test")).toEqual([]);
    const expected = {
      r: { x: 5, y: 2 },
      t: { originalText: "hello you" },
      new: { x: 7 },
      n: { originalText: "fresh" },
    };
    expect(elements(b.doc)).toEqual(expected);
    expect(elements(server.doc)).toEqual(expected);
    expect((server.doc.toJSON() as { doc: unknown }).doc).toEqual({ b: { nodeName: "paragraph", originalText: "words" } });
  });

  test("a large change goes out as several updates", async () => {
    const server = new FakeServer();
    const a = session(server);
    await a.ready();
    for (let i = 0; i < 25_000; i++)
      a.doc
        .getMap("elements")
        .ensureMergeableMap(`r${i % 50}`)
        .set("x", i);
    a.doc.commit();
    await until("saved", saved(a));
    expect(server.updates).toBe(2);
    expect(elements(server.doc)).toEqual(elements(a.doc));
  });

  test("with read permission nothing is sent", async () => {
    const server = new FakeServer();
    server.permission = "read";
    const a = session(server);
    await a.ready();
    set(a.doc, "r", "x", 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([server.updates, a.status.permission]).toEqual([0, "read"]);
  });

  test("a refused join closes the session and says why", async () => {
    const server = new FakeServer();
    server.judgeJoin = () => JoinErrorCode.AuthFailed;
    const a = session(server);
    const seen: SyncStatus[] = [];
    a.onStatus((status) => seen.push(status));
    await until("closed", () => a.status.state === "closed");
    expect(seen).toEqual([{ state: "closed", waiting: 0, permission: "read", message: "no" }]);
  });

  test("many sessions with a line that keeps breaking end the same", async () => {
    const server = new FakeServer();
    const all = Array.from({ length: 4 }, () => session(server));
    await Promise.all(all.map((s) => s.ready()));
    for (let round = 0; round < 60; round++) {
      const s = all[Math.floor(Math.random() * all.length)]!;
      const map = s.doc.getMap("elements").get("t") as LoroMap | undefined;
      const length = map ? s.doc.getMap("elements").ensureMergeableMap("t").ensureMergeableText("originalText").length : 0;
      write(s.doc, "t", Math.floor(Math.random() * (length + 1)), String(round % 10));
      set(s.doc, `r${round % 5}`, "x", round);
      if (Math.random() < 0.15) server.hangUpAll();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    }
    await until("all saved", () => all.every((s) => saved(s)()), 20_000);
    const has = (s: PageSession) => [...server.doc.version().toJSON()].every(([p, c]) => s.doc.version().get(p) === c);
    await until("all equal", () => all.every(has), 20_000);
    for (const s of all) expect(elements(s.doc)).toEqual(elements(server.doc));
    const text = (server.doc.toJSON() as { elements: { t: { originalText: string } } }).elements.t.originalText;
    expect(text.length).toBe(60);
  });
});
