// The fonts that pictures are compared in: those in tests/fonts and no others, whatever the machine has.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FONTS = resolve(import.meta.dirname, "../fonts");

/** Has every program that is started from here on see only these. Answers how to clear up. */
export function onlyOwnFonts() {
  const folder = mkdtempSync(join(tmpdir(), "glade-fonts-"));
  const alias = (family, font) => `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  const aliases = [
    ...["Arial", "Helvetica", "sans-serif", "serif"].map((family) => alias(family, "Liberation Sans")),
    alias("monospace", "DejaVu Sans Mono"),
    alias("emoji", "Noto Color Emoji"),
  ];
  // As most systems draw letters; a fontconfig that says nothing bends them to the pixels.
  const set = Object.entries({
    antialias: ["bool", "true"],
    hinting: ["bool", "true"],
    hintstyle: ["const", "hintslight"],
    lcdfilter: ["const", "lcddefault"],
  });
  const edits = set.map(([name, [type, value]]) => `<edit name="${name}" mode="assign"><${type}>${value}</${type}></edit>`).join("");
  const file = join(folder, "fonts.conf");
  const parts = [
    `<dir>${FONTS}</dir>`,
    `<cachedir>${join(folder, "cache")}</cachedir>`,
    `<match target="pattern">${edits}</match>`,
    ...aliases,
  ];
  writeFileSync(file, `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>${parts.join("\n")}</fontconfig>\n`);
  process.env.FONTCONFIG_FILE = file;
  return () => rmSync(folder, { recursive: true, force: true });
}
