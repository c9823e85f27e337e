// Draws scenes with the pinned editor and with ours and says how alike they are: `cargo xtask compare`.
//
//   node tests/compare/run.mjs [--quick] [--seeds N] [--only WORDS] [--out FOLDER] [--boards FOLDER] [FILES…]
//
// Files given, and those of a folder of boards, are compared as they are; otherwise the scenes of catalogue.mjs are.
// Writes FOLDER/index.html with every pair and where they differ. Fails when a picture is under 0.9, when the mean is
// under 0.97, when sizes differ, when a file that the editor opens is not drawn, or when a blank or a shifted picture
// passes.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { catalogue, QUICK } from "./catalogue.mjs";
import { openEditor } from "./editor.mjs";
import { boardsIn, given, scaleFor } from "./given.mjs";
import { imageFiles } from "./images.mjs";
import { onlyOwnFonts } from "../support/fonts.mjs";
import { report } from "./report.mjs";

const BIN = process.env.GLADE_BIN ?? resolve(import.meta.dirname, "../../../target/debug/glade");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean" }, seeds: { type: "string", default: "40" }, only: { type: "string" }, out: { type: "string", default: "test-results/compare" }, dark: { type: "boolean" }, boards: { type: "string" } },
});
const LEAST = 0.9;
const MEAN = 0.97;
/** Seconds for one picture that are worth a word. */
const SLOW = 5;

const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
for (const folder of ["files", "ours", "theirs", "heat"]) mkdirSync(join(out, folder), { recursive: true });

const own = [...positionals.map((path) => given(path)), ...(values.boards ? boardsIn(values.boards) : [])].filter(({ name }) => name.includes(values.only ?? ""));
// A test says the same on every machine; otherwise the machine's own fonts are compared too.
const clearFonts = values.quick ? onlyOwnFonts() : () => {};
const editor = await openEditor();
let failures = [];
try {
  const made = positionals.length === 0 && !values.boards;
  const scenes = made ? await chosen(editor.page) : await opened(editor.page, own);
  const refused = [];
  for (const [at, scene] of scenes.entries()) {
    scene.file ??= await editor.page.evaluate((skeleton) => window.glade.prepare(skeleton), scene);
    scene.slug = `${String(at).padStart(3, "0")}-${scene.name.replaceAll(/[^a-z0-9]+/gi, "-")}`;
    scene.path = join(out, "files", `${scene.slug}${scene.ending ?? ".excalidraw"}`);
    writeFileSync(scene.path, scene.bytes ?? scene.file);
  }
  const drawn = scenes.filter((scene) => {
    const reason = render(scene);
    if (reason) refused.push(`${scene.name}: not drawn: ${reason}`);
    return !reason;
  });
  const rows = [];
  for (const scene of drawn) {
    const ours = `data:image/png;base64,${readFileSync(join(out, "ours", `${scene.slug}.png`)).toString("base64")}`;
    const judged = await editor.page.evaluate(([file, url, how]) => window.glade.judge(file, url, how), [scene.file, ours, { dark: Boolean(scene.dark), scale: scene.scale, part: scene.part }]).catch((error) => {
      if (made) throw error;
      console.log(`${scene.name}: the editor does not draw it: ${error.message}`);
    });
    if (!judged) continue;
    const { theirs, heat, ...figures } = judged;
    for (const [folder, url] of Object.entries({ theirs, heat })) writeFileSync(join(out, folder, `${scene.slug}.png`), Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
    rows.push({ name: scene.name, slug: scene.slug, ...figures });
  }
  failures = [...refused, ...verdict(rows)];
  if (made) failures.push(...(await controls(editor.page, scenes[0].file)));
  writeFileSync(join(out, "index.html"), report(rows, failures));
} finally {
  await editor.close();
  clearFonts();
}
console.log(`The report: ${join(out, "index.html")}`);
if (failures.length > 0) {
  console.error(failures.map((failure) => `FAIL ${failure}`).join("\n"));
  process.exitCode = 1;
}

/** What the editor opens of the files given: the rest is nobody's to draw. */
async function opened(page, files) {
  const scenes = [];
  for (const file of files) {
    const size = await page.evaluate((url) => window.glade.size(url), file.file);
    if (size) scenes.push({ ...file, dark: values.dark, scale: scaleFor(size) });
    else console.log(`${file.name}: the editor does not open it, or there is nothing in it`);
  }
  return scenes;
}

/** Draws a scene with ours, and says why not where it was not. */
function render(scene) {
  const picture = join(out, "ours", `${scene.slug}.png`);
  const started = performance.now();
  const { status, error, stderr } = spawnSync(BIN, ["render", scene.path, "--out", picture, ...flagsOf(scene)], { encoding: "utf8", timeout: 60_000 });
  const seconds = (performance.now() - started) / 1000;
  if (seconds > SLOW) console.log(`${scene.name}: took ${seconds.toFixed(1)} s`);
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** How `glade render` is told to draw a scene. */
function flagsOf({ dark, scale, part }) {
  const flags = dark ? ["--dark"] : [];
  if (scale) flags.push(`--scale=${scale}`);
  if (part) flags.push(`--bounds=${part.bounds.join(",")}`);
  return flags;
}

async function chosen(page) {
  const all = catalogue(await imageFiles(page), Number(values.seeds));
  if (values.only) return all.filter((scene) => scene.name.includes(values.only));
  if (!values.quick) return all;
  const quick = all.filter((scene) => QUICK.has(scene.name));
  if (quick.length !== QUICK.size) throw new Error(`the catalogue lacks ${[...QUICK].filter((name) => !quick.some((scene) => scene.name === name))}`);
  return quick;
}

function verdict(rows) {
  const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
  for (const row of [...rows].sort((a, b) => a.f1 - b.f1)) {
    console.log(`F1 ${row.f1.toFixed(4)}  precision ${row.precision.toFixed(4)}  recall ${row.recall.toFixed(4)}  SSIM ${row.ssim.toFixed(4)}  ${row.off.some(Boolean) ? `size off by ${row.off}  ` : ""}${row.name}`);
  }
  console.log(`${rows.length} scenes: mean F1 ${mean("f1").toFixed(4)}, least ${Math.min(...rows.map((row) => row.f1)).toFixed(4)}, mean SSIM ${mean("ssim").toFixed(4)}`);
  const found = rows.filter((row) => row.f1 < LEAST).map((row) => `${row.name}: F1 ${row.f1.toFixed(3)} is under ${LEAST}`);
  found.push(...rows.filter((row) => row.off.some((by) => Math.abs(by) > 1)).map((row) => `${row.name}: the picture's size is off by ${row.off}`));
  if (mean("f1") < MEAN) found.push(`the mean F1 ${mean("f1").toFixed(4)} is under ${MEAN}`);
  return found;
}

/** A measure that a wrong picture passes measures nothing. */
async function controls(page, file) {
  const { same, blank, shifted } = await page.evaluate((given) => window.glade.controls(given), file);
  console.log(`controls: the same ${same.f1.toFixed(3)}, blank ${blank.f1.toFixed(3)}, moved by 4 px ${shifted.f1.toFixed(3)}`);
  const wrong = [];
  if (same.f1 !== 1 || same.ssim < 0.9999) wrong.push("a picture is not like itself");
  if (blank.f1 >= LEAST) wrong.push("a blank picture passes");
  if (shifted.f1 >= LEAST) wrong.push("a shifted picture passes");
  return wrong;
}
