// Reads a file of JSON in pieces, with one npm reader: parse.mjs READER FILE PIECE SECONDS. Prints {seconds, bytes}:
// how far it came, at most to the end, at most for so long. After every piece the value so far is at hand, as a fairy needs it.
import { readFileSync } from "node:fs";

const [reader, file, piece, limit] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const size = Number(piece);
const end = Number(limit) * 1e9;
const clock = () => Number(process.hrtime.bigint());

/** Those that are given the whole text so far, again and again. */
async function again(parse) {
  const began = clock();
  for (let at = size; ; at += size) {
    await parse(text.slice(0, at));
    const spent = clock() - began;
    if (at >= text.length || spent > end) return { seconds: spent / 1e9, bytes: Math.min(at, text.length) };
  }
}

async function jsonriver() {
  const { parse } = await import("jsonriver");
  let at = 0;
  const began = clock();
  async function* pieces() {
    while (at < text.length && clock() - began <= end) {
      yield text.slice(at, at + size);
      at += size;
    }
  }
  try {
    for await (const _value of parse(pieces()));
  } catch (error) {
    if (at >= text.length) throw error; // cut short by the clock: it rightly says that more was to come
  }
  return { seconds: (clock() - began) / 1e9, bytes: Math.min(at, text.length) };
}

const readers = {
  jsonriver,
  "partial-json": async () => {
    const { parse, Allow } = await import("partial-json");
    return again((part) => parse(part, Allow.ALL));
  },
  ai: async () => {
    const { parsePartialJson } = await import("ai");
    return again((part) => parsePartialJson(part));
  },
};
console.log(JSON.stringify(await readers[reader]()));
