// The chat as npm's own `Chat` holds it: reloaded in the middle of an answer, with the model's thoughts, its words, what it
// draws, and what it finds out.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Chat } from "@ai-sdk/react";
import { LLMock } from "@copilotkit/aimock";
import { DefaultChatTransport } from "ai";
import { GladeServer, until } from "../support/server.mjs";

/** @type {LLMock} */ let mock;
/** @type {GladeServer} */ let server;
let page;
let fairy;

const THOUGHTS = "A box will do, and it should be blue.";
const box = (shapeId, x, text) => ({
  _type: "create",
  intent: "box",
  shape: { _type: "rectangle", shapeId, x, y: 100, w: 200, h: 80, color: "blue", fill: "tint", text },
});
const DRAWING = JSON.stringify({
  actions: [{ _type: "message", text: "Here are two boxes." }, box("one", 100, "One"), box("two", 400, "Two")],
});
const COUNTING = JSON.stringify({ actions: [{ _type: "count", expression: "type=rectangle" }] });

before(async () => {
  mock = new LLMock({ port: 0, strict: true });
  mock.onMessage(/You have counted/, { content: JSON.stringify({ actions: [{ _type: "message", text: "Counted." }] }) });
  mock.onMessage(/draw slowly/, { content: DRAWING, reasoning: THOUGHTS }, { chunkSize: 8, latency: 30 });
  mock.onMessage(/count them/, { content: COUNTING }, { chunkSize: 6 });
  await mock.start();
  server = await GladeServer.start();
  const keyFile = join(server.data, "key");
  writeFileSync(keyFile, "a-key\n", { mode: 0o600 });
  const models = { providers: { anthropic: { keyFile, baseUrl: mock.url } } };
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

/** A browser tab's chat with the fairy. */
function open(messages = []) {
  const headers = { authorization: `Bearer ${server.token}` };
  const transport = new DefaultChatTransport({ api: `${server.origin}/api/ai/chat`, headers });
  return new Chat({ id: fairy, messages, transport, onError: (error) => assert.fail(error) });
}

const ask = (chat, text) => chat.sendMessage({ text }, { body: { page, model: "anthropic/claude-sonnet-4-5" } });
const history = async () => (await server.api(`/api/ai/chat/${fairy}`)).value.messages;
/** The answer in the history, which is stored a moment after its stream has ended. */
const kept = () => until(async () => [(await history()).at(-1)].find((message) => message.role === "assistant"), "the answer is kept");
const last = (chat) => chat.messages.at(-1);
/** What a message shows, without how far the SDK is with it. */
const shown = (message) =>
  message.parts
    .filter((part) => part.type !== "step-start")
    .map(({ type, text, data, toolName, state, input, output }) =>
      type === "dynamic-tool" ? { type, toolName, state, input, output } : text === undefined ? { type, data } : { type, text },
    );

test("a tab reloaded in the middle of an answer hears all of it, thoughts too", async () => {
  const first = open();
  const answered = ask(first, "draw slowly");
  const drawing = (chat) => last(chat)?.role === "assistant" && last(chat).parts.some((part) => part.type === "data-action");
  await until(() => drawing(first), "it draws");
  assert.ok(
    last(first).parts.some((part) => part.type === "reasoning"),
    "its thoughts come first",
  );

  const second = open(await history());
  assert.deepEqual(
    second.messages.map((message) => message.role),
    ["user"],
    "the answer is not in the history yet",
  );
  const resumed = second.resumeStream();
  await until(() => drawing(second), "the reloaded tab hears what was said before");
  assert.equal(second.status, "streaming");
  await Promise.all([answered, resumed]);

  assert.deepEqual(shown(last(second)), shown(last(first)));
  assert.deepEqual(shown(await kept()), shown(last(first)), "and so it is kept");
  const thoughts = last(second).parts.filter((part) => part.type === "reasoning");
  assert.deepEqual(
    thoughts.map((part) => part.text),
    [THOUGHTS],
  );
  const actions = last(second)
    .parts.filter((part) => part.type === "data-action")
    .map((part) => [part.data.name, part.data.state]);
  assert.deepEqual(actions, [
    ["create", "done"],
    ["create", "done"],
  ]);
  assert.equal(last(second).metadata.run, last(first).metadata.run);
});

test("what a fairy finds out is a tool call with its result", async () => {
  const chat = open(await history());
  await ask(chat, "count them");
  const tools = shown(last(chat)).filter((part) => part.type === "dynamic-tool");
  const input = { expression: "type=rectangle" };
  assert.deepEqual(tools, [
    { type: "dynamic-tool", toolName: "count", state: "output-available", input, output: { count: "type=rectangle", shapes: 2 } },
  ]);
  assert.deepEqual(shown(await kept()), shown(last(chat)), "and so it is kept");
});
