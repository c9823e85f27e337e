// Boards that somebody drew: files, and whole folders of them, opened by the editor as a person opens them.
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

const BOARD = /\.excalidraw(\.json|\.svg|\.png)?$/;
const TYPES = { ".png": "image/png", ".svg": "image/svg+xml" };
/** A larger picture is compared smaller: ours have at most 8000 pixels a side, and two such take minutes to compare. */
const SIDE = 3000;

/** The boards in a folder and those below it. */
export function boardsIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => BOARD.test(name));
  return names.sort().map((name) => given(join(folder, name), name));
}

/** A file as it is, whatever it is. */
export function given(path, name = basename(path)) {
  const bytes = readFileSync(path);
  const type = TYPES[extname(path)] ?? "application/json";
  return { name, bytes, ending: extname(path), file: `data:${type};base64,${bytes.toString("base64")}` };
}

/** How large a board of this size is drawn, of four digits so that both sides are told the same. */
export function scaleFor({ width, height }) {
  const fits = SIDE / Math.max(width, height);
  return fits >= 1 ? undefined : Number(fits.toPrecision(4));
}
