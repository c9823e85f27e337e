/** What a person does to a page, written to the document by the studio's own writers. */
import type { LoroDoc } from "loro-crdt";
import { editText, readElement, writeRegister } from "../../src/canvas/elementsDoc";
import { diffText } from "../../src/canvas/textDelta";
import { blockMap, blockText, prepare } from "../../src/text/blocksDoc";
import { splicesBetween } from "../../src/text/splices";

export type Kind = "canvas" | "text";

/** One element or block, and what it is to be. */
export interface Put {
  id: string;
  props: Record<string, unknown>;
}

const WORDS = "originalText";

/** As the editor of such a page does it with every document that it is given. */
export function open(doc: LoroDoc, kind: Kind): void {
  if (kind === "text") prepare(doc);
}

export function put(doc: LoroDoc, kind: Kind, { id, props }: Put): void {
  for (const [key, value] of Object.entries(props)) {
    if (kind === "canvas") putOnCanvas(doc, id, key, value);
    else putInText(doc, id, key, value);
  }
}

function putOnCanvas(doc: LoroDoc, id: string, key: string, value: unknown): void {
  if (key !== WORDS) return writeRegister(doc, id, key, value);
  const before = readElement(doc, id)?.[WORDS];
  editText(doc, id, diffText(typeof before === "string" ? before : "", String(value)));
}

function putInText(doc: LoroDoc, id: string, key: string, value: unknown): void {
  if (key !== WORDS) {
    blockMap(doc, id).set(key, value as never);
    return;
  }
  const text = blockText(doc, id);
  for (const { at, remove, insert } of splicesBetween(text.toString(), String(value)).reverse()) {
    if (remove > 0) text.delete(at, remove);
    if (insert) text.insert(at, insert);
  }
}

/** What no studio does and no page takes: the session must find back to the server's state. */
export function removeKey(doc: LoroDoc, kind: Kind, id: string): void {
  doc.getMap(kind === "canvas" ? "elements" : "doc").delete(id);
}
