// The browser's side of `cargo xtask bench studio`: measures one part, and writes it as JSON to the standard output.
// GLADE_BIN names the server, CHROMIUM the browser, PART what to measure, ROUNDS how often each turn is repeated.
import { join } from "node:path";
import { servePage } from "../compare/editor.mjs";
import { GladeServer } from "../support/server.mjs";
import { measureFrames } from "./frames.mjs";
import { measureKeys } from "./keys.mjs";
import { measureLoad } from "./load.mjs";
import { launch } from "./opening.mjs";

const PARTS = { load: measureLoad, frames: measureFrames, keys: measureKeys };
/** Words a second of each fairy: as fast as a quick model writes. */
const PACE = 20;

const measure = PARTS[process.env.PART];
if (!measure) throw new Error(`PART must be one of ${Object.keys(PARTS).join(", ")}`);

const server = await GladeServer.start({ pace: PACE });
const plain = await servePage(join(import.meta.dirname, "plain/vite.config.mjs"));
const browser = await launch();
try {
  const measured = await measure({ server, plain, browser, rounds: Number(process.env.ROUNDS ?? 3) });
  process.stdout.write(`${JSON.stringify(measured)}\n`);
} finally {
  await browser.close();
  plain.close();
  await server.stop();
}
