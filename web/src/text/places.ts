import { Cursor, type LoroDoc } from "loro-crdt";
import type { Node } from "prosemirror-model";

/** Where every block on the page begins, cells of tables too. */
export function places(doc: Node): Map<string, number> {
  const found = new Map<string, number>();
  doc.forEach((node, at) => {
    found.set(node.attrs.id, at);
    if (node.type.name !== "table") return;
    node.forEach((row, inRow) =>
      row.forEach((_cell, inCell, column) => found.set(`${row.attrs.id}.${node.attrs.columns[column]}`, at + 1 + inRow + 1 + inCell)),
    );
  });
  return found;
}

/** The ids of a block and of what is in it, as runs name what they touched. */
export function inner(node: Node): string[] {
  const ids: string[] = [node.attrs.id];
  if (node.type.name !== "table") return ids;
  const columns = node.attrs.columns as string[];
  ids.push(...columns);
  node.forEach((row) => ids.push(row.attrs.id, ...columns.map((column) => `${row.attrs.id}.${column}`)));
  return ids;
}

/** The block on the page that an id belongs to: a cell's is its table. */
export function blockOf(doc: Node, id: string): { node: Node; at: number } | null {
  let found: { node: Node; at: number } | null = null;
  doc.forEach((node, at) => {
    if (!found && (node.attrs.id === id || (node.type.name === "table" && inner(node).includes(id)))) found = { node, at };
  });
  return found;
}

export const encode = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Where in its block a Loro cursor is now; null if it cannot be read. */
export function offsetOf(doc: LoroDoc, cursor: string): number | null {
  try {
    const bytes = Uint8Array.from(atob(cursor), (char) => char.charCodeAt(0));
    return doc.getCursorPos(Cursor.decode(bytes))?.offset ?? null;
  } catch {
    return null;
  }
}
