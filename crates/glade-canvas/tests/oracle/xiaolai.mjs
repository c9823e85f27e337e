// Makes fonts/xiaolai/parts.txt: which part of Xiaolai holds which characters, as the editor's package says.
// Run: node xiaolai.mjs WEB_FOLDER/node_modules > ../../fonts/xiaolai/parts.txt
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(process.argv[2], "@excalidraw/excalidraw/dist/dev");
const faces = /(Xiaolai_Regular_[0-9a-f]{32})_default\s*,\s*descriptors:\s*\{\s*unicodeRange:\s*"([^"]*)"/g;
const lines = [];
for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
  for (const [, face, ranges] of readFileSync(join(folder, name), "utf8").matchAll(faces)) {
    lines.push(`${face.replaceAll("_", "-")} ${ranges.toLowerCase().replaceAll("u+", "").replaceAll(" ", "")}`);
  }
}
process.stdout.write(`${lines.join("\n")}\n`);
