import type { LoroDoc, LoroEventBatch, LoroMap, LoroText } from "loro-crdt";
import { ROOT, TEXT, type Props } from "./schema";
import { compose, type Delta } from "./textDelta";

/** What others did to the document: which elements, and how their texts changed. */
export interface Changes {
  ids: Set<string>;
  texts: Map<string, Delta>;
}

/** One element as stored, its text as a string. */
export function readElement(doc: LoroDoc, id: string): Props | undefined {
  const map = doc.getMap(ROOT).get(id);
  return isMap(map) ? (map.toJSON() as Props) : undefined;
}

/** Element by element: `toJSON` of a whole large page is slow and would copy everything twice. */
export function readAll(doc: LoroDoc): Map<string, Props> {
  const root = doc.getMap(ROOT);
  const all = new Map<string, Props>();
  for (const id of root.keys()) {
    const map = root.get(id);
    if (isMap(map)) {
      all.set(id, map.toJSON() as Props);
    }
  }
  return all;
}

export function writeRegister(doc: LoroDoc, id: string, key: string, value: unknown): void {
  element(doc, id).set(key, value);
}

/** Changes an element's text by a minimal delta, so that what others type in it stays. */
export function editText(doc: LoroDoc, id: string, delta: Delta): void {
  const text: LoroText = element(doc, id).ensureMergeableText(TEXT);
  if (delta.length > 0) {
    text.applyDelta(delta);
  }
}

/** Which elements a batch of events is about. Mergeable children report the path that they were reached by. */
export function changesIn(batch: LoroEventBatch): Changes {
  const changes: Changes = { ids: new Set(), texts: new Map() };
  for (const { path, diff } of batch.events) {
    if (path[0] !== ROOT) {
      continue;
    }
    const id = path[1];
    if (typeof id !== "string") {
      if (diff.type === "map") {
        Object.keys(diff.updated).forEach((key) => changes.ids.add(key));
      }
      continue;
    }
    changes.ids.add(id);
    if (path[2] === TEXT && diff.type === "text") {
      const delta = diff.diff.map((op): Delta[number] => {
        if (op.insert !== undefined) return { insert: op.insert };
        return op.delete !== undefined ? { delete: op.delete } : { retain: op.retain ?? 0 };
      });
      changes.texts.set(id, compose(changes.texts.get(id) ?? [], delta));
    }
  }
  return changes;
}

function element(doc: LoroDoc, id: string): LoroMap {
  return doc.getMap(ROOT).ensureMergeableMap(id);
}

function isMap(value: unknown): value is LoroMap {
  return typeof value === "object" && value !== null && "kind" in value && (value as LoroMap).kind() === "Map";
}
