import { VersionVector, decodeImportBlobMeta, type PeerID } from "loro-crdt";

export type Versions = Map<string, number>;

/** A version vector as it came over the wire; servers send nothing at all for an empty document. */
export function decodeVersions(bytes: Uint8Array): Versions {
  return bytes.length === 0 ? new Map() : VersionVector.decode(bytes).toJSON();
}

export function toVersionVector(versions: Versions): VersionVector {
  return VersionVector.parseJSON(versions as Map<PeerID, number>);
}

/** Whether `a` has everything that `b` has. */
export function covers(a: Versions, b: Versions): boolean {
  for (const [peer, counter] of b) {
    if ((a.get(peer) ?? 0) < counter) {
      return false;
    }
  }
  return true;
}

/** Where the operations of a blob begin and end, peer by peer. */
export function blobSpan(blob: Uint8Array): { start: Versions; end: Versions } {
  const meta = decodeImportBlobMeta(blob, false);
  return { start: meta.partialStartVersionVector.toJSON(), end: meta.partialEndVersionVector.toJSON() };
}
