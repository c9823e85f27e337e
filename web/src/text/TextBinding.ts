import type { LoroDoc, LoroEventBatch } from "loro-crdt";
import type { Node } from "prosemirror-model";
import { Plugin, type EditorState, type Transaction } from "prosemirror-state";
import {
  blockMap,
  blocksIn,
  blockText,
  isLive,
  nodeOf,
  plainText,
  prepare,
  readAll,
  readBlock,
  same,
  setAside,
  topLevel,
  writeWords,
  type Block,
} from "./blocksDoc";
import type { SetAside } from "../canvas/SceneShadow";
import { keyBetween, outOfOrder } from "./order";
import { keepCaret, typingIn, type Typing } from "./ownCaret";
import { ATTRIBUTES, blockId, schema } from "./schema";
import { isTableSize, tableParts } from "./tableParts";
import { GROUND, KEPT } from "./undoing";

/** What the binding needs of an editor: a view, or a state in a test. */
export interface Editor {
  readonly state: EditorState;
  /** Takes over what the browser has done and not yet told. A state in a test has no browser. */
  takeOver?(): void;
  /** Shows a transaction without writing it back. */
  show(transaction: Transaction): void;
}

/** A register's new value. */
interface Register {
  id: string;
  name: string;
  value: unknown;
  /** What undo takes it back to, if it was never written. */
  ground?: unknown;
}

/** A block's new words. */
interface Words {
  id: string;
  before: string;
  node: Node;
  /** Where the person's caret is in it. */
  caret: number | null;
}

const REMOTE = "glade:remote";

export const isRemote = (transaction: Transaction): boolean => transaction.getMeta(REMOTE) === true;

/**
 * Ties an editor to the page's document. Only what this person does is written back, as the smallest change of the
 * blocks that it touches; what others do is laid into the editor block by block, so that the caret stays where it is.
 *
 * Law: after every change, by whomever, the editor shows exactly what the document says.
 */
export class TextBinding {
  private blocks = new Map<string, Block>();
  private nodes = new Map<string, Node>();
  /** Columns and rows that no table shows. */
  private beyond: ReadonlyMap<string, Block> = new Map();
  /** What the person's change comes to, until it is written. */
  private registers: Register[] = [];
  private words: Words[] = [];
  private stopListening: () => void = () => {};

  constructor(
    private doc: LoroDoc,
    private readonly editor: Editor,
    /** Told which blocks cannot be shown, whenever the page is shown anew. */
    private readonly onSetAside: (aside: SetAside[]) => void = () => {},
  ) {}

  /** Shows the whole page; also when the document was exchanged for another. */
  attach(doc: LoroDoc): void {
    this.stopListening();
    this.doc = doc;
    prepare(doc);
    this.blocks = readAll(doc);
    this.nodes.clear();
    this.stopListening = doc.subscribe((batch) => this.heard(batch));
    this.showPage();
  }

  detach(): void {
    this.stopListening();
  }

  get document(): LoroDoc {
    return this.doc;
  }

  block(id: string): Block | undefined {
    return this.blocks.get(id);
  }

  /** Deletes blocks that cannot be shown, for everybody. */
  deleteSetAside(ids: readonly string[]): void {
    for (const id of ids.filter((id) => this.blocks.get(id)?.fault || this.beyond.has(id))) {
      blockMap(this.doc, id).set("isDeleted", true);
    }
    this.doc.commit();
    this.refresh(ids);
    this.showPage();
  }

  private heard(batch: LoroEventBatch): void {
    // Our own edits are on the screen already, except those that undo made.
    if (batch.by === "local" && batch.origin !== "undo" && batch.origin !== KEPT) return;
    this.refresh(blocksIn(batch));
    this.showPage(batch.by === "import" ? typingIn(batch) : null);
  }

  private refresh(ids: Iterable<string>): void {
    for (const id of ids) {
      const block = readBlock(this.doc, id);
      if (block) this.blocks.set(id, block);
      this.nodes.delete(id);
      // What a table shows is in its rows and cells. Blocks that lie in each other end at the first that comes again.
      const seen = new Set<string>();
      for (let up = block; up && !seen.has(up.id); ) {
        seen.add(up.id);
        const parent: unknown = up.props.parent ?? (up.id.includes(".") ? up.id.split(".")[0] : null);
        up = typeof parent === "string" ? this.blocks.get(parent) : undefined;
        if (up) this.nodes.delete(up.id);
      }
    }
  }

  /** The page as the document has it. */
  private pageNodes(): Node[] {
    const shown = topLevel(this.blocks.values());
    const tables = shown.filter(({ props }) => props.nodeName === "table");
    const parts = tableParts(this.blocks.values(), tables);
    this.beyond = parts.beyond;
    const found: Node[] = [];
    for (const block of shown) {
      const known = this.nodes.get(block.id);
      // What a table shows also depends on the tables before it.
      const stale = known?.type.name === "table" && known.childCount !== parts.of(block.id).rows.length;
      const node = known && !stale ? known : nodeOf(block, parts.of, (id) => this.blocks.get(id));
      if (!node) continue;
      this.nodes.set(block.id, node);
      found.push(node);
    }
    return found;
  }

  /** Lays what differs into the editor; of what others did `typing` tells where the caret stays. */
  private showPage(typing: Typing | null = null): void {
    const wanted = this.pageNodes();
    this.editor.takeOver?.();
    const transaction = this.editor.state.tr;
    layInto(transaction, wanted);
    if (typing) keepCaret(transaction, this.editor.state.selection, typing);
    if (transaction.docChanged) {
      transaction.setMeta(REMOTE, true).setMeta("addToHistory", false);
      this.editor.show(transaction);
    }
    this.onSetAside(setAside(this.blocks.values(), this.beyond));
  }

  /** The person changed the page from `before` to `after`. */
  wrote(before: Node, after: Node): void {
    const was = new Map<string, Node>();
    before.forEach((node) => was.set(node.attrs.id, node));
    const touched = new Set<string>();
    const order: string[] = [];
    after.forEach((node) => {
      const id: string = node.attrs.id;
      order.push(id);
      const old = was.get(id);
      was.delete(id);
      if (old === node) return;
      this.writeBlock(node, old, touched);
    });
    for (const id of was.keys()) {
      this.set(id, { isDeleted: true }, touched);
    }
    this.writeOrder(order, touched);
    this.write();
    this.refresh(touched);
    this.showPage();
  }

  /**
   * Undo takes a register back to the value it had, and nothing is ever removed from a page. So what is written for the
   * first time gets a value to go back to before, in a step of its own that undo does not know: a new block is one that
   * was deleted.
   */
  private write(): void {
    for (const { id, name, ground } of this.registers) if (ground !== undefined) blockMap(this.doc, id).set(name, ground as never);
    for (const { id } of this.words) blockText(this.doc, id);
    this.doc.commit({ origin: GROUND });
    for (const { id, name, value, ground } of this.registers) if (ground !== value) blockMap(this.doc, id).set(name, value as never);
    for (const { id, before, node, caret } of this.words) writeWords(blockText(this.doc, id), before, node, caret);
    this.doc.commit();
    this.registers = [];
    this.words = [];
  }

  private writeBlock(node: Node, old: Node | undefined, touched: Set<string>): void {
    const id: string = node.attrs.id;
    const props: Record<string, unknown> = { nodeName: node.type.name, parent: null };
    for (const name of Object.keys(ATTRIBUTES[node.type.name] ?? {})) props[name] = node.attrs[name];
    if (!old) props.isDeleted = false;
    this.set(id, props, touched);
    if (node.type.name === "table") this.writeTable(node, touched);
    else if (node.isTextblock) this.writeText(id, node, touched);
  }

  private writeText(id: string, node: Node, touched: Set<string>): void {
    const before =
      this.blocks
        .get(id)
        ?.pieces.map(({ insert }) => insert)
        .join("") ?? "";
    if (before === "" && node.content.size === 0) return;
    const { $head, empty } = this.editor.state.selection;
    this.words.push({ id, before, node, caret: empty && $head.parent === node ? $head.parentOffset : null });
    touched.add(id);
  }

  private writeTable(table: Node, touched: Set<string>): void {
    const parent: string = table.attrs.id;
    const columns = table.attrs.columns as string[];
    const rows: string[] = [];
    // On which side its words stand is known of a column that is there; a new one may be the copy of another.
    const side = (column: string) => (this.blocks.has(column) ? null : table.firstChild?.child(columns.indexOf(column)).attrs.align);
    const sides = new Map(columns.map((column) => [column, side(column)]));
    const list = (kind: string, ids: readonly string[]) => {
      const known = [...this.blocks.values()].filter((one) => one.props.parent === parent && one.props.nodeName === kind);
      const kept = new Set(ids);
      for (const one of known)
        if (isLive(one) && !this.beyond.has(one.id) && !kept.has(one.id)) this.set(one.id, { isDeleted: true }, touched);
      for (const id of ids) this.set(id, { nodeName: kind, parent, isDeleted: false }, touched);
      this.writeOrder(ids, touched);
    };
    table.forEach((row) => rows.push(row.attrs.id));
    list("tableColumn", columns);
    for (const [column, align] of sides) if (align) this.set(column, { align }, touched);
    list("tableRow", rows);
    table.forEach((row) =>
      row.forEach((cell, _, at) => {
        const id = `${row.attrs.id}.${columns[at]}`;
        if (!this.blocks.has(id) && cell.content.size === 0) return;
        this.set(id, { nodeName: "tableCell", parent: row.attrs.id }, touched);
        this.writeText(id, cell, touched);
      }),
    );
  }

  /** Takes down those registers that differ; what reads as its default need not be there, but for what says that a new block is there. */
  private set(id: string, props: Record<string, unknown>, touched: Set<string>): void {
    const block = this.blocks.get(id) ?? { id, props: {}, pieces: [] };
    const born = block.props.nodeName === undefined;
    for (const [name, value] of Object.entries(props)) {
      const fallback = name === "isDeleted" ? born : name === "parent" ? null : ATTRIBUTES[String(props.nodeName)]?.[name];
      const known = block.props[name];
      if (same(known ?? (name === "nodeName" ? undefined : fallback), value)) continue;
      this.registers.push({
        id,
        name,
        value,
        ...(known === undefined ? { ground: (born && name !== "isDeleted" ? value : fallback) ?? value } : {}),
      });
      touched.add(id);
      block.props = { ...block.props, [name]: value };
      this.blocks.set(id, block);
    }
  }

  private writeOrder(ids: readonly string[], touched: Set<string>): void {
    const key = (id: string) => this.blocks.get(id)?.props.index;
    const known = ids.filter((id) => typeof key(id) === "string");
    const moved = outOfOrder(known.map((id) => String(key(id))));
    const stay = new Set(known.filter((_, at) => !moved.has(at)));
    if (stay.size === ids.length) return;
    let left: string | null = null;
    ids.forEach((id, at) => {
      if (!stay.has(id)) {
        const next = ids.slice(at + 1).find((later) => stay.has(later));
        this.set(id, { index: keyBetween(left, next === undefined ? null : String(key(next))) }, touched);
      }
      left = String(key(id));
    });
  }
}

/** Changes a transaction's document into these blocks, each change as small as it can be. */
export function layInto(transaction: Transaction, wanted: readonly Node[]): void {
  const ids = new Set(wanted.map((node) => node.attrs.id));
  const gone: [number, number][] = [];
  transaction.doc.forEach((node, at) => {
    if (!ids.has(node.attrs.id)) gone.push([at, at + node.nodeSize]);
  });
  for (const [from, to] of gone.reverse()) transaction.delete(from, to);
  let at = 0;
  wanted.forEach((node, index) => {
    const here = index < transaction.doc.childCount ? transaction.doc.child(index) : null;
    if (here?.attrs.id !== node.attrs.id) {
      const later = placeOf(transaction.doc, node.attrs.id, index);
      if (later) transaction.delete(later.at, later.at + later.node.nodeSize);
      transaction.insert(at, node);
    } else if (here && here !== node && !here.eq(node)) {
      patch(transaction, at, here, node);
    }
    at += transaction.doc.child(index).nodeSize;
  });
}

function placeOf(doc: Node, id: string, from: number): { at: number; node: Node } | null {
  let found: { at: number; node: Node } | null = null;
  doc.forEach((node, at, index) => {
    if (index >= from && node.attrs.id === id) found ??= { at, node };
  });
  return found;
}

/** One block in place: its kind, its attributes, the words that differ. */
function patch(transaction: Transaction, at: number, old: Node, node: Node): void {
  const alike =
    old.isTextblock === node.isTextblock &&
    old.type.spec.code === node.type.spec.code &&
    old.type.name !== "table" &&
    node.type.name !== "table";
  if (!alike && old.type !== node.type) {
    transaction.replaceWith(at, at + old.nodeSize, node);
    return;
  }
  const start = old.content.findDiffStart(node.content);
  const end = old.content.findDiffEnd(node.content);
  if (start !== null && end) {
    let { a, b } = end;
    const overlap = start - Math.min(a, b);
    if (overlap > 0) {
      a += overlap;
      b += overlap;
    }
    try {
      transaction.replace(at + 1 + start, at + 1 + a, node.slice(start, b));
    } catch {
      transaction.replaceWith(at + 1, at + 1 + old.content.size, node.content);
    }
  }
  const now = transaction.doc.nodeAt(at);
  if (now && !now.sameMarkup(node)) {
    transaction.setNodeMarkup(at, node.type, node.attrs);
  }
  // Should the steps have come to something else, the block is put whole.
  const made = transaction.doc.nodeAt(at);
  if (made && !made.eq(node)) transaction.replaceWith(at, at + made.nodeSize, node);
}

/**
 * Every block has an id of its own: new ones get one, and of two with the same the one that holds more words keeps it.
 * What would make a table too large for the server is not done.
 */
export function ownIds(): Plugin {
  return new Plugin({
    filterTransaction: (transaction, state) => !transaction.docChanged || isRemote(transaction) || tablesFit(state.doc, transaction.doc),
    appendTransaction(transactions, _, state) {
      if (!transactions.some((one) => one.docChanged && !isRemote(one))) return null;
      const seen = new Map<string, { at: number; node: Node }>();
      const transaction = state.tr;
      const rename = (at: number, node: Node) => transaction.setNodeMarkup(at, null, { ...node.attrs, id: blockId() });
      state.doc.forEach((node, at) => {
        const other = seen.get(node.attrs.id);
        if (!node.attrs.id) rename(at, node);
        else if (!other) seen.set(node.attrs.id, { at, node });
        else if (other.node.content.size === 0 && node.content.size > 0) {
          rename(other.at, other.node);
          seen.set(node.attrs.id, { at, node });
        } else rename(at, node);
      });
      // A page always has a line to write in.
      if (transaction.doc.childCount === 0) transaction.insert(0, schema.nodes.paragraph!.create({ id: blockId() }));
      const tables: { at: number; node: Node }[] = [];
      transaction.doc.forEach((node, at) => {
        if (node.type.name === "table") tables.push({ at, node });
      });
      for (const { at, node } of tables.reverse()) completeTable(transaction, at, node);
      return transaction.docChanged ? transaction : null;
    },
  });
}

function tablesFit(before: Node, after: Node): boolean {
  const known = new Set(before.content.content);
  return after.content.content.every((node) => {
    if (node.type.name !== "table" || known.has(node)) return true;
    return isTableSize(
      node.content.content.reduce((most, row) => Math.max(most, row.childCount), 0),
      node.childCount,
    );
  });
}

/**
 * A table that was typed, pasted or widened: every row has an id and every column one, and rows are equally long.
 * What is there stays as it is: replacing the table would throw the caret out of its cell.
 */
function completeTable(transaction: Transaction, at: number, table: Node): void {
  let width = 0;
  table.forEach((row) => (width = Math.max(width, row.childCount)));
  const known = table.attrs.columns as string[];
  const columns = [...known].slice(0, width);
  while (columns.length < width) columns.push(blockId());
  const seen = new Set<string>();
  const rows: { at: number; row: Node; id: string }[] = [];
  table.forEach((row, offset) => {
    const id: string = !row.attrs.id || seen.has(row.attrs.id) ? blockId() : row.attrs.id;
    seen.add(id);
    rows.push({ at: at + 1 + offset, row, id });
  });
  for (const { at: place, row, id } of rows.reverse()) {
    const missing = Array.from({ length: width - row.childCount }, () => schema.nodes.tableCell!.create());
    if (missing.length > 0) transaction.insert(place + row.nodeSize - 1, missing);
    if (id !== row.attrs.id) transaction.setNodeMarkup(place, null, { ...row.attrs, id });
  }
  if (!same(columns, known)) transaction.setNodeMarkup(at, null, { ...table.attrs, columns });
}

export { plainText };
