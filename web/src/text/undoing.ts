import { UndoManager, type LoroDoc } from "loro-crdt";
import { blockMap, findText, readAll, type Block } from "./blocksDoc";
import { ROOT } from "./schema";

/** The origin of what is written only for undo to go back to. */
export const GROUND = "glade:ground";
/** The origin of what an undo leaves to others. */
export const KEPT = "glade:kept";

/** Keys pressed in a row are one step. */
const TOGETHER_MS = 600;
const STEPS = 200;

/** One's own steps on a page; a fairy's and other people's are not among them. */
export class OwnSteps {
  private readonly manager: UndoManager;

  constructor(private readonly doc: LoroDoc) {
    this.manager = new UndoManager(doc, { mergeInterval: TOGETHER_MS, maxUndoSteps: STEPS, excludeOriginPrefixes: [GROUND, KEPT] });
  }

  /** Takes back the last step. A block that one made stays if others wrote in it, with what they wrote. */
  undo(): boolean {
    const before = this.doc.frontiers();
    const undone = this.manager.undo();
    if (undone) this.keepOthersWords(before);
    return undone;
  }

  /** What is written in it is a step of its own, however soon after another. */
  apart(write: () => void): void {
    this.manager.setMergeInterval(0);
    write();
    this.manager.setMergeInterval(TOGETHER_MS);
  }

  redo(): boolean {
    return this.manager.redo();
  }

  canUndo(): boolean {
    return this.manager.canUndo();
  }

  free(): void {
    this.manager.free();
  }

  private keepOthersWords(before: ReturnType<LoroDoc["frontiers"]>): void {
    const gone: string[] = [];
    for (const [container, diff] of this.doc.diff(before, this.doc.frontiers(), true)) {
      const [root, id] = this.doc.getPathToContainer(container) ?? [];
      if (root === ROOT && typeof id === "string" && diff.type === "map" && diff.updated.isDeleted === true) gone.push(id);
    }
    if (gone.length === 0) return;
    const cells = gone.some((id) => isTablePart(this.doc, id)) ? writtenCells(this.doc) : [];
    const kept = gone.filter((id) => (findText(this.doc, id)?.length ?? 0) > 0 || cells.some((cell) => cell.includes(id)));
    for (const id of kept) blockMap(this.doc, id).set("isDeleted", false);
    this.doc.commit({ origin: KEPT });
  }
}

function isTablePart(doc: LoroDoc, id: string): boolean {
  return String(blockMap(doc, id).get("nodeName")).startsWith("table");
}

/** Of each cell with words in it: its table, its row and its column. */
function writtenCells(doc: LoroDoc): string[][] {
  const all = readAll(doc);
  const hasWords = ({ pieces }: Block) => pieces.some(({ insert }) => insert.length > 0);
  return [...all.values()]
    .filter((block) => block.props.nodeName === "tableCell" && hasWords(block))
    .map(({ id }) => {
      const [row = "", column = ""] = id.split(".");
      return [String(all.get(row)?.props.parent), row, column];
    });
}
