// A real language model calls a tool of the code project: the call and its input are its own words.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { GladeServer } from "../support/server.mjs";

const address = process.env.GLADE_REAL_MODEL;
const MINUTES = 10;

/**
 * The model's template knows no tools. As inference servers do for such models, this holds its answer to the input of
 * the one tool that it is offered, and tells that answer as a call on OpenAI's wire: the words in it are the model's.
 */
async function withTools() {
  const shim = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      messages,
      tools: [{ function: tool }],
    } = JSON.parse(Buffer.concat(chunks).toString());
    const { properties, required } = tool.parameters;
    const wanted = Object.fromEntries(
      required.map((name) => [name, properties[name].type === "string" ? { type: "string", maxLength: 40 } : properties[name]]),
    );
    const schema = { type: "object", properties: wanted, required, additionalProperties: false };
    const body = { messages, max_tokens: 100, response_format: { type: "json_schema", json_schema: { name: tool.name, schema } } };
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const {
      choices: [{ message }],
    } = await answer.json();
    const tell = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    tell({ role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: tool.name, arguments: "" } }] });
    tell({ tool_calls: [{ index: 0, function: { arguments: message.content } }] });
    tell({}, "tool_calls");
    response.end("data: [DONE]\n\n");
  });
  shim.listen(0, "127.0.0.1");
  await once(shim, "listening");
  return shim;
}

test("SmolLM2 calls read-file over OpenAI Chat", { timeout: MINUTES * 60_000 }, async () => {
  const project = mkdtempSync(join(tmpdir(), "glade-project-"));
  writeFileSync(join(project, "notes.txt"), "buy milk\n");
  const shim = await withTools();
  const server = await GladeServer.start({
    project,
    models: { providers: { local: { baseUrl: `http://127.0.0.1:${shim.address().port}/v1`, maxOutputTokens: 200 } } },
  });
  try {
    // The only tool that this token may use is the only one that the model is told of.
    const {
      value: { token },
    } = await server.api("/api/tokens/attenuate", { method: "POST", body: { tools: ["read-file"] } });
    const {
      value: { id },
    } = await server.api("/api/code/chats", { method: "POST", body: { title: "Reading" } });
    const transport = new DefaultChatTransport({
      api: `${server.origin}/api/ai/chat`,
      headers: { authorization: `Bearer ${token}` },
      body: { model: "local/smollm2" },
    });
    const text = "Read the whole file notes.txt";
    const stream = await transport.sendMessages({
      chatId: id,
      messages: [{ id: "mine", role: "user", parts: [{ type: "text", text }] }],
      trigger: "submit-message",
      abortSignal: undefined,
    });
    const began = Date.now();
    let call, said;
    for await (const message of readUIMessageStream({ stream, onError: () => {} })) {
      said = message;
      call = message.parts.find((part) => part.type === "tool-read-file" && part.state.startsWith("output-"));
      if (call) break;
    }
    assert.ok(call, `no call: ${JSON.stringify(said)}`);
    assert.equal(typeof call.input.path, "string");
    // What it named may not be there; then it is told so, as any model is.
    if (call.state === "output-available") assert.match(JSON.stringify(call.output), /buy milk/);
    else assert.match(call.errorText, /^[A-Z_]+: /);
    console.log(
      `  read-file ${JSON.stringify(call.input)}: ${call.state} ${call.errorText ?? ""} after ${((Date.now() - began) / 1000).toFixed(1)} s`,
    );
    assert.equal((await server.api(`/api/code/chats/${id}/abort`, { method: "POST", body: {} })).status, 200);
  } finally {
    await server.stop();
    shim.close();
    rmSync(project, { recursive: true, force: true });
  }
});
