// A real language model, small and clumsy, draws on a page through the whole server: what it draws is its own.
import { test } from "node:test";
import assert from "node:assert/strict";
import { GladeServer, until } from "../support/server.mjs";

const address = process.env.GLADE_REAL_MODEL;
const settings = { actions: ["create"], maxOutputTokens: 200 };
const wires = [
  // Held to the schema by the request (response_format).
  ["OpenAI Chat", "local/smollm2", { local: { baseUrl: `${address}/v1`, ...settings } }],
  // Held to it by the server, whose Anthropic wire takes no schema.
  ["Anthropic Messages", "llama/smollm2", { llama: { kind: "anthropic", baseUrl: address, ...settings } }],
];
const MINUTES = 10;

for (const [wire, model, providers] of wires) {
  test(`SmolLM2 draws a shape over ${wire}`, { timeout: MINUTES * 60_000 }, async () => {
    const server = await GladeServer.start({ model, models: { providers } });
    try {
      const {
        pages: [page],
        fairies: [fairy],
      } = await server.workspace();
      const input = {
        message: 'Create a rectangle with the shapeId "box", x 100, y 100, w 200, h 80 and the text Hello.',
        page: page.id,
        parts: [],
      };
      const began = Date.now();
      const { status } = await server.api(`/api/fairies/${fairy.id}/interrupt`, { method: "POST", body: { input } });
      assert.equal(status, 202);
      const run = await until(
        async () => {
          const run = (await server.workspace()).runs.at(-1);
          return run && run.status !== "running" && run;
        },
        "the run has ended",
        MINUTES * 60_000,
      );
      const seconds = (Date.now() - began) / 1000;
      assert.equal(run.status, "pending", run.error);
      const elements = await server.elements(page.id);
      const drawn = run.elements.map((id) => elements[id]).filter((element) => element && !element.isDeleted);
      assert.ok(drawn.length > 0, "nothing of it is on the page");
      assert.deepEqual(
        run.steps.map((step) => step.model),
        run.steps.map(() => model),
      );
      assert.ok(run.cost.inputTokens > 100 && run.cost.outputTokens > 10, JSON.stringify(run.cost));
      const { value: why } = await server.api(`/api/pages/${page.id}/why?element=${run.elements[0]}`);
      assert.equal(why.runs[0].run.id, run.id);
      const texts = drawn.map((element) => element.originalText).filter(Boolean);
      console.log(
        `  ${wire}: ${drawn.length} elements (${drawn.map((element) => element.type).join(", ")}; ${JSON.stringify(texts)}), ` +
          `${run.steps.length} steps, ${run.cost.inputTokens} tokens in, ${run.cost.outputTokens} out, ${seconds.toFixed(1)} s`,
      );
    } finally {
      await server.stop();
    }
  });
}
