// Asks the pinned editor: bundles an oracle with the packages in web/node_modules, opens it in a headless Chromium with
// Excalifont loaded, and writes what it answers. `node run.mjs NAME OUT [SEED]`, e.g. `node run.mjs bounds ../it/fixtures/bounds.json`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const web = resolve(here, "../../../../web");
const require = createRequire(join(web, "package.json"));
const { rolldown } = require("rolldown");
const { chromium } = require("playwright-core");

const NO_WORKERS = { "import.meta.url": '"http://oracle.test/"' };

// Loaded late by the editor, and never by us.
const NO_MERMAID = {
  name: "no-mermaid",
  resolveId: (id) => (id.includes("mermaid-to-excalidraw") ? "\0mermaid" : null),
  load: (id) => (id === "\0mermaid" ? "export const parseMermaidToExcalidraw = undefined; export default {};" : null),
};

/** One of the programs here with the editor's packages, as a script for a browser. */
export async function bundled(name) {
  const bundle = await rolldown({
    input: join(here, `${name}.mjs`),
    platform: "browser",
    resolve: { modules: [join(web, "node_modules")], conditionNames: ["production", "import", "module", "browser", "default"] },
    transform: { define: { "import.meta.env": JSON.stringify({ PROD: true, MODE: "production", DEV: false }), "process.env.NODE_ENV": '"production"', ...NO_WORKERS } },
    moduleTypes: { ".css": "empty" },
    plugins: [NO_MERMAID],
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false });
  return output.find((piece) => piece.type === "chunk").code;
}

export const browser = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function ask(name, out, seed) {
  const fonts = resolve(here, "../../fonts/excalifont");
  const faces = readdirSync(fonts)
    .filter((file) => file.endsWith(".woff2"))
    .map((file) => `@font-face { font-family: Excalifont; src: url(data:font/woff2;base64,${readFileSync(join(fonts, file)).toString("base64")}); }`);
  const script = await bundled(name);
  const chrome = await browser();
  const page = await chrome.newPage();
  page.on("pageerror", (error) => console.error(String(error)));
  await page.setContent(`<style>${faces.join("\n")}</style><body></body>`);
  await page.evaluate(() => document.fonts.load("20px Excalifont", "aé"));
  await page.evaluate((seed) => (globalThis.SEED = seed), seed);
  await page.addScriptTag({ content: script });
  const answer = await page.evaluate(() => globalThis.ANSWER);
  await chrome.close();
  writeFileSync(out, `${JSON.stringify(answer)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, out, seed = "12345"] = process.argv.slice(2);
  if (!name || !out) throw new Error("say which oracle to ask and where to put its answer: node run.mjs NAME OUT [SEED]");
  await ask(name, out, Number(seed));
}
