// The HTTP interface as programs use it: sessions, events, runs, and the chat through npm's own `ai`.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { request } from "node:http";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { GladeServer, until } from "../support/server.mjs";

/** @type {GladeServer} */ let server;
let page;
let fairy;

before(async () => {
  server = await GladeServer.start();
  const workspace = await server.workspace();
  page = workspace.pages[0].id;
  fairy = workspace.fairies[0];
});
after(() => server.stop());

const bearer = () => ({ authorization: `Bearer ${server.token}` });

/** A request with any headers at all, as fetch does not allow. */
function raw(path, headers, method = "GET") {
  return new Promise((done, failed) => {
    const sent = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      response.resume();
      response.on("end", () => done(response));
    });
    sent.on("error", failed);
    sent.end();
  });
}

function transport() {
  return new DefaultChatTransport({ api: `${server.origin}/api/ai/chat`, headers: bearer() });
}

function question(text) {
  return { id: `q-${Math.random()}`, role: "user", parts: [{ type: "text", text }] };
}

/** Sends a message and reads the answer to its end with the SDK's own reader. */
async function chat(text) {
  const stream = await transport().sendMessages({
    chatId: fairy.id,
    messages: [question(text)],
    trigger: "submit-message",
    abortSignal: undefined,
  });
  let last;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last;
}

const ended = (run) =>
  until(async () => {
    const { value } = await server.api(`/api/runs/${run}`);
    return value.status !== "running" && value;
  }, "the run has ended");

test("the key becomes a cookie that opens everything, and nothing is open without", async () => {
  for (const path of [
    "/api/session",
    "/api/workspaces/main",
    "/api/workspaces/main/events",
    `/api/pages/${page}/export?format=json`,
    `/api/fairies/${fairy.id}`,
    `/api/ai/chat/${fairy.id}`,
  ]) {
    const refused = await fetch(server.origin + path);
    assert.equal(refused.status, 401, path);
    assert.match(refused.headers.get("content-type"), /problem\+json/);
    assert.equal((await refused.json()).status, 401);
  }
  const opened = await fetch(`${server.origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: server.token }),
  });
  assert.equal(opened.status, 200);
  const cookie = opened.headers.get("set-cookie");
  assert.match(cookie, /HttpOnly/i);
  assert.match(cookie, /SameSite=Strict/i);
  const shown = await fetch(`${server.origin}/api/session`, { headers: { cookie: cookie.split(";")[0] } });
  const { session, ...rest } = await shown.json();
  assert.match(session, /^[0-9a-f]{64}$/);
  assert.ok(!cookie.includes(session), "the session's id is not what opens it");
  assert.deepEqual(rest, {
    subject: "person:owner",
    name: "Owner",
    permission: "write",
    ops: ["read", "comment", "suggest", "edit", "command"],
    project: ["read", "edit", "command"],
    limits: [],
  });
});

test("a foreign Host or Origin is turned away, and every answer carries the policy", async () => {
  assert.equal((await raw("/api/session", { ...bearer(), host: "evil.example" })).statusCode, 421);
  const foreign = await raw(`/api/fairies/${fairy.id}/stop`, { ...bearer(), origin: "http://evil.example" }, "POST");
  assert.equal(foreign.statusCode, 403);
  const page = await fetch(server.origin);
  const policy = page.headers.get("content-security-policy");
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /https?:/);
});

test("health, readiness and the description are there", async () => {
  assert.equal((await fetch(`${server.origin}/healthz`)).status, 200);
  assert.equal((await fetch(`${server.origin}/readyz`)).status, 200);
  const description = await (await fetch(`${server.origin}/api/openapi.json`)).json();
  assert.match(description.openapi, /^3\.1/);
  for (const path of ["/api/session", "/api/workspaces/{ws}/events", "/api/runs/{run}/undo", "/api/ai/chat"])
    assert.ok(description.paths[path], path);
});

test("npm's ai reads a run, with words, actions and where they are", async () => {
  const message = await chat("Draw a flow: Tea -> Cup");
  const kinds = message.parts.map((part) => part.type);
  assert.ok(kinds.includes("text"), kinds.join());
  const actions = message.parts.filter((part) => part.type === "data-action").map((part) => part.data);
  assert.ok(actions.length >= 3);
  assert.ok(actions.every((action) => action.state === "done"));
  const { run } = message.metadata;
  const row = await ended(run);
  assert.equal(row.status, "pending");
  const element = actions.find((action) => /Tea/.test(action.label)).elements[0];
  assert.ok((await server.elements(page))[element]);

  const { value: why } = await server.api(`/api/pages/${page}/why?element=${element}`);
  assert.deepEqual(
    why.runs.map((entry) => [entry.run.id, entry.run.message]),
    [[run, "Draw a flow: Tea -> Cup"]],
  );

  const { value: history } = await server.api(`/api/ai/chat/${fairy.id}`);
  assert.deepEqual(
    history.messages.map((entry) => entry.role),
    ["user", "assistant"],
  );
  assert.deepEqual(
    history.messages[1].parts.filter((part) => part.type === "data-action").map((part) => part.data),
    actions,
  );

  const { value: undone } = await server.api(`/api/runs/${run}/undo`, { method: "POST", body: {} });
  assert.deepEqual(undone.kept, []);
  assert.ok(undone.undone >= 3);
  assert.ok(Object.values(await server.elements(page)).every((entry) => entry.isDeleted));
  assert.equal((await server.api(`/api/runs/${run}/keep`, { method: "POST" })).status, 409);
  assert.deepEqual((await server.api(`/api/runs/${run}/undo`, { method: "POST", body: {} })).value, { undone: 0, kept: [] });
  const { value: stillWhy } = await server.api(`/api/pages/${page}/why?element=${element}`);
  assert.equal(stillWhy.runs.length, 1, "history outlives the undo");
});

test("a part of a run can be undone, the rest kept", async () => {
  const message = await chat("Make sticky notes: One, Two");
  const { run } = message.metadata;
  await ended(run);
  const notes = message.parts
    .filter((part) => part.type === "data-action")
    .map((part) => part.data)
    .filter((action) => action.elements.length);
  const { value } = await server.api(`/api/runs/${run}/undo`, { method: "POST", body: { elements: notes[0].elements } });
  assert.ok(value.undone >= 1);
  const elements = await server.elements(page);
  assert.ok(notes[0].elements.every((id) => elements[id].isDeleted));
  assert.ok(notes[1].elements.every((id) => !elements[id].isDeleted));
  assert.equal((await server.api(`/api/runs/${run}/keep`, { method: "POST" })).value.status, "kept");
  assert.equal((await server.api(`/api/runs/${run}/undo`, { method: "POST", body: {} })).status, 409);
});

test("the event stream begins with a snapshot and tells what changes", async () => {
  const stop = new AbortController();
  const response = await fetch(`${server.origin}/api/workspaces/main/events`, { headers: bearer(), signal: stop.signal });
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await until(() => text.includes("event: snapshot"), "the snapshot");
  const { status, value: made } = await server.api("/api/workspaces/main/pages", {
    method: "POST",
    body: { name: "Second", kind: "canvas" },
  });
  assert.equal(status, 201);
  await until(() => text.includes(made.id), "the new page");
  const { value } = await server.api(`/api/fairies/${fairy.id}/interrupt`, {
    method: "POST",
    body: { input: { message: "Draw a flow: A -> B" } },
  });
  await until(() => text.includes(`"id":"${value.run}"`) && /"status":"pending"/.test(text), "the run");
  stop.abort();
  await reading;
});

test("resume answers 204 when nothing runs", async () => {
  const response = await fetch(`${server.origin}/api/ai/chat/${fairy.id}/stream`, { headers: bearer() });
  assert.equal(response.status, 204);
  assert.equal(await transport().reconnectToStream({ chatId: fairy.id }), null);
});

test("bad requests say what is wrong and change nothing", async () => {
  const before = await server.elements(page);
  const cases = [
    ["/api/workspaces/other", "GET", undefined, 404],
    ["/api/fairies/fy_nobody/stop", "POST", undefined, 404],
    ["/api/runs/run_nothing/undo", "POST", {}, 404],
    [`/api/pages/${page}/export?format=pdf`, "GET", undefined, 400],
    ["/api/workspaces/main/pages", "POST", { name: "  ", kind: "canvas" }, 400],
    ["/api/tokens/attenuate", "POST", { opz: ["read"] }, 422],
    ["/api/ai/chat", "POST", { id: fairy.id, messages: [question("   ")] }, 400],
    ["/api/ai/chat", "POST", { id: fairy.id, messages: [] }, 400],
    ["/api/nothing", "GET", undefined, 404],
  ];
  for (const [path, method, body, status] of cases) {
    const answer = await server.api(path, { method, body });
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.value)}`);
    assert.ok(answer.value.detail?.length > 10, `${path} explains itself`);
  }
  assert.deepEqual(await server.elements(page), before);
});

test("a token for reading can command nobody and undo nothing", async () => {
  const { value } = await server.api("/api/tokens/attenuate", { method: "POST", body: { ops: ["read"], subject: "person:guest" } });
  const guest = { token: value.token };
  assert.equal((await server.api(`/api/fairies/${fairy.id}`, guest)).status, 200);
  assert.equal((await server.api(`/api/fairies/${fairy.id}/stop`, { ...guest, method: "POST" })).status, 403);
  assert.equal(
    (await server.api("/api/ai/chat", { ...guest, method: "POST", body: { id: fairy.id, messages: [question("Draw a flow: A -> B")] } }))
      .status,
    403,
  );
  const { run } = (await chat("Make sticky notes: Guarded")).metadata;
  await ended(run);
  assert.equal((await server.api(`/api/runs/${run}/undo`, { ...guest, method: "POST", body: {} })).status, 403);
  // Asking for more gives less: a token for reading, limited to editing, may do neither.
  const wider = await server.api("/api/tokens/attenuate", { ...guest, method: "POST", body: { ops: ["edit"] } });
  assert.equal(wider.status, 201);
  assert.equal((await server.api(`/api/fairies/${fairy.id}/stop`, { method: "POST", token: wider.value.token })).status, 404);
});
