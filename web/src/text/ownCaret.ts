import type { Delta, LoroEventBatch } from "loro-crdt";
import type { Node } from "prosemirror-model";
import { TextSelection, type Transaction } from "prosemirror-state";
import { places } from "./places";
import { ROOT } from "./schema";

/** What others typed and deleted, block by block, as the document tells it. */
export type Typing = ReadonlyMap<string, readonly Delta<string>[]>;

export function typingIn(batch: LoroEventBatch): Typing {
  const typing = new Map<string, readonly Delta<string>[]>();
  for (const { path, diff } of batch.events) {
    if (path[0] === ROOT && typeof path[1] === "string" && diff.type === "text") typing.set(path[1], diff.diff);
  }
  return typing;
}

/** A place in the words of a block. */
interface Spot {
  id: string;
  offset: number;
}

/** Which of two letters a place stays with when others write between them. */
type Side = "before" | "behind";

interface Moved {
  offset: number;
  /** The run of letters with the one before the place, if it was deleted. */
  gone?: { from: number; to: number };
}

/** Where a place is after somebody typed. */
export function moved(offset: number, typing: readonly Delta<string>[], side: Side): Moved {
  let [old, now] = [0, 0];
  for (const { retain, insert, delete: deleted } of typing) {
    if (insert !== undefined) {
      if (offset === old && side === "before") return { offset: now };
      now += insert.length;
    } else if (deleted !== undefined) {
      if (offset > old && offset <= old + deleted) return { offset: now, gone: { from: old, to: old + deleted } };
      old += deleted;
    } else if (retain !== undefined) {
      const inside = side === "before" ? offset <= old + retain : offset < old + retain;
      if (inside) return { offset: now + offset - old };
      old += retain;
      now += retain;
    }
    if (offset < old) return { offset: now };
  }
  return { offset: now + Math.max(0, offset - old) };
}

/**
 * Keeps the caret with its letter through what others did: right behind the one that it was behind, wherever that went
 * when they split, joined or moved its block. What they type right there comes behind the caret, so two people who
 * write at one spot do not write into each other's words.
 */
export function keepCaret(transaction: Transaction, selection: unknown, typing: Typing): void {
  if (!(selection instanceof TextSelection) || !transaction.docChanged) return;
  const { before, doc } = transaction;
  const found = new Found(before, doc, typing);
  const { anchor, head, from, empty } = selection;
  const place = (at: number) => found.place(at, !empty && at === from ? "behind" : "before");
  const [newAnchor, newHead] = [place(anchor), place(head)];
  if (newAnchor === null || newHead === null) return;
  const next = TextSelection.create(doc, newAnchor, newHead);
  if (!next.eq(transaction.selection)) transaction.setSelection(next);
}

class Found {
  private readonly were: Map<string, number>;
  private readonly are: Map<string, number>;

  constructor(
    private readonly before: Node,
    private readonly doc: Node,
    private readonly typing: Typing,
  ) {
    this.were = places(before);
    this.are = places(doc);
  }

  /** Where a place of the page is now; null where nobody can say. */
  place(at: number, side: Side): number | null {
    const spot = this.spot(at);
    if (!spot) return null;
    const words = this.words(this.before, this.were, spot.id);
    const start = this.are.get(spot.id);
    if (start === undefined) return this.carried(words, spot.offset);
    const { offset, gone } = moved(spot.offset, this.typing.get(spot.id) ?? [], side);
    const elsewhere = gone && this.carried(words.slice(gone.from, gone.to), spot.offset - gone.from, spot.id);
    if (elsewhere) return elsewhere;
    const size = this.doc.nodeAt(start)?.content.size ?? 0;
    return start + 1 + Math.min(offset, size);
  }

  private spot(at: number): Spot | null {
    const $at = this.before.resolve(at);
    if (!$at.parent.isTextblock) return null;
    const start = $at.start() - 1;
    for (const [id, place] of this.were) if (place === start) return { id, offset: $at.parentOffset };
    return null;
  }

  private words(doc: Node, blocks: Map<string, number>, id: string): string {
    const start = blocks.get(id);
    const node = start === undefined ? null : doc.nodeAt(start);
    return node?.isTextblock ? node.textBetween(0, node.content.size, "\n", "\n") : "";
  }

  /** Where letters went that were taken out of a block: into one that is new, or into what was typed in another. */
  private carried(words: string, offset: number, own?: string): number | null {
    if (!words) return null;
    for (const [id, start] of this.are) {
      if (id === own) continue;
      let at = -1;
      if (!this.were.has(id)) {
        const now = this.words(this.doc, this.are, id);
        at = now === words || words.length > 2 ? now.indexOf(words) : -1;
      } else {
        let now = 0;
        for (const { retain, insert } of this.typing.get(id) ?? []) {
          const inside = insert?.indexOf(words) ?? -1;
          if (inside >= 0) at = now + inside;
          now += retain ?? insert?.length ?? 0;
        }
      }
      if (at >= 0) return start + 1 + at + offset;
    }
    return null;
  }
}
