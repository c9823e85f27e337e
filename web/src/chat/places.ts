/** A place in a file of the code project. */
export interface Place {
  path: string;
  line?: number;
}

/** `src/a.rs`, `a.rs:12`, `src/a.rs:12-20`, `src/a.rs:12:3`, `src/a.rs#L12`. */
const NAME = String.raw`[\w@+~-][\w@+.~-]*`;
const PATH = String.raw`(?:\./)?(?:(?:\.?${NAME})/)*\.?${NAME}`;
const LINE = String.raw`(?::(\d+)(?:[-:]\d+)?|#L(\d+)(?:-L?\d+)?)`;
const WHOLE = new RegExp(`^(${PATH})${LINE}?$`);
/** Among words only what cannot be anything else: a path with a folder and an ending, or a name with a line. */
const AMONG = new RegExp(String.raw`(?<![\w/:.@-])((?:${NAME}/)+${NAME}\.\w{1,8}|${NAME}\.[a-z]\w{0,7}(?=:\d|#L\d))${LINE}?(?![\w/])`, "g");

const ENDING = /\.[A-Za-z]\w{0,7}$/;

const place = (path: string, line: string | undefined): Place => {
  const plain = path.replace(/^\.\//, "");
  return line === undefined ? { path: plain } : { path: plain, line: Number(line) };
};

/** The place that a name is, if it can be one: it has a folder, an ending or a line. */
export function placeOf(text: string): Place | null {
  const found = WHOLE.exec(text);
  if (!found?.[1] || text.length > 300) return null;
  const line = found[2] ?? found[3];
  const path = found[1];
  const isFile = ENDING.test(path) && !/^\d/.test(path.slice(path.lastIndexOf(".") + 1));
  return isFile || (path.includes("/") && line !== undefined) ? place(path, line) : null;
}

/** Words as they are, and the places among them. */
export function inWords(text: string): (string | { words: string; place: Place })[] {
  const parts: (string | { words: string; place: Place })[] = [];
  let at = 0;
  for (const found of text.matchAll(AMONG)) {
    const [words, path = ""] = found;
    if (found.index > at) parts.push(text.slice(at, found.index));
    parts.push({ words, place: place(path, found[2] ?? found[3]) });
    at = found.index + words.length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** An address that may be opened outside: nothing that runs, and nothing of this server's. */
export function safeAddress(href: string): string | null {
  if (href.length > 4096 || !/^(https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    return new URL(href).href;
  } catch {
    return null;
  }
}
