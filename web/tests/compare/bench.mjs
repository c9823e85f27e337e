// The editor's side of `cargo xtask bench render`: for each line {file, kind, width, height} on the standard input
// draws that file and answers {ms, bytes} on a line of the standard output.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { openEditor } from "./editor.mjs";

const editor = await openEditor();
try {
  process.stdout.write("ready\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const { file, kind, width, height } = JSON.parse(line);
    const answer = await editor.page.evaluate(([text, ...rest]) => window.glade.timed(text, ...rest), [readFileSync(file, "utf8"), kind, width, height]);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
} finally {
  await editor.close();
}
