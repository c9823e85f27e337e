import {
  type CrdtType,
  MAX_MESSAGE_SIZE,
  MessageType,
  encode,
  type DocUpdateFragment,
  type DocUpdateFragmentHeader,
  type HexString,
  type ProtocolMessage,
} from "loro-protocol";

export type Magic = typeof CrdtType.Loro | typeof CrdtType.LoroEphemeralStore;

/** What fits into one message beside its envelope (magic, room id, batch id, lengths). */
export const FRAGMENT_SIZE = MAX_MESSAGE_SIZE - 4096;

/** A peer that sent a header and then no fragments is forgotten after this long. */
export const REASSEMBLE_MS = 10_000;

export function randomBatchId(): HexString {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `0x${Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("")}`;
}

/** Joins carry no token: the cookie says who this is. */
export function joinMessage(crdt: Magic, roomId: string, version: Uint8Array): Uint8Array {
  return encode({ type: MessageType.JoinRequest, crdt, roomId, auth: new Uint8Array(), version });
}

export function leaveMessage(crdt: Magic, roomId: string): Uint8Array {
  return encode({ type: MessageType.Leave, crdt, roomId });
}

/**
 * One blob as the messages that carry it: a single update, or a header and its fragments. One blob a batch, because
 * an acknowledgement answers a batch, and fragments hold the bytes of exactly one blob.
 */
export function updateMessages(
  crdt: Magic,
  roomId: string,
  batchId: HexString,
  blob: Uint8Array,
  fragmentSize = FRAGMENT_SIZE,
): Uint8Array[] {
  if (blob.length <= fragmentSize) {
    return [encode({ type: MessageType.DocUpdate, crdt, roomId, updates: [blob], batchId })];
  }
  const fragmentCount = Math.ceil(blob.length / fragmentSize);
  const messages: ProtocolMessage[] = [
    {
      type: MessageType.DocUpdateFragmentHeader,
      crdt,
      roomId,
      batchId,
      fragmentCount,
      totalSizeBytes: blob.length,
    },
  ];
  for (let index = 0; index < fragmentCount; index++) {
    const fragment = blob.subarray(index * fragmentSize, (index + 1) * fragmentSize);
    messages.push({ type: MessageType.DocUpdateFragment, crdt, roomId, batchId, index, fragment });
  }
  return messages.map(encode);
}

interface Batch {
  header: DocUpdateFragmentHeader;
  parts: Map<number, Uint8Array>;
  since: number;
}

/** Puts fragments back together, in whatever order they arrive; forgets what does not become whole in time. */
export class Reassembler {
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly now: () => number = Date.now) {}

  begin(header: DocUpdateFragmentHeader): void {
    this.forgetStale();
    this.batches.set(key(header), { header, parts: new Map(), since: this.now() });
  }

  /** The whole blob, if this fragment was the last one missing. */
  add(message: DocUpdateFragment): Uint8Array | undefined {
    this.forgetStale();
    const batch = this.batches.get(key(message));
    if (!batch || message.index >= batch.header.fragmentCount) {
      return undefined;
    }
    batch.parts.set(message.index, message.fragment);
    if (batch.parts.size < batch.header.fragmentCount) {
      return undefined;
    }
    this.batches.delete(key(message));
    const whole = new Uint8Array(batch.header.totalSizeBytes);
    let offset = 0;
    for (let index = 0; index < batch.header.fragmentCount; index++) {
      const part = batch.parts.get(index);
      if (!part || offset + part.length > whole.length) {
        return undefined;
      }
      whole.set(part, offset);
      offset += part.length;
    }
    return offset === whole.length ? whole : undefined;
  }

  clear(): void {
    this.batches.clear();
  }

  private forgetStale(): void {
    for (const [id, batch] of this.batches) {
      if (this.now() - batch.since > REASSEMBLE_MS) {
        this.batches.delete(id);
      }
    }
  }
}

function key(message: { crdt: string; roomId: string; batchId: string }): string {
  return `${message.crdt}/${message.roomId}/${message.batchId}`;
}
