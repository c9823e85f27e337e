/** For tests: a room of the Loro protocol v1 in memory, with sockets that lose, refuse and delay on demand. */
import { EphemeralStore, LoroDoc, VersionVector } from "loro-crdt";
import { CrdtType, type JoinErrorCode, MessageType, UpdateStatusCode, decode, encode, type ProtocolMessage } from "loro-protocol";
import type { SocketLike } from "./connection";
import { Reassembler, updateMessages, type Magic } from "./wire";

export class FakeServer {
  doc = new LoroDoc();
  readonly presence = new EphemeralStore(30_000);
  readonly sockets = new Set<FakeSocket>();
  permission: "read" | "write" = "write";
  /** What to answer an update with; asked before it is merged. */
  judge: (blob: Uint8Array) => UpdateStatusCode = () => UpdateStatusCode.Ok;
  /** What is said of a refusal, ahead of it. */
  reason: string | undefined;
  /** Merges, but the answer never arrives. */
  swallowAcks = false;
  judgeJoin: (version: Uint8Array) => JoinErrorCode | undefined = () => undefined;
  fragmentSize: number | undefined;
  updates = 0;
  readonly received: Uint8Array[] = [];
  reachable = true;

  readonly makeSocket = (): SocketLike => new FakeSocket(this);

  hangUpAll(): void {
    for (const socket of [...this.sockets]) {
      socket.hangUp();
    }
  }

  receive(from: FakeSocket, message: ProtocolMessage): void {
    const { crdt, roomId } = message;
    const isDoc = crdt === CrdtType.Loro;
    if (message.type === MessageType.JoinRequest) {
      const code = isDoc ? this.judgeJoin(message.version) : undefined;
      if (code !== undefined) {
        from.say({ type: MessageType.JoinError, crdt, roomId, code, message: "no" });
        return;
      }
      const version = isDoc ? this.doc.oplogVersion().encode() : new Uint8Array();
      from.say({ type: MessageType.JoinResponseOk, crdt, roomId, permission: this.permission, version });
      from.rooms.add(crdt);
      const since = message.version.length ? VersionVector.decode(message.version) : new VersionVector(null);
      // What a document has let go of can only be had as a state.
      const state = message.version.length <= 1 && this.doc.isShallow();
      const doc = () => this.doc.export(state ? { mode: "snapshot" } : { mode: "update", from: since });
      const blob = isDoc ? doc() : this.presence.encodeAll();
      this.tell(from, crdt as Magic, roomId, blob);
    } else if (message.type === MessageType.DocUpdate) {
      message.updates.forEach((blob) => this.update(from, crdt as Magic, roomId, message.batchId, blob));
    } else if (message.type === MessageType.DocUpdateFragmentHeader) {
      from.reassembler.begin(message);
    } else if (message.type === MessageType.DocUpdateFragment) {
      const blob = from.reassembler.add(message);
      if (blob) {
        this.update(from, crdt as Magic, roomId, message.batchId, blob);
      }
    }
  }

  private update(from: FakeSocket, crdt: Magic, roomId: string, refId: `0x${string}`, blob: Uint8Array): void {
    if (crdt === CrdtType.LoroEphemeralStore) {
      this.presence.apply(blob);
    } else {
      this.updates++;
      this.received.push(blob);
      let status = this.judge(blob);
      if (status === UpdateStatusCode.Ok && this.doc.import(blob).pending) {
        status = UpdateStatusCode.InvalidUpdate;
      }
      if (status !== UpdateStatusCode.Ok && this.reason) {
        from.words(JSON.stringify({ refused: { room: roomId, batch: refId, reason: this.reason } }));
      }
      if (!this.swallowAcks) {
        from.say({ type: MessageType.Ack, crdt, roomId, refId, status });
      }
      if (status !== UpdateStatusCode.Ok) {
        return;
      }
    }
    for (const other of this.sockets) {
      if (other !== from && other.rooms.has(crdt)) {
        this.tell(other, crdt, roomId, blob);
      }
    }
  }

  private tell(to: FakeSocket, crdt: Magic, roomId: string, blob: Uint8Array): void {
    const id = `0x${Math.floor(Math.random() * 2 ** 48)
      .toString(16)
      .padStart(16, "0")}` as const;
    updateMessages(crdt, roomId, id, blob, this.fragmentSize).forEach((bytes) => to.deliver(bytes));
  }
}

class FakeSocket implements SocketLike {
  binaryType = "";
  readyState = 0;
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;
  readonly rooms = new Set<string>();
  readonly reassembler = new Reassembler();

  constructor(private readonly server: FakeServer) {
    queueMicrotask(() => {
      if (!server.reachable) {
        this.hangUp();
      } else if (this.readyState === 0) {
        this.readyState = 1;
        server.sockets.add(this);
        this.onopen?.(undefined as never);
      }
    });
  }

  send(data: Uint8Array | string): void {
    if (typeof data !== "string" && this.readyState === 1) {
      const copy = data.slice();
      queueMicrotask(() => this.server.receive(this, decode(copy)));
    }
  }

  say(message: ProtocolMessage): void {
    this.deliver(encode(message));
  }

  words(text: string): void {
    queueMicrotask(() => this.readyState === 1 && this.onmessage?.({ data: text }));
  }

  deliver(bytes: Uint8Array): void {
    queueMicrotask(() => this.readyState === 1 && this.onmessage?.({ data: bytes.slice().buffer }));
  }

  hangUp(): void {
    this.close();
    this.onclose?.(undefined as never);
  }

  close(): void {
    this.readyState = 3;
    this.server.sockets.delete(this);
  }
}
