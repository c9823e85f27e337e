import { LoroMap, LoroText, type ContainerID, type JsonChange, type JsonOp, type LoroDoc } from "loro-crdt";

/**
 * A page that lets go of its past no longer takes updates that were made on it. The tab that made them has its old
 * document and finds the difference there (`recovery`); when that tab is gone, all that is left on this device are the
 * operations. They are done once more, one by one, on the page as it is now: a register gets its value, characters
 * land at the place they had, as far as there is such a place.
 */
export function replay(changes: readonly JsonChange[], doc: LoroDoc): void {
  for (const change of changes) {
    change.ops.forEach((op) => redo(op, doc));
  }
  doc.commit();
}

/** Root maps whose entries are mergeable maps, each with one mergeable text. */
const ROOTS: Record<string, string> = {
  "cid:root-elements:Map": "elements",
  "cid:root-doc:Map": "doc",
  "cid:root-comments:Map": "comments",
};
const TEXTS = new Set(["originalText", "text"]);

function redo({ container, content }: JsonOp, doc: LoroDoc): void {
  const root = ROOTS[container];
  if (root !== undefined) {
    if ("key" in content) {
      doc.getMap(root).ensureMergeableMap(content.key);
    }
    return;
  }
  const target = doc.getContainerById(container as ContainerID);
  if (target instanceof LoroMap && content.type === "insert" && "key" in content) {
    // What makes a text is told as a list of bytes.
    if (TEXTS.has(content.key) && Array.isArray(content.value)) {
      target.ensureMergeableText(content.key);
    } else {
      target.set(content.key, content.value);
    }
  } else if (target instanceof LoroText && content.type === "insert" && "text" in content) {
    target.insert(Math.min(content.pos, target.length), content.text);
  } else if (target instanceof LoroText && content.type === "delete" && "len" in content) {
    // Backwards deletions count from their end.
    const from = Math.min(content.pos, content.len < 0 ? content.pos + content.len + 1 : content.pos);
    const at = Math.max(0, Math.min(from, target.length));
    target.delete(at, Math.min(Math.abs(content.len), target.length - at));
  }
}
