// Asks the pinned editor: bundles an oracle with the packages in web/node_modules, opens it in a headless Chromium with
// Excalifont loaded, and writes what it answers. `node run.mjs NAME OUT [SEED]`, e.g. `node run.mjs bounds ../it/fixtures/bounds.json`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const web = resolve(here, "../../../../web");
const require = createRequire(join(web, "package.json"));
const { rolldown } = require("rolldown");
const { chromium } = require("playwright-core");

const [name, out, seed = "12345"] = process.argv.slice(2);
if (!name || !out) throw new Error("say which oracle to ask and where to put its answer: node run.mjs NAME OUT [SEED]");

const bundle = await rolldown({
  input: join(here, `${name}.mjs`),
  platform: "browser",
  resolve: { modules: [join(web, "node_modules")], conditionNames: ["production", "import", "module", "browser", "default"] },
  transform: { define: { "import.meta.env": JSON.stringify({ PROD: true, MODE: "production", DEV: false }), "process.env.NODE_ENV": '"production"' } },
  logLevel: "silent",
});
const { output } = await bundle.generate({ format: "iife", codeSplitting: false });
const script = output.find((piece) => piece.type === "chunk").code;

const fonts = resolve(here, "../../fonts/excalifont");
const faces = readdirSync(fonts)
  .filter((file) => file.endsWith(".woff2"))
  .map((file) => `@font-face { font-family: Excalifont; src: url(data:font/woff2;base64,${readFileSync(join(fonts, file)).toString("base64")}); }`);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(String(error)));
await page.setContent(`<style>${faces.join("\n")}</style><body></body>`);
await page.evaluate(() => document.fonts.load("20px Excalifont", "aé"));
await page.evaluate((seed) => (globalThis.SEED = seed), Number(seed));
await page.addScriptTag({ content: script });
const answer = await page.evaluate(() => globalThis.ANSWER);
await browser.close();
writeFileSync(out, `${JSON.stringify(answer)}\n`);
