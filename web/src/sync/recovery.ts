import type { Frontiers, LoroDoc } from "loro-crdt";
import type { OutboxEntry } from "./storage";
import type { RefusedCopy } from "./types";
import { blobSpan, covers, toVersionVector, type Versions } from "./versions";

/**
 * After a refusal a client cannot go on from its own document: operations that the server does not have would be
 * missing from under everything that follows. So it takes the server's state in a fresh document, under a fresh peer
 * id, and makes its own unacknowledged difference anew on top.
 */

export interface Move {
  old: LoroDoc;
  /** The server's state, under a peer id that was never used. */
  fresh: LoroDoc;
  /** What the server has not acknowledged. */
  waiting: readonly OutboxEntry[];
  /** How far this tab's own operations were handed to the outbox. */
  flushed: number;
  /** This was a refusal, and not only a lost history. */
  counts: boolean;
  mayWrite: boolean;
  pageId: string;
  reason: string;
}

/**
 * Brings the person's unacknowledged changes over to the fresh document, once; what was refused before becomes a
 * copy. `attempt` is how often they have been made anew by now.
 */
export function moveChanges(move: Move): { attempt: number; copy?: RefusedCopy } {
  const { old, fresh, waiting, pageId, reason } = move;
  const mine = ownDifference(old, acknowledgedVersion(old, waiting, { peer: old.peerIdStr, flushed: move.flushed }));
  const attempt = Math.max(0, ...waiting.map((entry) => entry.attempt)) + (move.counts ? 1 : 0);
  if (mine.diff.length === 0) {
    return { attempt };
  }
  if (attempt <= 1 && move.mayWrite) {
    try {
      reapply(old, mine, fresh);
      return { attempt };
    } catch (error) {
      console.error("glade: refused changes could not be made anew", error);
    }
  }
  return { attempt, copy: refusedCopy(old, mine, pageId, reason) };
}

/** The version of `doc` without what is waiting: `flushed` is how far this tab's own operations were handed over. */
function acknowledgedVersion(doc: LoroDoc, waiting: readonly OutboxEntry[], own: { peer: string; flushed: number }): Versions {
  const version: Versions = new Map(doc.oplogVersion().toJSON());
  const lower = (peer: string, counter: number) => {
    if (counter < (version.get(peer) ?? 0)) {
      version.set(peer, counter);
    }
  };
  lower(own.peer, own.flushed);
  for (const entry of waiting) {
    const { start, end } = blobSpan(entry.blob);
    for (const peer of end.keys()) {
      lower(peer, start.get(peer) ?? 0);
    }
  }
  for (const [peer, counter] of version) {
    if (counter === 0) {
      version.delete(peer);
    }
  }
  return version;
}

interface OwnDifference {
  base: Versions;
  baseFrontiers: Frontiers;
  diff: ReturnType<LoroDoc["diff"]>;
}

function ownDifference(doc: LoroDoc, base: Versions): OwnDifference {
  doc.commit();
  const baseFrontiers = doc.vvToFrontiers(toVersionVector(base));
  return { base, baseFrontiers, diff: doc.diff(baseFrontiers, doc.frontiers(), true) };
}

/**
 * Makes the difference anew in `fresh`, under its peer id. Made on the version
 * that the difference was taken from and then merged, so that text lands where it was meant.
 */
function reapply(old: LoroDoc, mine: OwnDifference, fresh: LoroDoc): void {
  if (!isOutdated(mine.baseFrontiers, fresh) && covers(fresh.oplogVersion().toJSON(), mine.base)) {
    const scratch = old.forkAt(mine.baseFrontiers);
    scratch.setPeerId(fresh.peerIdStr);
    scratch.applyDiff(mine.diff);
    scratch.commit();
    fresh.import(scratch.export({ mode: "update", from: toVersionVector(mine.base) }));
  } else {
    // The server no longer has what the difference was made on, or only as a part of its present state: lay it on
    // that state as it stands.
    fresh.applyDiff(mine.diff);
    fresh.commit();
  }
}

/** Whether a change made on `frontiers` cannot be merged any more, for `doc` has let go of what is before it. */
function isOutdated(frontiers: Frontiers, doc: LoroDoc): boolean {
  const gone = doc.shallowSinceVV().toJSON();
  const isGone = ({ peer, counter }: Frontiers[number]) => counter < (gone.get(peer) ?? 0);
  return gone.size > 0 && (frontiers.length === 0 || frontiers.some(isGone));
}

/** The elements or blocks that a difference touches, whole, as the person last saw them. */
function refusedCopy(old: LoroDoc, mine: OwnDifference, pageId: string, reason: string): RefusedCopy {
  const elements: RefusedCopy["elements"] = {};
  for (const [container] of mine.diff) {
    const [root, id] = old.getPathToContainer(container) ?? [];
    if ((root !== "elements" && root !== "doc") || typeof id !== "string") continue;
    const element = old.getMap(root).get(id);
    if (element && typeof element === "object" && "toJSON" in element) {
      elements[id] = (element as { toJSON(): Record<string, unknown> }).toJSON();
    }
  }
  return { pageId, reason, at: new Date().toISOString(), elements };
}
