// Fairies that think with a provider's model, through the whole server: all four wires against npm's aimock, a fake that
// nobody here wrote, with the faults that providers have. What the person is told is what they can act on.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { GladeServer, until } from "../support/server.mjs";

/** @type {LLMock} */ let mock;
/** @type {GladeServer} */ let server;
let page;
let fairy;

const DRAWING = JSON.stringify({
  actions: [
    { _type: "message", text: "Here is Größe 🎨." },
    {
      _type: "create",
      intent: "box",
      shape: { _type: "rectangle", shapeId: "size", x: 100, y: 100, w: 200, h: 80, color: "blue", fill: "tint", text: "Größe 🎨" },
    },
  ],
});
const { _type, ...CREATE } = JSON.parse(DRAWING).actions[1];

/** The four wires: provider, model, and where it is asked. */
const WIRES = [
  { name: "Anthropic Messages", model: "anthropic/claude-sonnet-4-5", path: "/v1/messages", priced: true },
  { name: "OpenAI Chat", model: "chat/gpt-4o", path: "/v1/chat/completions", priced: false },
  { name: "OpenAI Responses", model: "openai/gpt-4o", path: "/v1/responses", priced: true },
  { name: "Gemini", model: "gemini/gemini-2.5-flash", path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent", priced: true },
];

before(async () => {
  mock = new LLMock({ port: 0, strict: true });
  const usage = { input_tokens: 1200, output_tokens: 80, prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 };
  mock.onMessage(/draw it/, { content: DRAWING, reasoning: "A box will do.", usage }, { chunkSize: 7 });
  mock.onMessage(/call it/, { toolCalls: [{ name: "create", arguments: JSON.stringify(CREATE) }] }, { chunkSize: 5 });
  mock.onMessage(/draw slowly/, { content: DRAWING }, { chunkSize: 20, latency: 40 });
  mock.onMessage(/cut it/, { content: DRAWING }, { chunkSize: 10, truncateAfterChunks: 12, latency: 5 });
  mock.onMessage(/bad key/, { error: { message: "bad key", type: "authentication_error", code: "invalid_api_key" }, status: 401 });
  await mock.start();

  server = await GladeServer.start();
  writeFileSync(join(server.data, "key"), "old-key\n", { mode: 0o600 });
  const keyFile = join(server.data, "key");
  const models = {
    providers: {
      anthropic: { keyFile, baseUrl: mock.url },
      chat: { kind: "openai", wire: "chat", keyFile, baseUrl: `${mock.url}/v1` },
      openai: { keyFile, wire: "responses", baseUrl: `${mock.url}/v1` },
      gemini: { keyFile, baseUrl: `${mock.url}/v1beta` },
    },
  };
  writeFileSync(join(server.data, "models.json"), JSON.stringify(models), { mode: 0o600 });
  await server.restart();
  const workspace = await server.workspace();
  page = workspace.pages[0].id;
  fairy = workspace.fairies[0].id;
});
after(async () => {
  await server.stop();
  await mock.stop();
});

/** Asks with a model of this wire, on an empty page, and gives the run when it is over. */
async function ask(wire, message) {
  const runs = (await server.workspace()).runs;
  // The answers all draw in one place: on top of an earlier one the fairy would be asked to look again.
  for (const run of runs.filter((run) => run.status === "pending")) {
    await server.api(`/api/runs/${run.id}/undo`, { method: "POST", body: {} });
  }
  const before = new Set(runs.map((run) => run.id));
  const input = { message, page, model: wire.model };
  const { status, value } = await server.api(`/api/fairies/${fairy}/interrupt`, { method: "POST", body: { input } });
  assert.equal(status, 202, JSON.stringify(value));
  return until(
    async () => {
      const run = (await server.workspace()).runs.find((run) => !before.has(run.id));
      return run && run.status !== "running" && run;
    },
    `the run of ${wire.name} has ended`,
    30_000,
  );
}

/** The texts that a run has left on the page. */
async function drawn(run) {
  const elements = await server.elements(page);
  return run.elements
    .map((id) => elements[id])
    .filter((element) => element && !element.isDeleted)
    .map((element) => element.originalText)
    .filter(Boolean);
}

const sentTo = (wire) => mock.getRequests().filter((entry) => entry.path.split("?")[0] === wire.path);

for (const wire of WIRES) {
  test(`${wire.name}: a fairy draws, and the run has its tokens and its price`, async () => {
    const run = await ask(wire, "draw it");
    assert.equal(run.status, "pending", run.error);
    assert.deepEqual(await drawn(run), ["Größe 🎨"]);
    assert.equal(run.steps[0].model, wire.model);
    assert.deepEqual([run.cost.inputTokens, run.cost.outputTokens], [1200, 80]);
    assert.equal(run.cost.usd > 0, wire.priced, `$${run.cost.usd}`);
  });

  test(`${wire.name}: the provider's own tool calls draw as well`, async () => {
    const run = await ask(wire, "call it");
    assert.equal(run.status, "pending", run.error);
    assert.deepEqual(await drawn(run), ["Größe 🎨"]);
  });

  test(`${wire.name}: a slow answer is drawn as it comes`, async () => {
    const run = await ask(wire, "draw slowly");
    assert.deepEqual(await drawn(run), ["Größe 🎨"]);
  });

  test(`${wire.name}: a refused key is told with what to do about it`, async () => {
    const refused = await ask(wire, "bad key");
    assert.equal(refused.status, "failed");
    assert.match(refused.error, /refused the key for \S+: check it in the settings/);
    assert.doesNotMatch(refused.error, /old-key|another-key/);
  });

  test(`${wire.name}: a cut answer is asked for again, and half a shape never stays`, async () => {
    const asked = sentTo(wire).length;
    const { value } = await server.api(`/api/fairies/${fairy}/interrupt`, {
      method: "POST",
      body: { input: { message: "cut it", page, model: wire.model } },
    });
    assert.ok(value);
    await until(() => sentTo(wire).length >= asked + 2, "it is asked again", 30_000);
    assert.equal((await server.api(`/api/fairies/${fairy}/stop`, { method: "POST" })).status, 200);
    const run = (await server.workspace()).runs.at(-1);
    assert.deepEqual(await drawn(run), []);
  });

  test(`${wire.name}: too many requests and overload are waited out, as long as the provider says`, async () => {
    for (const [status, retryAfter] of [
      [429, 1],
      [529, undefined],
    ]) {
      let failed = false;
      const once = { predicate: () => !failed && (failed = true) };
      mock.prependFixture({
        match: once,
        response: { error: { message: "busy", type: status === 429 ? "rate_limit_error" : "overloaded_error" }, status, retryAfter },
      });
      const began = Date.now();
      const run = await ask(wire, "draw it");
      assert.ok(failed, "the fault was served");
      assert.equal(run.status, "pending", run.error);
      assert.deepEqual(await drawn(run), ["Größe 🎨"]);
      if (retryAfter) assert.ok(Date.now() - began >= retryAfter * 1000, "it came back too soon");
    }
  });

  test(`${wire.name}: a key that was changed in its file is read again when the old one is refused`, async () => {
    await ask(wire, "draw it");
    writeFileSync(join(server.data, "key"), `another-key-for-${wire.model}\n`);
    let refusals = 0;
    mock.prependFixture({
      match: { predicate: () => refusals++ === 0 },
      response: { error: { message: "expired", type: "authentication_error", code: "invalid_api_key" }, status: 401 },
    });
    const asked = sentTo(wire).length;
    const run = await ask(wire, "draw it");
    assert.equal(run.status, "pending", run.error);
    // Refused once, and asked again: which is done only with another key than the refused one.
    assert.equal(sentTo(wire).length, asked + 2);
    assert.equal(run.steps.length, 1);
  });
}
