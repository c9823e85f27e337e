// Unmodified npm clients (loro-websocket, loro-adaptors, loro-crdt) against the real server.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { EphemeralStore, LoroDoc } from "loro-crdt";
import { LoroWebsocketClient } from "loro-websocket";
import { LoroAdaptor, LoroEphemeralAdaptor } from "loro-adaptors/loro";
import { GladeServer, until } from "../support/server.mjs";
import { Wire } from "../support/cut.mjs";

/** @type {GladeServer} */ let server;
let page;

before(async () => {
  server = await GladeServer.start();
  page = await server.firstPage();
});
// The clients are not closed: closing one that has ever lost its line rejects a promise inside it
// that nobody holds. The runner ends the process (--test-force-exit).
after(() => server.stop());

async function join({ url = server.syncUrl, token = server.token, doc = new LoroDoc(), roomId = page, firstTryMs = 30 } = {}) {
  const client = new LoroWebsocketClient({ url, reconnect: { initialDelayMs: firstTryMs, maxDelayMs: Math.max(firstTryMs, 100) } });
  await client.waitConnected();
  const refused = [];
  const adaptor = new LoroAdaptor(doc, { onUpdateError: (updates, code) => refused.push({ updates, code }) });
  const room = await client.join({ roomId, crdtAdaptor: adaptor, auth: new TextEncoder().encode(token) });
  await room.waitForReachingServerVersion();
  return { client, doc, room, refused };
}

function put(doc, id, props) {
  const element = doc.getMap("elements").ensureMergeableMap(id);
  for (const [key, value] of Object.entries(props)) element.set(key, value);
  doc.commit();
}

function read(doc, id) {
  return doc.getMap("elements").toJSON()[id];
}

const box = { type: "rectangle", x: 0, y: 0, width: 100, height: 50, strokeColor: "#1e1e1e", isDeleted: false };

test("an edit reaches the other client and the server", async () => {
  const [a, b] = [await join(), await join()];
  put(a.doc, "edit-1", box);
  await until(() => read(b.doc, "edit-1")?.width === 100, "the other client has it");
  assert.deepEqual((await server.elements(page))["edit-1"], box);
});

test("two properties of one shape changed at the same time both survive", async () => {
  const [a, b] = [await join(), await join()];
  put(a.doc, "both-1", box);
  await until(() => read(b.doc, "both-1"), "the shape is there");
  put(a.doc, "both-1", { strokeColor: "#e03131" });
  put(b.doc, "both-1", { x: 500 });
  for (const { doc } of [a, b]) {
    await until(() => read(doc, "both-1").x === 500 && read(doc, "both-1").strokeColor === "#e03131", "both changes");
  }
});

test("two people typing in one text keep every character", async () => {
  const [a, b] = [await join(), await join()];
  put(a.doc, "text-1", { type: "text", x: 0, y: 0 });
  const text = (doc) => doc.getMap("elements").ensureMergeableMap("text-1").ensureMergeableText("originalText");
  text(a.doc).insert(0, "middle");
  a.doc.commit();
  await until(() => read(b.doc, "text-1")?.originalText === "middle", "the text is there");
  text(a.doc).insert(0, "start ");
  a.doc.commit();
  text(b.doc).insert(6, " end");
  b.doc.commit();
  for (const { doc } of [a, b]) await until(() => read(doc, "text-1").originalText === "start middle end", "both words");
});

test("edits in flight when the line drops arrive after the reconnect", async () => {
  const wire = await Wire.to(server.port);
  const a = await join({ url: wire.url });
  const b = await join();
  put(a.doc, "flight-1", box);
  await until(() => read(b.doc, "flight-1"), "the line works");
  wire.hold();
  put(a.doc, "flight-1", { x: 11 });
  put(a.doc, "flight-2", box);
  wire.cut();
  put(a.doc, "flight-3", box);
  put(b.doc, "flight-1", { y: 22 });
  wire.mend();
  await until(() => read(b.doc, "flight-1").x === 11 && read(b.doc, "flight-2") && read(b.doc, "flight-3"), "what was in flight");
  await until(() => read(a.doc, "flight-1").y === 22, "what was missed");
  assert.equal(a.refused.length, 0);
});

test("a read-only token sees everything and changes nothing", async () => {
  const { status, value } = await server.api("/api/tokens/attenuate", { method: "POST", body: { ops: ["read"] } });
  assert.equal(status, 201);
  const [owner, reader] = [await join(), await join({ token: value.token })];
  put(owner.doc, "read-1", box);
  await until(() => read(reader.doc, "read-1"), "the reader sees it");
  put(reader.doc, "read-1", { x: 999 });
  const { code } = await until(() => reader.refused[0], "the refusal");
  assert.equal(code, 3, "permission denied");
  assert.equal((await server.elements(page))["read-1"].x, 0);
  assert.equal(read(owner.doc, "read-1").x, 0);
});

test("after a refusal a client goes on from the server's state under a new peer id", async () => {
  const [a, b] = [await join(), await join()];
  put(a.doc, "again-1", box);
  await until(() => read(b.doc, "again-1"), "the shape is there");
  const before = b.doc.frontiers();
  // Removing keys is refused: nothing is ever removed, only marked as deleted.
  put(b.doc, "again-1", { x: 7 });
  const unacknowledged = b.doc.diff(before, b.doc.frontiers());
  b.doc.getMap("elements").delete("again-1");
  b.doc.commit();
  await until(() => b.refused[0], "the refusal");
  await b.room.leave();
  const recovered = await join();
  assert.notEqual(recovered.doc.peerIdStr, b.doc.peerIdStr);
  recovered.doc.applyDiff(unacknowledged);
  recovered.doc.commit();
  await until(() => read(a.doc, "again-1")?.x === 7, "the good part of its work");
  assert.equal(recovered.refused.length, 0);
});

test("a refusal says why and how to go on, in a text message that npm's client passes over", async () => {
  const first = await join();
  put(first.doc, "why-1", box);
  const second = await join({
    token: (await server.api("/api/tokens/attenuate", { method: "POST", body: { subject: "person:why" } })).value.token,
  });
  await until(() => read(second.doc, "why-1"), "the shape is there");
  const notices = [];
  second.client.ws.addEventListener(
    "message",
    ({ data }) => typeof data === "string" && data.startsWith("{") && notices.push(JSON.parse(data)),
  );
  second.doc.setPeerId(first.doc.peerId);
  put(second.doc, "why-2", box);
  await until(() => second.refused[0], "the refusal");
  const { refused } = await until(() => notices[0], "the reason");
  assert.deepEqual([refused.room, refused.code, refused.recover], [page, "foreign-peer", "new-peer"]);
  assert.match(refused.reason, /fresh random peer id/);
  const third = await join();
  put(third.doc, "why-3", box);
  await until(() => read(second.doc, "why-3"), "the refused client still hears the others");
});

test("a token that may comment comments, and draws nothing", async () => {
  const body = { ops: ["read", "comment"], subject: "person:critic" };
  const { value } = await server.api("/api/tokens/attenuate", { method: "POST", body });
  const [owner, critic] = [await join(), await join({ token: value.token })];
  const comment = critic.doc.getMap("comments").ensureMergeableMap("cm_interop00001");
  for (const [key, said] of Object.entries({
    author: "person:critic",
    authorName: "Critic",
    createdAt: Date.now(),
    element: null,
    x: 1,
    y: 2.5,
    parent: null,
    resolved: false,
    isDeleted: false,
  })) {
    comment.set(key, said);
  }
  comment.ensureMergeableText("text").insert(0, "Why blue?");
  critic.doc.commit();
  const heard = () => owner.doc.getMap("comments").toJSON()["cm_interop00001"];
  await until(() => heard()?.text === "Why blue?", "the owner reads it");
  assert.equal(critic.refused.length, 0);
  put(critic.doc, "drawn-by-critic", box);
  await until(() => critic.refused[0], "the refusal");
  assert.equal((await server.elements(page))["drawn-by-critic"], undefined);
});

test("a peer id that belongs to someone else is refused and harms nobody", async () => {
  const { value } = await server.api("/api/tokens/attenuate", { method: "POST", body: { subject: "person:ann" } });
  const owner = await join();
  put(owner.doc, "claim-1", box);
  const watcher = await join();
  await until(() => read(watcher.doc, "claim-1"), "the shape is there");
  const forged = new LoroDoc();
  const ann = await join({ token: value.token, doc: forged });
  await until(() => read(ann.doc, "claim-1"), "ann sees it");
  forged.setPeerId(owner.doc.peerIdStr);
  put(forged, "claim-1", { x: 666 });
  const { code } = await until(() => ann.refused[0], "the refusal");
  assert.equal(code, 3);
  put(owner.doc, "claim-1", { x: 5 });
  await until(() => read(watcher.doc, "claim-1").x === 5, "the owner works on");
});

test("a commit that claims to be a fairy's is refused", async () => {
  const a = await join();
  a.doc.setNextCommitMessage(JSON.stringify({ run: "run_abcdefghijkl", step: 1, action: 1 }));
  put(a.doc, "forged-run", box);
  await until(() => a.refused[0], "the refusal");
  assert.equal((await server.elements(page))["forged-run"], undefined);
});

test("plain child containers, unknown roots and snapshots are refused", async () => {
  const { LoroMap } = await import("loro-crdt");
  const makers = {
    plain: (doc) => doc.getMap("elements").setContainer("plain-1", new LoroMap()).set("x", 1),
    root: (doc) => doc.getMap("secrets").set("x", 1),
    text: (doc) => doc.getText("notes").insert(0, "hello"),
  };
  for (const [name, make] of Object.entries(makers)) {
    const a = await join();
    make(a.doc);
    a.doc.commit();
    await until(() => a.refused[0], `the refusal of ${name}`);
  }
  const b = await join();
  put(b.doc, "still-fine", box);
  await until(async () => (await server.elements(page))["still-fine"], "the room works on");
});

test("a wrong token joins nothing", async () => {
  await assert.rejects(join({ token: "nonsense" }));
  const flipped = server.token.slice(0, -4) + (server.token.endsWith("AAAA") ? "BBBB" : "AAAA");
  await assert.rejects(join({ token: flipped }));
});

test("a large page travels in fragments, both ways", async () => {
  const a = await join();
  const elements = a.doc.getMap("elements");
  const noise = () => Array.from({ length: 60 }, () => [Math.random(), Math.random()]);
  for (let i = 0; i < 500; i++) {
    const element = elements.ensureMergeableMap(`big-${i}`);
    element.set("type", "freedraw");
    element.set("points", noise());
  }
  a.doc.commit();
  assert.ok(a.doc.export({ mode: "update" }).length > 300_000);
  await until(async () => (await server.elements(page))["big-499"], "the server has it");
  assert.equal(a.refused.length, 0);
  const b = await join();
  assert.deepEqual(read(b.doc, "big-499"), read(a.doc, "big-499"));
});

test("presence passes between clients, and nobody speaks for another", async () => {
  const presence = async () => {
    const joined = await join();
    const store = new EphemeralStore(30_000);
    const key = joined.doc.peerIdStr;
    const room = await joined.client.join({
      roomId: page,
      crdtAdaptor: new LoroEphemeralAdaptor(store),
      auth: new TextEncoder().encode(server.token),
    });
    return { ...joined, store, key, room };
  };
  const [a, b, c] = [await presence(), await presence(), await presence()];
  // Who they are, the server says: all three have the owner's link.
  a.store.set(a.key, { name: "Ann", icon: "a", cursor: { x: 1, y: 2 } });
  await until(() => b.store.get(a.key)?.icon === "a" && c.store.get(a.key)?.icon === "a", "the others see the first");
  const seen = { subject: "person:owner", name: "Owner", kind: "person", icon: "a", cursor: { x: 1, y: 2 } };
  assert.deepEqual(c.store.get(a.key), seen);
  b.store.set(a.key, { icon: "not a" });
  b.store.set(b.key, { icon: "b" });
  await until(() => c.store.get(b.key)?.icon === "b", "the second is seen");
  for (const odd of [null, "here", { name: null }, { selection: 7 }, { cursor: { x: Number.NaN, y: 1 } }, { unknown: 1 }])
    b.store.set(b.key, odd);
  b.store.set(b.key, { icon: "still b" });
  await until(() => c.store.get(b.key)?.icon === "still b", "what is odd was passed over");
  assert.deepEqual(c.store.get(a.key), seen);
  a.client.close();
  await until(() => c.store.get(a.key) === undefined, "the first is gone");
});

test("everything acknowledged survives a killed server; the rest arrives after", async () => {
  // Node's own WebSocket tells of no close when a connection is refused, and the client then waits for one for
  // ever: it tries again when the server is back.
  const a = await join({ firstTryMs: 3_000 });
  put(a.doc, "crash-1", box);
  await until(async () => (await server.elements(page))["crash-1"], "acknowledged");
  await server.kill();
  put(a.doc, "crash-2", box);
  await server.launch();
  await until(async () => (await server.elements(page))["crash-2"], "what was made while it was down", 40_000);
  assert.deepEqual((await server.elements(page))["crash-1"], box);
  assert.equal(a.refused.length, 0);
});

test("a page that has let go of its past takes new clients and those who were there", async () => {
  const forgetful = await GladeServer.start({ flags: ["--compact-operations", "100", "--compact-quiet-seconds", "1"] });
  try {
    const at = { url: forgetful.syncUrl, token: forgetful.token, roomId: await forgetful.firstPage() };
    const gone = await join(at);
    const there = await join(at);
    put(gone.doc, "e", box);
    await until(() => read(there.doc, "e"), "the shape is there");
    await gone.room.leave();
    for (let x = 1; x <= 200; x++) put(there.doc, "e", { x });
    const fresh = await until(
      async () => {
        const { doc, refused } = await join(at);
        return doc.isShallow() && { doc, refused };
      },
      "the page begins an epoch",
      20_000,
    );
    assert.deepEqual(fresh.doc.toJSON(), there.doc.toJSON());
    assert.ok(fresh.doc.opCount() < 20);
    put(fresh.doc, "e", { x: -1 });
    put(fresh.doc, "new", box);
    await until(() => read(there.doc, "new") && read(there.doc, "e").x === -1, "both ways");
    put(there.doc, "e", { y: 7 });
    await until(() => read(fresh.doc, "e").y === 7, "both ways");
    assert.deepEqual([fresh.refused, there.refused], [[], []]);
    // Whoever was away takes the page as it is, in a new document: the old one cannot follow any more.
    const back = await join(at);
    assert.deepEqual(back.doc.toJSON(), there.doc.toJSON());
  } finally {
    await forgetful.stop();
  }
});
