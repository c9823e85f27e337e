import type { LoroDoc, LoroEventBatch, LoroMap, LoroText } from "loro-crdt";
import { Fragment, type Mark, type Node } from "prosemirror-model";
import rules from "../../../crates/glade-doc/src/element-rules.json";
import { fitsBlock, isReserved, type Fault } from "../canvas/elementRules";
import type { SetAside } from "../canvas/SceneShadow";
import { splicesBetween } from "./splices";
import type { Parts } from "./tableParts";
import { ATTRIBUTES, PENDING, ROOT, TEXT, schema, WORDY } from "./schema";

/** Words with one style. */
export interface Piece {
  insert: string;
  attributes?: Record<string, unknown>;
}

/** A block as stored. */
export interface Block {
  id: string;
  props: Record<string, unknown>;
  pieces: Piece[];
  /** Why it is not shown, if it is not. */
  fault?: Fault;
}

/** Whether words typed at the end of a mark wear it too. */
export const STYLES = Object.fromEntries(
  Object.keys(schema.marks).map((name) => [
    name,
    { expand: ["bold", "italic", "underline", "strike", "highlight"].includes(name) ? "after" : "none" } as const,
  ]),
);

export function prepare(doc: LoroDoc): void {
  doc.configTextStyle(STYLES);
}

export function blockMap(doc: LoroDoc, id: string): LoroMap {
  return doc.getMap(ROOT).ensureMergeableMap(id);
}

export function blockText(doc: LoroDoc, id: string): LoroText {
  return blockMap(doc, id).ensureMergeableText(TEXT);
}

/** A block's words if it has any; looking makes nothing. */
export function findText(doc: LoroDoc, id: string): LoroText | undefined {
  const map = doc.getMap(ROOT).get(id);
  const text = isContainer<LoroMap>(map, "Map") ? map.get(TEXT) : undefined;
  return isContainer<LoroText>(text, "Text") ? text : undefined;
}

export function readBlock(doc: LoroDoc, id: string): Block | undefined {
  const map = doc.getMap(ROOT).get(id);
  if (!isContainer<LoroMap>(map, "Map")) return undefined;
  const props: Record<string, unknown> = {};
  let pieces: Piece[] = [];
  let fault: Fault | undefined = isReserved(id) ? { property: "id", kind: "name" } : undefined;
  for (const key of map.keys()) {
    const value = map.get(key);
    if (isReserved(key)) {
      fault ??= { property: key, kind: "name" };
      continue;
    }
    if (key === TEXT && isContainer<LoroText>(value, "Text")) pieces = value.toDelta() as Piece[];
    else props[key] = value;
  }
  fault ??= hasTooManyLines(props, pieces) || hasTooManyMarks(pieces) ? { property: TEXT, kind: "large" } : undefined;
  return { id, props, pieces, ...(fault ? { fault } : {}) };
}

/** Each line break among words is a node of the editor; in code it is a character. */
function hasTooManyLines({ nodeName }: Record<string, unknown>, pieces: readonly Piece[]): boolean {
  if (nodeName === "codeBlock" || nodeName === "formula") return false;
  const breaks = pieces.reduce((count, { insert }) => count + insert.split("\n").length - 1, 0);
  return breaks > rules.lineBreaks;
}

/** Each stretch of words that wears something is a node of the editor too. */
function hasTooManyMarks(pieces: readonly Piece[]): boolean {
  const { marks } = rules.page.block;
  return pieces.length > marks && pieces.filter(({ attributes }) => attributes).length > marks;
}

export function readAll(doc: LoroDoc): Map<string, Block> {
  const all = new Map<string, Block>();
  for (const id of doc.getMap(ROOT).keys()) {
    const block = readBlock(doc, id);
    if (block) all.set(id, block);
  }
  return all;
}

/** Which blocks a batch of events is about. */
export function blocksIn(batch: LoroEventBatch): Set<string> {
  const ids = new Set<string>();
  for (const { path, diff } of batch.events) {
    if (path[0] !== ROOT) continue;
    if (typeof path[1] === "string") ids.add(path[1]);
    else if (diff.type === "map") Object.keys(diff.updated).forEach((key) => ids.add(key));
  }
  return ids;
}

const keyOf = (block: Block) => (typeof block.props.index === "string" ? block.props.index : "~");
const isThere = (block: Block) => block.props.isDeleted !== true && typeof block.props.nodeName === "string";
export const isLive = (block: Block) => isThere(block) && !block.fault;

/** The blocks of a page that are not shown, in the order of their ids. */
export function setAside(all: Iterable<Block>, beyond: ReadonlyMap<string, Block>): SetAside[] {
  const aside: SetAside[] = [];
  for (const block of all) {
    const fault = block.fault ?? (beyond.has(block.id) ? ({ property: "parent", kind: "table" } as const) : undefined);
    if (fault && isThere(block)) aside.push({ id: block.id, type: String(block.props.nodeName), fault });
  }
  return aside.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function compareBlocks(a: Block, b: Block): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The blocks on the page itself, in order. */
export function topLevel(all: Iterable<Block>): Block[] {
  return [...all]
    .filter((block) => isLive(block) && block.props.parent == null && Object.hasOwn(ATTRIBUTES, String(block.props.nodeName)))
    .sort(compareBlocks);
}

/** The editor's node for a block; of a table with everything in it. */
export function nodeOf(block: Block, parts: (table: string) => Parts, find: (id: string) => Block | undefined): Node | null {
  const kind = String(block.props.nodeName);
  const type = schema.nodes[kind];
  if (!type) return null;
  const attrs: Record<string, unknown> = { id: block.id };
  for (const [name, fallback] of Object.entries(ATTRIBUTES[kind] ?? {})) {
    const value = block.props[name];
    const fits = fallback === null ? typeof value === "string" || typeof value === "number" : typeof value === typeof fallback;
    attrs[name] = fits && fitsBlock(name, value) ? value : fallback;
  }
  if (kind === "table") {
    const { columns: found, rows } = parts(block.id);
    const columns = found.map(({ id }) => id);
    const sides = found.map(({ props: { align } }) => (["left", "center", "right"].includes(String(align)) ? align : null));
    if (columns.length === 0 || rows.length === 0) return null;
    const cell = (row: string, column: string, at: number) =>
      schema.nodes.tableCell!.create({ align: sides[at] }, words(find(`${row}.${column}`)?.pieces ?? [], true));
    const made = rows.map(({ id }) =>
      schema.nodes.tableRow!.create(
        { id },
        columns.map((column, at) => cell(id, column, at)),
      ),
    );
    return type.create({ ...attrs, columns }, made);
  }
  if (!(WORDY as readonly string[]).includes(kind)) return type.create(attrs);
  return type.create(attrs, words(block.pieces, !type.spec.code));
}

function words(pieces: readonly Piece[], breaks: boolean): Fragment {
  const nodes: Node[] = [];
  for (const { insert, attributes = {} } of pieces) {
    const code = attributes.code != null && attributes.code !== false;
    const marks: Mark[] = [];
    for (const [name, value] of Object.entries(attributes)) {
      const type = schema.marks[name];
      const nested = typeof value === "object" && name !== "link" && name !== "mention";
      const fits = value != null && value !== false && !nested && !(code && name === "link") && (breaks || name === PENDING);
      if (type && fits) marks.push(type.create(type.spec.attrs ? { value } : null));
    }
    const sorted = marks.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []);
    const lines = breaks ? insert.split("\n") : [insert];
    lines.forEach((line, at) => {
      if (at > 0) nodes.push(schema.nodes.hardBreak!.create(null, null, sorted));
      if (line) nodes.push(schema.text(line, sorted));
    });
  }
  return Fragment.fromArray(nodes.reduce<Node[]>(join, []));
}

function join(nodes: Node[], next: Node): Node[] {
  const last = nodes.at(-1);
  if (last?.isText && next.isText && last.sameMarkup(next)) {
    nodes[nodes.length - 1] = schema.text(`${last.text}${next.text}`, last.marks);
  } else {
    nodes.push(next);
  }
  return nodes;
}

/** The words of a node as a string, a line break being one character. */
export function plainText(node: Node): string {
  let text = "";
  node.content.forEach((child) => (text += child.isText ? child.text : "\n"));
  return text;
}

/** Writes what differs between two versions of a block's words, and only that. */
export function writeWords(text: LoroText, before: string, node: Node, caret: number | null): void {
  // From the last place to the first: what is written moves none that is yet to be.
  for (const { at, remove, insert } of splicesBetween(before, plainText(node), caret).reverse()) {
    if (remove > 0) text.delete(at, remove);
    if (insert) text.insert(at, insert);
  }
  writeMarks(text, node);
}

function writeMarks(text: LoroText, node: Node): void {
  const wanted = new Map<string, (unknown | undefined)[]>();
  let length = 0;
  node.content.forEach((child) => {
    for (const mark of child.marks) {
      if (mark.type.name === PENDING) continue;
      const values = wanted.get(mark.type.name) ?? [];
      wanted.set(mark.type.name, values);
      for (let at = length; at < length + child.nodeSize; at++) values[at] = mark.attrs.value ?? true;
    }
    length += child.nodeSize;
  });
  const worn = new Map<string, (unknown | undefined)[]>();
  let at = 0;
  for (const { insert, attributes = {} } of text.toDelta() as Piece[]) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name === PENDING || value == null) continue;
      const values = worn.get(name) ?? [];
      worn.set(name, values);
      for (let unit = at; unit < at + insert.length; unit++) values[unit] = value;
    }
    at += insert.length;
  }
  for (const name of new Set([...wanted.keys(), ...worn.keys()])) {
    const [then, now] = [wanted.get(name) ?? [], worn.get(name) ?? []];
    for (let from = 0; from < length; ) {
      if (same(then[from], now[from])) {
        from++;
        continue;
      }
      let to = from + 1;
      while (to < length && same(then[to], then[from]) && !same(then[to], now[to])) to++;
      if (then[from] === undefined) text.unmark({ start: from, end: to }, name);
      else text.mark({ start: from, end: to }, name, then[from] as never);
      from = to;
    }
  }
}

export const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function isContainer<T>(value: unknown, kind: string): value is T {
  return typeof value === "object" && value !== null && "kind" in value && (value as { kind(): string }).kind() === kind;
}
