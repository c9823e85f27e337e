// Records how wide the browser sets strings in every font, as crates/glade-canvas/tests/it/fixtures/widths.json:
//   node tests/compare/widths.mjs > ../crates/glade-canvas/tests/it/fixtures/widths.json
// The machine's own fonts when it was recorded: DejaVu and Liberation (Debian's fonts-dejavu, fonts-liberation).
// With Noto's font of emoji beside them (fonts-noto-color-emoji) emoji are recorded by themselves:
//   node tests/compare/widths.mjs --emoji > ../crates/glade-canvas/tests/it/fixtures/emoji_widths.json
import { parseArgs } from "node:util";
import { openEditor } from "./editor.mjs";
import { KINDS } from "./emoji.mjs";
import { FONTS, STRINGS } from "./writing.mjs";

const SIZES = [16, 20, 36];

const { values } = parseArgs({ options: { emoji: { type: "boolean" } } });
const strings = Object.entries(values.emoji ? KINDS : STRINGS);

const editor = await openEditor();
try {
  const wanted = Object.values(FONTS).flatMap((font) => strings.flatMap(([script, text]) => SIZES.map((size) => ({ font, size, script, text }))));
  const measured = await editor.page.evaluate((list) => window.glade.widths(list), wanted);
  process.stdout.write(`[\n${measured.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
} finally {
  await editor.close();
}
