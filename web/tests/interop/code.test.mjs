// Chats about the code project through the whole server: all four wires against npm's aimock, read by npm's `ai`.
import { after, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { linkSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { LLMock } from "@copilotkit/aimock";
import { GladeServer, until } from "../support/server.mjs";

const WIRES = [
  { name: "Anthropic Messages", model: "anthropic/claude-sonnet-4-5" },
  { name: "OpenAI Chat", model: "chat/gpt-4o" },
  { name: "OpenAI Responses", model: "openai/gpt-4o" },
  { name: "Gemini", model: "gemini/gemini-2.5-flash" },
];

/** @type {LLMock} */ let mock;
/** @type {GladeServer} */ let server;
let project;

const call = (name, input) => ({ name, arguments: JSON.stringify(input) });
const LOOK = [call("read-file", { path: "a.txt" }), call("glob", { pattern: "**/*.txt" })];
const EDIT = [call("multi-edit", { path: "a.txt", edits: [{ old_string: "hello", new_string: "goodbye" }] })];

/** Answers the first request about `words` with calls, and the one that holds their results with a text. */
function scripted(words, toolCalls, text, options = {}) {
  const about = (request) => request.messages.some((message) => JSON.stringify(message.content ?? "").includes(words));
  const results = (request) => request.messages.filter((message) => message.role === "tool").length;
  mock.addFixture({ match: { predicate: (request) => about(request) && results(request) === 0 }, response: { toolCalls }, ...options });
  mock.addFixture({ match: { predicate: (request) => about(request) && results(request) > 0 }, response: { content: text }, chunkSize: 8 });
}

before(async () => {
  mock = new LLMock({ port: 0, strict: true });
  mock.addFixture({
    match: { systemMessage: "a title of at most 7 words" },
    response: { content: '"A Very Short Title Of Seven Words Indeed."' },
  });
  scripted("look around", LOOK, "There is one file.", { chunkSize: 6 });
  scripted("say goodbye", EDIT, "Done.");
  scripted("edit for one", [call("overwrite-file", { path: "one.txt", content: "one\n" })], "One is written.");
  scripted("edit for two", [call("overwrite-file", { path: "two.txt", content: "two\n" })], "Two is written.");
  scripted("search for long", [call("grep-search", { query: "(needle|haystack)[0-9]+x" })], "Nothing.");
  mock.onMessage(/talk slowly/, { content: "word ".repeat(200) }, { chunkSize: 5, latency: 50 });
  mock.onMessage(/bad key/, { error: { message: "bad key", type: "authentication_error", code: "invalid_api_key" }, status: 401 });
  mock.onMessage(/used up/, { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 3600 });
  mock.onMessage(/cut it/, { content: "I begin and then …" }, { chunkSize: 4, truncateAfterChunks: 2 });
  await mock.start();

  project = mkdtempSync(join(tmpdir(), "glade-project-"));
  const key = "a-key";
  server = await GladeServer.start({
    project,
    models: {
      providers: {
        anthropic: { key, baseUrl: mock.url },
        chat: { kind: "openai", wire: "chat", key, baseUrl: `${mock.url}/v1` },
        openai: { key, wire: "responses", baseUrl: `${mock.url}/v1` },
        gemini: { key, baseUrl: `${mock.url}/v1beta` },
      },
    },
  });
});
after(async () => {
  await server.stop();
  await mock.stop();
  rmSync(project, { recursive: true, force: true });
});
beforeEach(() => {
  // The server holds the folder itself: only what is in it goes.
  for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true });
  writeFileSync(join(project, "a.txt"), "hello world\n");
});

const file = (name) => readFileSync(join(project, name), "utf8");

async function chat() {
  return (await server.api("/api/code/chats", { method: "POST", body: {} })).value.id;
}

/** Sends a message as npm's `ai` does and gives the assistant's message when the stream has ended. */
async function send(id, text, model, onMessage = async () => {}) {
  const transport = new DefaultChatTransport({
    api: `${server.origin}/api/ai/chat`,
    headers: { authorization: `Bearer ${server.token}` },
    body: { model },
  });
  const messages = [{ id: "mine", role: "user", parts: [{ type: "text", text }] }];
  const stream = await transport.sendMessages({ chatId: id, messages, trigger: "submit-message", abortSignal: undefined });
  let last;
  for await (const message of readUIMessageStream({ stream, onError: () => {} })) {
    last = structuredClone(message);
    await onMessage(last);
  }
  return last;
}

const tools = (message) => message.parts.filter((part) => part.type.startsWith("tool-"));
const words = (message) =>
  message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("");

/** Says yes to every question that a message asks. */
function yes(id, reach = { scope: "once" }) {
  const asked = new Set();
  return async (message) => {
    for (const part of tools(message).filter((part) => part.state === "approval-requested" && !asked.has(part.approval.id))) {
      asked.add(part.approval.id);
      const { status } = await server.api(`/api/code/chats/${id}/approve`, {
        method: "POST",
        body: { approvalId: part.approval.id, allow: true, reach },
      });
      assert.equal(status, 204);
    }
  };
}

for (const wire of WIRES) {
  test(`${wire.name}: two tools at once are carried out and their results go back`, async () => {
    const id = await chat();
    const states = new Set();
    const message = await send(id, "look around", wire.model, async (message) => tools(message).forEach((part) => states.add(part.state)));
    assert.deepEqual(
      tools(message).map((part) => [part.type, part.state]),
      [
        ["tool-read-file", "output-available"],
        ["tool-glob", "output-available"],
      ],
    );
    assert.match(JSON.stringify(tools(message)[0].output), /hello world/);
    assert.ok(states.has("input-streaming") || states.has("input-available"), [...states].join());
    assert.equal(words(message), "There is one file.");
    const durations = message.parts.filter((part) => part.type === "data-call");
    assert.equal(durations.length, 2);
    assert.ok(durations.every((part) => part.data.durationMs >= 0));
    const title = await until(
      async () => (await server.api("/api/code")).value.chats.find((one) => one.id === id).title,
      "the chat has a title",
    );
    assert.equal(title, "A Very Short Title Of Seven Words");
    const { value } = await server.api(`/api/ai/chat/${id}`);
    assert.deepEqual(
      value.messages.map((one) => one.role),
      ["user", "assistant"],
    );
    assert.deepEqual(
      value.messages[1].parts.map((part) => part.type),
      message.parts.map((part) => part.type),
    );
  });

  test(`${wire.name}: a write asks first, is made, and is undone around what a person wrote since`, async () => {
    const id = await chat();
    const message = await send(id, "say goodbye", wire.model, yes(id));
    assert.equal(tools(message)[0].state, "output-available", JSON.stringify(tools(message)));
    assert.equal(file("a.txt"), "goodbye world\n");
    writeFileSync(join(project, "a.txt"), "goodbye world\nmine\n");
    const run = message.metadata.run;
    const { status, value } = await server.api(`/api/runs/${run}/undo`, { method: "POST", body: {} });
    assert.deepEqual([status, value.kept], [200, []]);
    assert.equal(file("a.txt"), "hello world\nmine\n");
  });

  test(`${wire.name}: what goes wrong is told in kinds that a person can act on`, async () => {
    const kinds = {};
    for (const words of ["bad key", "used up", "cut it"]) {
      const id = await chat();
      await send(id, words, wire.model);
      const { error } = (await server.api("/api/code")).value.chats.find((one) => one.id === id);
      kinds[words] = error.kind;
      assert.doesNotMatch(error.message, /a-key/);
      if (words === "used up") assert.ok(error.retryAfterMs >= 3_500_000, JSON.stringify(error));
      // The next message clears it.
      await send(id, "look around", wire.model);
      assert.equal((await server.api("/api/code")).value.chats.find((one) => one.id === id).error, null);
    }
    assert.deepEqual(kinds, { "bad key": "auth", "used up": "plan-limit", "cut it": "generic" });
  });
}

test("two chats at once never mix", async () => {
  const [one, two] = [await chat(), await chat()];
  const [first, second] = await Promise.all([
    send(one, "edit for one", WIRES[0].model, yes(one)),
    send(two, "edit for two", WIRES[1].model, yes(two)),
  ]);
  assert.deepEqual([words(first), words(second)], ["One is written.", "Two is written."]);
  assert.deepEqual([file("one.txt"), file("two.txt")], ["one\n", "two\n"]);
  for (const [id, name] of [
    [one, "one.txt"],
    [two, "two.txt"],
  ]) {
    const { value } = await server.api(`/api/ai/chat/${id}`);
    const paths = value.messages[1].parts.filter((part) => part.type === "tool-overwrite-file").map((part) => part.input.path);
    assert.deepEqual(paths, [name]);
  }
});

test("stop is heard in the middle of a word, and a late reader resumes what is under way", async () => {
  const id = await chat();
  const sending = send(id, "talk slowly", WIRES[0].model);
  await until(async () => (await server.api("/api/code")).value.chats.find((one) => one.id === id).running, "it runs");
  const response = await fetch(`${server.origin}/api/ai/chat/${id}/stream`, { headers: { authorization: `Bearer ${server.token}` } });
  assert.equal(response.status, 200);
  await new Promise((go) => setTimeout(go, 400));
  const began = performance.now();
  assert.equal((await server.api(`/api/code/chats/${id}/abort`, { method: "POST", body: {} })).status, 200);
  const took = performance.now() - began;
  assert.ok(took < 1000, `${took} ms`);
  const message = await sending;
  assert.ok(words(message).length < 900, "it was cut short");
  assert.match(await response.text(), /"type":"abort"/);
  assert.equal(
    (await fetch(`${server.origin}/api/ai/chat/${id}/stream`, { headers: { authorization: `Bearer ${server.token}` } })).status,
    204,
  );
});

test("stop is heard by tools at work and by a question that waits, within a tenth of a second", async () => {
  // Far more to search than can be searched before the stop comes; one file on disk.
  writeFileSync(join(project, "0.txt"), "nothing of the kind, line after line after line\n".repeat(1_000_000));
  for (let n = 1; n < 40; n++) linkSync(join(project, "0.txt"), join(project, `${n}.txt`));
  const times = {};
  for (const words of ["search for long", "edit for one"]) {
    const id = await chat();
    const states = [];
    const sending = send(id, words, WIRES[0].model, async (message) => tools(message).forEach((part) => states.push(part.state)));
    await until(
      () => states.some((state) => state === (words === "edit for one" ? "approval-requested" : "input-available")),
      "a tool is at work",
    );
    await new Promise((go) => setTimeout(go, 50));
    const began = performance.now();
    assert.equal((await server.api(`/api/code/chats/${id}/abort`, { method: "POST", body: {} })).status, 200);
    times[words] = Math.round(performance.now() - began);
    const message = await sending;
    assert.deepEqual(
      tools(message).map((part) => part.state),
      ["output-error"],
      words,
    );
    assert.throws(() => file("one.txt"));
  }
  console.log(`# stopped after ${JSON.stringify(times)} ms`);
  // A machine that does much else at the same time is given some more.
  assert.ok(
    Object.values(times).every((ms) => ms < 500),
    JSON.stringify(times),
  );
});

test("after kill -9 with a question open nothing was written, and what was is still there to undo", async () => {
  const id = await chat();
  const earlier = await chat();
  const done = await send(earlier, "say goodbye", WIRES[0].model, yes(earlier));
  const waiting = send(id, "edit for one", WIRES[0].model).catch(() => {});
  await until(async () => (await server.api("/api/code")).value.chats.find((one) => one.id === id).running, "it runs");
  await new Promise((go) => setTimeout(go, 300));
  await server.restart();
  await waiting;
  const { value } = await server.api("/api/code");
  const cut = value.runs.find((run) => run.message === "edit for one" && run.fairy === id);
  assert.deepEqual([cut.status, cut.settled], ["failed", true]);
  assert.match(cut.error, /server stopped/);
  assert.throws(() => file("one.txt"));
  assert.equal((await server.api(`/api/runs/${done.metadata.run}/undo`, { method: "POST", body: {} })).status, 200);
  assert.equal(file("a.txt"), "hello world\n");
});

test("glade code asks a provider in a terminal: words, a line for each call, a diff", async () => {
  const bin = process.env.GLADE_BIN ?? join(import.meta.dirname, "../../../target/debug/glade");
  const args = ["code", "say goodbye", "--project", project, "--data", server.data, "--model", WIRES[0].model];
  // Not waited for in place: the fake provider lives in this process.
  const run = (args) =>
    new Promise((done) =>
      execFile(bin, args, { timeout: 30_000 }, (error, stdout, stderr) => done({ status: error?.code ?? 0, stdout, stderr })),
    );
  const told = await run([...args, "--yes"]);
  assert.deepEqual([told.status, told.stdout], [0, "Done.\n"], told.stderr);
  assert.match(told.stderr, /-hello world\n\+goodbye world/);
  assert.match(told.stderr, /· multi-edit a\.txt \(\d+ ms\)/);
  assert.equal(file("a.txt"), "goodbye world\n");
  const refused = await run(args.with(1, "bad key"));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /refused the key for anthropic/);
});
